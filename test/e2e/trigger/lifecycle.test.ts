import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { Progress } from '../progress';
import { setStage, type Stage } from '../stage';
import { seeded } from './load';
import { ENGINE } from './scene';
import { Troupe, type Actor } from './troupe';

const STEPS = 50;
const SEED = Number(process.env.COMMERCE_PLATFORM_SEED ?? 20261121);
/**
 * An n8n that was killed while it published takes the work up again when its claim is over: by default after
 * 2 min, found 15 s later.
 */
const CLAIM = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '30',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};
const FOREIGN = 'https://erp.example/hooks/orders';

type Step = (actor: Actor) => Promise<unknown>;

describe(`${STEPS} random steps in the life of triggers (seed ${SEED})`, () => {
	let stage: Stage;
	let troupe: Troupe;
	const random = seeded(SEED);
	const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)];

	before(async () => {
		stage = await setStage(new Progress(), { n8n: { environment: { ...ENGINE, ...CLAIM } } });
		troupe = new Troupe(stage, random);
		await fetch(`${stage.platform.baseUrl}/webhooks`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${stage.platform.apiKey}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ url: FOREIGN, events: ['order.paid'], description: 'ERP' }),
		});
		for (let i = 0; i < 2; i++) await troupe.add();
	});
	after(async () => await stage?.close());

	/** Exactly one endpoint for each published trigger, with its events, none without, the foreign one untouched. */
	async function assertInvariant(what: string): Promise<void> {
		const found = (await stage.platform.control.endpoints()).map(
			({ url, events }) => `${url} ${[...events].sort().join()}`,
		);
		const wanted = troupe.actors
			.filter(({ published }) => published)
			.map((actor) => `${troupe.addressOf(actor)} ${[...actor.events].sort().join()}`);
		assert.deepEqual(found.sort(), [`${FOREIGN} order.paid`, ...wanted].sort(), `after: ${what}`);
	}

	/** Each published trigger takes a delivery of the platform, so its secret is held as well. */
	async function assertDelivered(): Promise<void> {
		const { deliveryIds } = await stage.platform.control.emit('order.paid', { id: 'ord_probe' });
		await stage.platform.control.settled();
		const sent = await stage.platform.control.deliveries();
		const states = sent
			.filter(({ id, url }) => deliveryIds.includes(id) && url !== FOREIGN)
			.map(({ url, attempts }) => `${url}: ${attempts[0].status}`);
		const wanted = troupe.actors
			.filter(({ published, events }) => published && events.includes('order.paid'))
			.map((actor) => `${troupe.addressOf(actor)}: 200`);
		assert.deepEqual(states.sort(), wanted.sort());
	}

	const whilePublished: Record<string, Step> = {
		unpublish: async (actor) => await troupe.unpublish(actor),
		'lose the endpoint and publish again': async (actor) => await troupe.loseEndpoint(actor),
	};
	const whileNot: Record<string, Step> = {
		publish: async (actor) => await troupe.publish(actor),
		'kill n8n while it publishes': async (actor) =>
			await troupe.killWhilePublishing(actor, Math.floor(random() * 400)),
	};
	const always: Record<string, Step> = {
		edit: async (actor) => await troupe.edit(actor),
		rename: async (actor) => await troupe.rename(actor),
		'restart n8n': async () => await troupe.restart(),
		'kill n8n': async () => await troupe.kill(),
		'listen for a test event': async (actor) => {
			const test = troupe.addressOf(actor).replace('/webhook/', '/webhook-test/');
			assert.ok((await troupe.listen(actor)).includes(test), 'the test address was registered');
		},
		duplicate: async (actor) => {
			if (troupe.actors.length < 6) await troupe.duplicate(actor);
		},
	};

	it('leave exactly one endpoint for each published trigger, and foreign ones alone', async () => {
		for (let step = 1; step <= STEPS; step++) {
			const actor = pick(troupe.actors);
			const steps = { ...(actor.published ? whilePublished : whileNot), ...always };
			const name = pick(Object.keys(steps));
			console.log(`  ${String(step).padStart(2)} ${actor.id} ${name}`);
			await steps[name](actor);
			await assertInvariant(name);
			if (step % 10 === 0) await assertDelivered();
		}
	});

	it('end without an endpoint of ours once all are unpublished', async () => {
		for (const actor of troupe.actors) if (actor.published) await troupe.unpublish(actor);
		await assertInvariant('all unpublished');
	});
});
