import { startPlatform, type DialectChange, type Platform } from '../../platform';
import { PollingN8n } from './pollingN8n';

const DIALECTS: Array<[string, DialectChange]> = [
	['whole seconds', { recordTimes: 'seconds' }],
	['microseconds', { recordTimes: 'microseconds' }],
	['times with a zone', { recordTimes: 'offset' }],
	['times as Unix seconds', { recordTimes: 'unixSeconds' }],
	['times as Unix milliseconds', { recordTimes: 'unixMilliseconds' }],
	['cursors that count records', { cursorWalk: 'position' }],
	['cursors that count records, unsorted', { cursorWalk: 'position', sort: 'ignored' }],
	['cursors that a change ends', { cursorWalk: 'untilChange' }],
	['cursors that a change ends, unsorted', { cursorWalk: 'untilChange', sort: 'ignored' }],
	['updatedAt in place of updated_at', { updatedAt: 'camel' }],
	['times in an object of their own', { updatedAt: 'nested' }],
	['no times in the records', { updatedAt: 'absent' }],
	['a clock that is an hour ahead', { dateHeader: 'hourAhead' }],
	['a clock that is an hour behind', { dateHeader: 'hourBehind' }],
	['no sort', { sort: 'refused' }],
	['a sort without effect', { sort: 'ignored' }],
	['every open sentence read the other way', 'contrary'],
];

describe('the changes trigger on platforms that read the API document in other ways', () => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform({ products: 5, orders: 30, customers: 5, categories: 2 });
	});

	afterAll(async () => await platform.close());

	beforeEach(async () => await platform.control.reset());

	const n8nFrom = (startFrom: string) => {
		const { baseUrl, apiKey } = platform;
		return new PollingN8n({
			credentials: { baseUrl, apiKey },
			parameters: { watch: 'order', simplify: false, options: { startFrom, maxPages: 1 } },
		});
	};

	test.each(DIALECTS)('loses nothing and repeats nothing with %s', async (_name, dialect) => {
		await platform.control.reset({ orders: 520 });
		await platform.control.configure({ dialect });
		const n8n = n8nFrom('2000-01-01T00:00:00Z');
		await n8n.publish();
		const { order } = await platform.control.createOrder();
		for (let polls = 0; polls < 12; polls++) await n8n.poll();
		const late = await platform.control.writeRecord('orders', {
			updatedAt: new Date(Date.now() - 20_000).toISOString(),
		});
		for (let polls = 0; polls < 12; polls++) await n8n.poll();
		const ids = n8n.items.map(({ id }) => id);
		expect(ids).toContain(order.id);
		expect(ids).toContain(late.id);
		expect(new Set(ids).size).toBe(522);
		expect(ids).toHaveLength(522);
	});

	test('asks for Start From at publishing where the answers carry no time', async () => {
		await platform.control.configure({ dialect: { dateHeader: 'missing' } });
		await expect(n8nFrom('').publish()).rejects.toThrow('“Start From” must be set');
	});
});
