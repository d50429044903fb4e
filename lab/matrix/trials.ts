import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

import { apiClient, idsOf } from '../../platform/support/apiClient';
import { signedDelivery } from '../../platform/support/delivery';
import { until } from '../../platform/support/until';
import type { TestEnvironment } from '../../test/support/environment/testEnvironment';
import { noEndpointLeft } from '../../test/support/environment/publishedTrigger';
import { sendOne, stamped } from '../../test/support/load';
import { runImported } from '../../test/support/n8n/exampleRun';
import type { ExecutionCounts } from '../../test/support/n8n/executionCounts';
import type { Workflow, WorkflowFile } from '../../test/support/n8n/types';
import {
	NOTE,
	chain,
	changesTrigger,
	manualTrigger,
	noOperation,
	notePaidOrder,
	shopNode,
} from '../../test/support/n8n/workflows';
import { strayed } from '../../test/support/strayed';

/** What the trials share. `paid` is published once, for all trials that need it. */
export interface TrialContext {
	environment: TestEnvironment;
	counts: ExecutionCounts;
	paid?: Workflow;
}

/**
 * Tries one promise of this package in a real n8n. Returns a figure if it has one. Throws if the promise is not kept.
 */
type Trial = (context: TrialContext) => Promise<string | void>;

const PRODUCTS = 30;
/** n8n polls once a minute at most. ms. */
const POLL_MS = 130_000;
const WAIT_MS = 60_000;
const REPEATS = 10;
/** An older n8n creates the execution after its answer, ms. */
const SETTLE_MS = 3_000;

