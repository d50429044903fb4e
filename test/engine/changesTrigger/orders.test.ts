import { startPlatform, type Platform } from '../../platform';
import { PollingN8n, type PollingSetup } from './pollingN8n';

describe('the changes trigger in n8n’s engine, watching orders', () => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform({ products: 10, orders: 30, customers: 5, categories: 2 });
	});

	afterAll(async () => await platform.close());

	beforeEach(async () => await platform.control.reset());

	const credentials = () => ({ baseUrl: platform.baseUrl, apiKey: platform.apiKey });

	const n8nWith = (
		parameters: PollingSetup['parameters'] = {},
		more: Partial<PollingSetup> = {},
	): PollingN8n => new PollingN8n({ credentials: credentials(), parameters, ...more });

	const idsOf = (n8n: PollingN8n) => n8n.items.map(({ id }) => id);

	const requests = async () => (await platform.control.counters()).total;

	test('emits nothing at publishing, and what changes from then on', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		expect(n8n.executions).toEqual([]);
		const { order } = await platform.control.createOrder();
		await platform.control.payOrder(String(order.id));
		await n8n.poll();
		expect(idsOf(n8n)).toEqual([order.id]);
		await n8n.poll();
		expect(idsOf(n8n)).toEqual([order.id]);
	});

	test('takes one request for a quiet poll', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		await platform.control.resetCounters();
		for (let polls = 0; polls < 10; polls++) await n8n.poll();
		expect(await requests()).toBe(10);
	});

	test('begins at Start From, the oldest first, in steps of Max Pages per Poll', async () => {
		await platform.control.reset({ orders: 700 });
		const n8n = n8nWith({ options: { startFrom: '2000-01-01T00:00:00Z', maxPages: 1 } });
		await n8n.publish();
		expect(n8n.items).toHaveLength(250);
		await n8n.poll();
		await n8n.poll();
		expect(n8n.items).toHaveLength(700);
		expect(new Set(idsOf(n8n)).size).toBe(700);
		const times = n8n.items.map(({ updated_at }) => String(updated_at));
		expect(times).toEqual([...times].sort());
	});

	test('takes one request for each 250 records of a backfill, and keeps its state small', async () => {
		await platform.control.reset({ orders: 20_000 });
		const n8n = n8nWith({ options: { startFrom: '2000-01-01T00:00:00Z', maxPages: 40 } });
		await platform.control.resetCounters();
		await n8n.publish();
		await n8n.poll();
		await n8n.poll();
		// Each page begins with what the one before ended with, and two requests find out once that the platform sorts.
		expect(await requests()).toBeLessThanOrEqual(Math.ceil(20_000 / 249) + 2 + 2);
		expect(new Set(idsOf(n8n)).size).toBe(20_000);
		expect(n8n.database.length).toBeLessThan(330_000);
		await n8n.poll();
		expect(n8n.items).toHaveLength(20_000);
	});

	test('emits each of many records with one and the same updated_at once', async () => {
		await platform.control.reset({ orders: 600 });
		const n8n = n8nWith({ options: { maxPages: 2 } });
		await n8n.publish();
		await platform.control.touch('orders', { count: 600 });
		for (let polls = 0; polls < 4; polls++) await n8n.poll();
		expect(n8n.items).toHaveLength(600);
		expect(new Set(idsOf(n8n)).size).toBe(600);
	});

	test('emits a change that becomes visible after its time has been read', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		const late = await platform.control.writeRecord('orders', {
			updatedAt: new Date(Date.now() - 60_000).toISOString(),
		});
		await platform.control.createOrder();
		await n8n.poll();
		expect(idsOf(n8n)).toContain(late.id);
		expect(n8n.items).toHaveLength(2);
	});

	test.each([
		['carry no time', { updatedAt: 'absent' }],
		[
			'carry no time, and the Date header is an hour ahead',
			{ updatedAt: 'absent', dateHeader: 'hourAhead' },
		],
		['carry a time, and the Date header is an hour ahead', { dateHeader: 'hourAhead' }],
	] as const)(
		'emits all that changes from publishing on where the records %s',
		async (_name, dialect) => {
			await platform.control.reset({ orders: 600 });
			await platform.control.touch('orders', { count: 300 });
			await platform.control.configure({ dialect });
			const n8n = n8nWith({ options: { maxPages: 1 } });
			await n8n.publish();
			expect(n8n.items).toEqual([]);
			const made: unknown[] = [];
			for (let n = 0; n < 20; n++) made.push((await platform.control.createOrder()).order.id);
			for (let polls = 0; polls < 4; polls++) await n8n.poll();
			expect(idsOf(n8n).sort()).toEqual(made.sort());
		},
	);

	test('hands over what a walk brought before a fault, and goes on behind it', async () => {
		await platform.control.reset({ orders: 600 });
		const n8n = n8nWith({ options: { startFrom: '2000-01-01T00:00:00Z' } });
		await platform.control.setFaults([{ path: '/orders', script: ['ok', 'ok', 'ok', '403'] }]);
		await n8n.publish();
		expect(n8n.items).toHaveLength(250);
		expect(n8n.warnings.join()).toContain('goes on at the next poll');
		await platform.control.resetCounters();
		await n8n.poll();
		expect(n8n.items).toHaveLength(600);
		expect(await requests()).toBe(2);
	});

	test('begins the walk again where the platform no longer takes the cursor, and emits nothing twice', async () => {
		await platform.control.reset({ orders: 600 });
		const n8n = n8nWith({ options: { startFrom: '2000-01-01T00:00:00Z' } });
		await platform.control.setFaults([{ path: '/orders', script: ['ok', '400'] }]);
		await n8n.publish();
		expect(n8n.items).toHaveLength(600);
		expect(new Set(idsOf(n8n)).size).toBe(600);
	});

	test('emits again what did not become an execution', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		await platform.control.createOrder();
		n8n.mishaps = { notStarted: true };
		await n8n.poll();
		expect(n8n.items).toEqual([]);
		n8n.mishaps = {};
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
		expect(n8n.warnings.join()).toContain('emits again');
	});

	test('emits again after a restart what the process before handed over last, and nothing else', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		const { order: first } = await platform.control.createOrder();
		await n8n.poll();
		const { order: last } = await platform.control.createOrder();
		await n8n.poll();
		await n8n.restart();
		expect(idsOf(n8n)).toEqual([first.id, last.id, last.id]);
	});

	test('loses nothing where n8n died before the execution, with the state saved', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		const { order } = await platform.control.createOrder();
		n8n.mishaps = { notStarted: true };
		await n8n.poll();
		n8n.mishaps = {};
		await n8n.restart();
		expect(idsOf(n8n)).toEqual([order.id]);
	});

	test('does not emit twice what is still being executed', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		n8n.mishaps = { running: true };
		await platform.control.createOrder();
		await n8n.poll();
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
	});

	test('does not begin a second walk while one is under way', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		await platform.control.createOrder();
		await platform.control.resetCounters();
		await platform.control.configure({ latencyMs: 50 });
		await Promise.all([n8n.poll(), n8n.poll(), n8n.poll()]);
		expect(await requests()).toBe(1);
		expect(n8n.items).toHaveLength(1);
	});

	test('shows the newest records as a sample, and moves nothing', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		const { order } = await platform.control.createOrder();
		const before = n8n.database;
		const sample = await n8n.fetchSample();
		expect(sample).toHaveLength(5);
		expect(sample?.[0].json.id).toBe(order.id);
		expect(n8n.database).toBe(before);
		await n8n.poll();
		expect(idsOf(n8n)).toEqual([order.id]);
	});

	test('sends the filters, and goes on from where it is when they change', async () => {
		const n8n = n8nWith({ filters: { status: 'paid' } });
		await n8n.publish();
		const { order } = await platform.control.createOrder();
		await n8n.poll();
		expect(n8n.items).toEqual([]);
		const open = n8n.changed({ parameters: { filters: {} } });
		await open.publish();
		expect(idsOf(open)).toEqual([order.id]);
	});

	test('gives items as Get Many does, and a change key on request', async () => {
		const options = { decimalAmounts: 'text', addChangeKey: true };
		const n8n = n8nWith({ simplify: true, options });
		await n8n.publish();
		await platform.control.createOrder();
		await n8n.poll();
		const [item] = n8n.items;
		expect(item.total).toMatchObject({ decimal: expect.stringMatching(/^\d+(\.\d+)?$/) as string });
		expect(item.changeKey).toMatch(new RegExp(`^${String(item.id)}@.+#[\\w-]{6}$`));
		expect(item).not.toHaveProperty('customer');
	});
});
