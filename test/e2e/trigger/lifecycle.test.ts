import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { apiClient } from '../../support/apiClient';
import { pick, seeded } from '../../support/random';
import { environmentOfSuite, EXPRESSION_ENGINE } from '../environment';
import { WorkflowSet, type TriggerWorkflow } from './workflowSet';

const STEPS = 50;
const SEED = Number(process.env.COMMERCE_PLATFORM_SEED ?? 20261121);
/**
 * An n8n that was killed while it published takes the work up again when its claim is over: by default after
 * 2 min, found 15 s later.
 */
const CLAIM = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};
const FOREIGN = 'https://erp.example/hooks/orders';

type Step = (workflow: TriggerWorkflow) => Promise<unknown>;

describe(`${STEPS} random steps in the life of triggers (seed ${SEED})`, () => {
	const environment = environmentOfSuite({
		n8n: { environment: { ...EXPRESSION_ENGINE, ...CLAIM } },
	});
	let workflows: WorkflowSet;
	const random = seeded(SEED);

	before(async () => {
		workflows = new WorkflowSet(environment, random);
		await apiClient(environment.platform).send('/webhooks', {
			method: 'POST',
			body: { url: FOREIGN, events: ['order.paid'], description: 'ERP' },
		});
		for (let i = 0; i < 2; i++) await workflows.add();
	});

	/** Exactly one endpoint for each published trigger, with its events, none without, the foreign one untouched. */
	async function assertInvariant(what: string): Promise<void> {
		const found = (await environment.platform.control.endpoints()).map(
			({ url, events }) => `${url} ${[...events].sort().join()}`,
		);
		const wanted = workflows.all
			.filter(({ published }) => published)
			.map((workflow) => `${workflows.addressOf(workflow)} ${[...workflow.events].sort().join()}`);
		assert.deepEqual(found.sort(), [`${FOREIGN} order.paid`, ...wanted].sort(), `after: ${what}`);
	}

	/** Each published trigger takes a delivery of the platform, so its secret is held as well. */
	async function assertDelivered(): Promise<void> {
		const { deliveryIds } = await environment.platform.control.emit('order.paid', {
			id: 'ord_probe',
		});
		await environment.platform.control.settled();
		const sent = await environment.platform.control.deliveries();
		const states = sent
			.filter(({ id, url }) => deliveryIds.includes(id) && url !== FOREIGN)
			.map(({ url, attempts }) => `${url}: ${attempts[0].status}`);
		const wanted = workflows.all
			.filter(({ published, events }) => published && events.includes('order.paid'))
			.map((workflow) => `${workflows.addressOf(workflow)}: 200`);
		assert.deepEqual(states.sort(), wanted.sort());
	}

	const whilePublished: Record<string, Step> = {
		unpublish: async (workflow) => await workflows.unpublish(workflow),
		'lose the endpoint and publish again': async (workflow) =>
			await workflows.loseEndpoint(workflow),
	};
	const whileNot: Record<string, Step> = {
		publish: async (workflow) => await workflows.publish(workflow),
		'kill n8n while it publishes': async (workflow) =>
			await workflows.killWhilePublishing(workflow, Math.floor(random() * 400)),
	};
	const always: Record<string, Step> = {
		edit: async (workflow) => await workflows.edit(workflow),
		rename: async (workflow) => await workflows.rename(workflow),
		'restart n8n': async () => await workflows.restart(),
		'kill n8n': async () => await workflows.kill(),
		'listen for a test event': async (workflow) => {
			const test = workflows.addressOf(workflow).replace('/webhook/', '/webhook-test/');
			assert.ok(
				(await workflows.listen(workflow)).includes(test),
				'the test address was registered',
			);
		},
		duplicate: async (workflow) => {
			if (workflows.all.length < 6) await workflows.duplicate(workflow);
		},
	};

	it('leave exactly one endpoint for each published trigger, and foreign ones alone', async () => {
		for (let step = 1; step <= STEPS; step++) {
			const workflow = pick(workflows.all, random);
			const steps = { ...(workflow.published ? whilePublished : whileNot), ...always };
			const name = pick(Object.keys(steps), random);
			console.log(`  ${String(step).padStart(2)} ${workflow.id} ${name}`);
			await steps[name](workflow);
			await assertInvariant(name);
			if (step % 10 === 0) await assertDelivered();
		}
	});

	it('end without an endpoint of ours once all are unpublished', async () => {
		for (const workflow of workflows.all)
			if (workflow.published) await workflows.unpublish(workflow);
		await assertInvariant('all unpublished');
	});
});
