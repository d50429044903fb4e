import { startPlatform, type FaultRule, type Platform } from '../../platform';
import { ONE_IN_FIVE } from '../../support/batchFaults';
import { type NodeRun, runOperation, withLeastWaits } from '../../support/engine';

const COUNT = 1_000;

const CREATION = { method: 'POST', path: '/products' };
/** Among the faults is a connection that stands still as well. */
const FAULTS: FaultRule = {
	...{ ...CREATION, ...ONE_IN_FIVE },
	anyOf: [...ONE_IN_FIVE.anyOf, { fault: 'stall' }],
};
const FATAL: FaultRule = {
	...CREATION,
	...{ probability: 0.004, seed: 3, times: 3, fault: 'status', status: 400 },
};

withLeastWaits();

let platform: Platform;

beforeAll(async () => {
	platform = await startPlatform({ products: 0, minuteBudget: 1_000_000, dayBudget: 10_000_000 });
});
beforeEach(async () => {
	await platform.control.reset();
	await platform.control.resetCounters();
});
afterAll(async () => await platform.close());

const TITLES = Array.from({ length: COUNT }, (_, n) => `Product ${n}`);
const create = async (titles: string[], requests = {}, more: Partial<NodeRun> = {}) =>
	await runOperation(
		'product.create',
		{ title: '={{ $json.title }}', requestOptions: { timeout: 400 }, requests },
		{
			credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
			items: titles.map((title) => ({ title })),
			...more,
		},
	);

async function expectExactlyOnce(): Promise<void> {
	const counters = await platform.control.counters();
	const applied = Object.values(counters.writesByIdempotencyKey);
	expect(applied).toHaveLength(COUNT);
	expect(applied.every((times) => times === 1)).toBe(true);
	expect((await platform.control.records('products')).count).toBe(COUNT);
	expect(counters.maxInFlight).toBeLessThanOrEqual(4);
}

it('creates 1,000 products once each, although one request in five fails', async () => {
	await platform.control.setFaults([FAULTS]);
	const { json, error } = await create(TITLES);
	expect(error).toBeUndefined();
	expect(json.map(({ title }) => title)).toEqual(TITLES);
	expect(new Set(json.map(({ id }) => id)).size).toBe(COUNT);
	await expectExactlyOnce();
	const { total } = await platform.control.counters();
	expect(total).toBeGreaterThan(COUNT * 1.15);
}, 60_000);

it('creates them once each also when n8n runs the node again', async () => {
	await platform.control.setFaults([FATAL, FAULTS]);
	const { items, error, run } = await create(TITLES, {}, { retryOnFail: { maxTries: 5 } });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(COUNT);
	expect(run.status).toBe('success');
	await expectExactlyOnce();
	const { total, byRoute } = await platform.control.counters();
	expect(byRoute.find(({ status }) => status === 400)?.count).toBeGreaterThan(0);
	// What was done before is not asked for again.
	expect(total).toBeLessThan(COUNT * 1.5);
}, 60_000);

it('has no more requests under way than the option says, counted over nodes and executions', async () => {
	await platform.control.configure({ latencyMs: 2 });
	const few = { maxRequestsAtOnce: 3 };
	const runs = [1, 2, 3].map(
		async (n) => await create(TITLES.slice(0, 100), few, { executionId: `execution-${n}` }),
	);
	for (const { items } of await Promise.all(runs)) expect(items).toHaveLength(100);
	expect((await platform.control.counters()).maxInFlight).toBe(3);
	await platform.control.configure({ latencyMs: 0 });
}, 30_000);
