import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, beforeEach, describe, it } from 'node:test';

import { disagreements, stageOf } from '../../../lab/simulate/stories';
import type { Stage } from '../../../lab/simulate/real';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import { until } from '../../../platform/support/until';

/** `npm run simulate -- 100 --real` plays as many as are wanted. */
const STORIES = 4;
const SEED = Number(process.env.COMMERCE_PLATFORM_SEED ?? 20261121);
/** Times after the start of publishing, which takes some 300 ms. */
const KILLED_AFTER_MS = [0, 100, 250];

describe(`the life of triggers in a real n8n (seed ${SEED})`, () => {
	let stage: Stage;
	let published: PublishedTrigger;

	before(async () => (stage = await stageOf('regular')));
	after(async () => await stage?.close());

	it('ends as the simulation says: what is answered, executed, and left', async () => {
		assert.equal(await disagreements(STORIES, SEED, stage), 0);
	});

	describe('with one workflow', () => {
		beforeEach(async () => (published = await publishTrigger(stage.environment)));

		const addresses = async () =>
			(await stage.environment.platform.control.endpoints()).map(({ url }) => url);

		it('leaves exactly one endpoint once it is published after n8n was killed while it published', async () => {
			const { client, n8n } = stage.environment;
			const { id } = published.workflow;
			for (const ms of KILLED_AFTER_MS) {
				await client.deactivate(id);
				const { versionId } = await client.getWorkflow(id);
				const activation = client.rest
					.send('POST', `/workflows/${id}/activate`, { versionId })
					.catch(() => undefined);
				await wait(ms);
				await n8n.kill();
				await activation;
				await n8n.start();
				await client.deactivate(id);
				await client.activate(id);
				assert.deepEqual(await addresses(), [published.genuine.url], `after ${ms} ms`);
			}
			await client.deactivate(id);
			assert.deepEqual(await addresses(), []);
		});

		it('has an endpoint for a test event beside its own, and its own alone afterwards', async () => {
			const { client } = stage.environment;
			const { id } = published.workflow;
			const own = published.genuine.url;
			await client.listen(id, 'Order Paid');
			const both = [own, own.replace('/webhook/', '/webhook-test/')];
			assert.deepEqual((await addresses()).sort(), both.sort());
			await client.rest.send('DELETE', `/test-webhook/${id}`);
			// n8n answers before it has removed the endpoint.
			await until('the test endpoint to go', 60_000, async () => (await addresses()).length === 1);
			assert.deepEqual(await addresses(), [own]);
		});
	});
});
