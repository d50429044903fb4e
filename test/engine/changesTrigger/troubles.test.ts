import { startPlatform, type Platform } from '../../platform';
import { PollingN8n, type PollingSetup } from './pollingN8n';

describe('the changes trigger in n8n’s engine, in trouble', () => {
	let platform: Platform;
	let apiKey: string;

	beforeAll(async () => {
		platform = await startPlatform({ products: 10, orders: 30, customers: 5, categories: 2 });
	});

	afterAll(async () => await platform.close());

	beforeEach(async () => {
		await platform.control.reset();
		// A key of its own, so that no other test has spent its budget.
		({ apiKey } = await platform.control.createKey());
	});

	const n8nWith = (
		parameters: PollingSetup['parameters'] = {},
		more: Partial<PollingSetup> = {},
	): PollingN8n =>
		new PollingN8n({ credentials: { baseUrl: platform.baseUrl, apiKey }, parameters, ...more });

	test('says at publishing which scope the key lacks, with the request ID', async () => {
		const narrow = await platform.control.createKey({ scopes: ['products.read'] });
		const credentials = { baseUrl: platform.baseUrl, apiKey: narrow.apiKey };
		await expect(n8nWith({}, { credentials }).publish()).rejects.toMatchObject({
			description: expect.stringMatching(/orders\.read.*Request ID: \w+/s) as string,
		});
	});

	test('fails a poll that can read nothing', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		await platform.control.setFaults([{ path: '/orders', fault: 'status', status: 403 }]);
		await expect(n8n.poll()).rejects.toThrow();
		await platform.control.setFaults([]);
		await platform.control.createOrder();
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
	});

	test('stays published where the platform is away when n8n starts', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		await platform.control.createOrder();
		await platform.control.setFaults([{ path: '/orders', fault: 'html', status: 200 }]);
		await n8n.restart();
		expect(n8n.warnings.join()).toContain('goes on at the next poll');
		await expect(n8n.poll()).rejects.toThrow();
		await platform.control.setFaults([]);
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
	});

	test('waits while the day’s budget is nearly spent, says so once, and goes on', async () => {
		const n8n = n8nWith({ options: { keepDailyBudget: 50 } });
		await platform.control.configure({ dayBudget: 8 });
		await n8n.publish();
		await platform.control.createOrder();
		const polls: string[] = [];
		for (let count = 0; count < 6; count++) {
			polls.push(
				await n8n.poll().then(
					() => 'quiet',
					(error: Error) => error.message,
				),
			);
		}
		expect(polls.filter((end) => end !== 'quiet')).toEqual(['Stopped to keep the daily budget']);
		expect((await platform.control.counters()).total).toBeLessThanOrEqual(5);
	});

	test.each([
		['another workflow', { workflowId: 'workflow-2' }],
		['another choice in Watch', { parameters: { watch: 'product' } }],
	])('does not use the state of %s, and says so', async (what, change) => {
		const n8n = n8nWith();
		await n8n.publish();
		const updatedAt = new Date(Date.now() - 30_000).toISOString();
		await platform.control.writeRecord('orders', { updatedAt });
		await n8n.poll();
		const other = n8n.changed(change);
		await other.publish();
		expect(other.items).toEqual([]);
		expect(other.warnings.join()).toContain(`because it belongs to ${what}`);
	});

	test('begins anew where its state cannot be read, and says so', async () => {
		const n8n = n8nWith();
		n8n.database = JSON.stringify({ 'node:Changes': { changes: { version: 99 } } });
		await n8n.publish();
		expect(n8n.warnings.join()).toContain('because it cannot be read');
		await platform.control.createOrder();
		await n8n.poll();
		expect(n8n.items).toHaveLength(1);
	});

	test.each([
		[{ overlap: 5 }, '“Overlap (Seconds)”'],
		[{ maxPages: 0 }, '“Max Pages per Poll”'],
		[{ startFrom: 'yesterday' }, '“Start From”'],
	])('names the option of %j that cannot work', async (options, field) => {
		await expect(n8nWith({ options }).publish()).rejects.toThrow(field);
	});
});