/** In the order in which they run; some need what an earlier one published. */
export const TRIALS: Record<string, Trial> = {
	'Credential test': async ({ environment: { client, credential, platform } }) => {
		const { baseUrl, apiKey } = platform;
		const accepted = await client.testCredential(credential, { baseUrl, apiKey });
		assert.equal(accepted.status, 'OK', accepted.message);
		const access = { baseUrl, apiKey: 'wrong' };
		const wrong = await client.createShopCredential('Wrong', access);
		const refused = await client.testCredential(wrong, access);
		assert.equal(refused.status, 'Error');
		// n8n before 2.0 shows its own text for a 401.
		assert.match(refused.message, /key|check your credentials/i);
	},

	'Operation run in the editor': async ({ environment }) => {
		const items = await run(
			environment,
			chain('Get products', environment.credential, [
				manualTrigger('Start'),
				shopNode('Last', { resource: 'product', operation: 'getAll', limit: 3 }),
			]),
		);
		assert.equal(items.length, 3);
	},

	[`Bulk write of ${PRODUCTS} products`]: async ({ environment }) => {
		const { credential, platform } = environment;
		await platform.control.resetCounters();
		const items = await run(
			environment,
			chain('Write products', credential, [
				manualTrigger('Start'),
				shopNode('Read', { resource: 'product', operation: 'getAll', limit: PRODUCTS }),
				shopNode('Last', {
					resource: 'product',
					operation: 'upsert',
					specifyProduct: 'defineBelow',
					sku: '={{ $json.variants[0].sku }}',
					title: '=Renamed {{ $itemIndex }}',
				}),
			]),
		);
		assert.deepEqual(
			items.map(({ title }) => title),
			items.map((_, index) => `Renamed ${index}`),
		);
		assert.equal(items.length, PRODUCTS);
		const writes = (await platform.control.requests()).filter(({ method }) => method !== 'GET');
		return `${writes.length} request`;
	},

	'Execute step of the webhook trigger': async ({ environment }) => {
		const { client, platform, credential } = environment;
		const { id } = await client.createWorkflow(notePaidOrder(credential));
		await client.listen(id, 'Order Paid');
		const [{ url }] = await platform.control.endpoints();
		assert.match(url, /\/webhook-test\//);
		const { order } = await platform.control.payOrder();
		const [execution] = await client.finishedExecutions(id, 1, WAIT_MS);
		assert.equal(execution.status, 'success');
		assert.ok(execution.raw.includes(String(order.id)));
		await noEndpointLeft(platform);
	},

	'Publish registers one endpoint': async (context) => {
		const { client, credential, platform, n8n } = context.environment;
		context.paid = await client.createWorkflow(notePaidOrder(credential));
		await client.activate(context.paid.id);
		const endpoints = await platform.control.endpoints();
		assert.equal(endpoints.length, 1);
		assert.match(endpoints[0].url, new RegExp(`^${n8n.url}/webhook/`));
		assert.deepEqual(endpoints[0].events, ['order.paid']);
	},

	'A paid order is read and written': async ({ environment, paid }) => {
		const { client, platform } = environment;
		const { order } = await platform.control.payOrder();
		const [execution] = await client.finishedExecutions(paid!.id, 1, WAIT_MS);
		assert.equal(execution.status, 'success');
		const written = await platform.control.record('orders', String(order.id));
		assert.equal(written?.merchant_note, NOTE);
	},

	'Repeats, executed again': async (context) => await executedAgain(context),

	'Repeats after a restart of n8n, executed again': async (context) => {
		const { n8n, client, owner, platform } = context.environment;
		return await executedAgain(context, async () => {
			const endpoints = await platform.control.endpoints();
			await n8n.restart();
			await client.logIn(owner);
			assert.deepEqual(await platform.control.endpoints(), endpoints);
		});
	},

	'Changes trigger polls': async ({ environment }) => {
		const { client, credential, platform } = environment;
		const { id } = await client.createWorkflow(
			chain('Changed orders', credential, [
				changesTrigger('Changed', { watch: 'order' }),
				noOperation('Done'),
			]),
		);
		await client.activate(id);
		const { order } = await platform.control.createOrder();
		await client.poll('the order in an execution', POLL_MS, async () => {
			const all = await client.executions(id);
			const raws = await Promise.all(all.map(async (one) => (await client.execution(one.id)).raw));
			return raws.some((raw) => raw.includes(String(order.id)));
		});
		await client.deactivate(id);
	},

	'Unpublish removes the endpoint': async ({ environment, paid }) => {
		await environment.client.deactivate(paid!.id);
		await noEndpointLeft(environment.platform);
	},

	'Violations of the API document': async ({ environment }) => {
		assert.deepEqual(await strayed(environment.platform), []);
		return '0';
	},
};

/** Runs a workflow from `Start`. @returns the items of its node `Last` */
async function run(environment: TestEnvironment, file: WorkflowFile) {
	const { id } = await environment.client.createWorkflow(file);
	return (await runImported(environment, id)).all('Last');
}

/**
 * Sends genuine deliveries, each of which must be executed once, and then again as the platform does, with the time of
 * the attempt.
 *
 * @param between what happens before they are sent again
 * @returns how many were executed again, e.g. `0 of 10`
 * @throws AssertionError if any was
 */
async function executedAgain(
	{ environment: { platform }, counts, paid }: TrialContext,
	between: () => Promise<void> = async () => {},
): Promise<string> {
	const [{ id, url }] = await platform.control.endpoints();
	const secret = await platform.control.endpointSecret(id);
	const orders = idsOf(await apiClient(platform).walk('/orders', REPEATS)).slice(0, REPEATS);
	const deliveries = orders.map((order) => signedDelivery({ url, secret, payload: { id: order } }));
	const send = async () => {
		for (const delivery of deliveries) assert.equal((await sendOne(stamped(delivery))).status, 200);
	};
	const before = counts.total(paid!.id);
	const executed = () => counts.total(paid!.id) - before;
	await send();
	await until('all to be executed', WAIT_MS, async () => executed() === deliveries.length);
	await counts.settled(paid!.id);
	await between();
	await send();
	await wait(SETTLE_MS);
	await counts.settled(paid!.id);
	const again = executed() - deliveries.length;
	const share = `${again} of ${deliveries.length}`;
	assert.equal(again, 0, `${share} were executed again`);
	return share;
}
