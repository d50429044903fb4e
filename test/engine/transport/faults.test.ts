import type { FaultRule } from '../../../platform';
import { ONE_IN_FIVE } from '../../support/batchFaults';
import type { NodeRun } from '../../support/engine';
import { useBulkShop } from '../bulk/bulkShop';

const COUNT = 300;

const CREATION = { method: 'POST', path: '/products' };
/** One of the faults is a connection that stalls. */
const FAULTS: FaultRule = {
	...{ ...CREATION, ...ONE_IN_FIVE },
	anyOf: [...ONE_IN_FIVE.anyOf, { fault: 'stall' }],
};
const FATAL: FaultRule = {
	...CREATION,
	...{ probability: 0.013, seed: 3, times: 3, fault: 'status', status: 400 },
};

const shop = useBulkShop();

const TITLES = Array.from({ length: COUNT }, (_, n) => `Product ${n}`);
const create = async (titles: string[], requestOptions = {}, more: Partial<NodeRun> = {}) => {
	const items = titles.map((title) => ({ title }));
	const title = '={{ $json.title }}';
	const parameters = { title, requestOptions: { timeout: 400, ...requestOptions } };
	return await shop.run('product.create', parameters, { items, ...more });
};

it('creates 300 products once each, although one request in five fails and n8n runs the node again', async () => {
	await shop.control.setFaults([FATAL, FAULTS]);
	const { json, error, run } = await create(TITLES, {}, { retryOnFail: { maxTries: 5 } });
	expect(error).toBeUndefined();
	expect(json.map(({ title }) => title)).toEqual(TITLES);
	expect(run.status).toBe('success');
	const counters = await shop.control.counters();
	const applied = Object.values(counters.writesByIdempotencyKey);
	expect(applied).toEqual(Array<number>(COUNT).fill(1));
	expect(await shop.count()).toBe(COUNT);
	expect(counters.maxInFlight).toBeLessThanOrEqual(4);
	expect(counters.byRoute.find(({ status }) => status === 400)?.count).toBeGreaterThan(0);
	expect(counters.total).toBeGreaterThan(COUNT * 1.15);
	// What was done in the first run is not sent again.
	expect(counters.total).toBeLessThan(COUNT * 1.5);
}, 60_000);

it('has no more requests under way than each node’s option says, and no more than ten of the key', async () => {
	await shop.control.configure({ latencyMs: 20 });
	const few = { maxRequestsAtOnce: 3 };
	const runs = async (...names: number[]) => {
		const started = names.map(
			async (n) => await create(TITLES.slice(0, 50), few, { executionId: `execution-${n}` }),
		);
		for (const { items } of await Promise.all(started)) expect(items).toHaveLength(50);
		return (await shop.control.counters()).maxInFlight;
	};
	expect(await runs(1)).toBe(3);
	expect(await runs(2, 3, 4, 5)).toBe(10);
}, 30_000);
