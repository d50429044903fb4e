import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type Platform } from '../../platform';
import { PollingN8n } from '../changesTrigger/pollingN8n';
import { inEachDialect } from './chosen';

const LONG_AGO = '2000-01-01T00:00:00Z';
const POLLS = 4;

inEachDialect('the changes trigger', (dialect) => {
	let platform: Platform;
	beforeAll(async () => {
		platform = await startPlatform({ products: 8, orders: 30, customers: 7, dialect });
	});
	beforeEach(async () => await platform.control.reset());
	afterAll(async () => await platform.close());

	/** A published trigger that begins long ago, so that it needs no time of the platform. */
	async function watching(watch: string, startFrom = LONG_AGO): Promise<PollingN8n> {
		const { baseUrl, apiKey } = platform;
		const n8n = new PollingN8n({
			credentials: { baseUrl, apiKey },
			parameters: { watch, simplify: false, options: { startFrom } },
		});
		await n8n.publish();
		return n8n;
	}

	async function polled(n8n: PollingN8n): Promise<IDataObject[]> {
		for (let polls = 0; polls < POLLS; polls++) await n8n.poll();
		return n8n.items;
	}

	const recentTime = () => new Date(Date.now() - 20_000).toISOString();

	it.each([
		['product', 'products', 8],
		['order', 'orders', 30],
		['customer', 'customers', 7],
	] as const)(
		'%s: every record once, then what is new, and what is late',
		async (watch, kind, all) => {
			const n8n = await watching(watch);
			expect(new Set((await polled(n8n)).map(({ id }) => id)).size).toBe(all);
			const made = await platform.control.writeRecord(kind);
			await polled(n8n);
			const late = await platform.control.writeRecord(kind, { updatedAt: recentTime() });
			const ids = (await polled(n8n)).map(({ id }) => id);
			expect(ids).toEqual(expect.arrayContaining([made.id, late.id]));
			expect([ids.length, new Set(ids).size]).toEqual([all + 2, all + 2]);
		},
	);

	it('order: a change of a record that is known', async () => {
		const n8n = await watching('order');
		const [known] = await polled(n8n);
		await platform.control.writeRecord('orders', {
			id: String(known.id),
			fields: { merchant_note: 'Ring twice' },
		});
		const again = (await polled(n8n)).slice(30);
		expect(again).toMatchObject([{ id: known.id, merchant_note: 'Ring twice' }]);
	});

	// Nothing of such a change can be seen where the records carry no times.
	const itWithShownTime = dialect.updatedAt === 'absent' ? it.failing : it;
	itWithShownTime(
		'order: changes of one moment, and one of a moment before them that shows late',
		async () => {
			const n8n = await watching('order');
			await polled(n8n);
			const { updated_at: moment } = await platform.control.touch('orders', { count: 20 });
			expect(new Set((await polled(n8n)).slice(30).map(({ id }) => id)).size).toBe(20);
			const late = await platform.control.writeRecord('orders', {
				updatedAt: new Date(Date.parse(moment) - 10_000).toISOString(),
			});
			expect((await polled(n8n)).slice(50)).toMatchObject([{ id: late.id }]);
		},
	);

	it('inventory: a stock level that changed', async () => {
		const n8n = await watching('inventory', '');
		await polled(n8n);
		n8n.executions.length = 0;
		const { order } = await platform.control.createOrder();
		const [{ sku }] = order.line_items as Array<{ sku: string }>;
		await platform.control.setStock({ sku, location_id: 'sloc_main', quantity: 4711 });
		expect(await polled(n8n)).toMatchObject([{ sku, quantity: 4711 }]);
	});

	if (dialect.eventStream === 'offered') {
		it('event: every event once, in the order of the stream', async () => {
			const n8n = await watching('event');
			await polled(n8n);
			for (const n of [1, 2, 3]) await platform.control.emit('stock.low', { n });
			const items = await polled(n8n);
			expect(items).toHaveLength(33);
			const numbers = items.map(({ event_id }) => Number(String(event_id).slice(4)));
			expect(numbers).toEqual(Array.from({ length: 33 }, (_, n) => n + 1));
		});
	} else {
		it('event: publishing says that there is no event stream', async () => {
			await expect(watching('event')).rejects.toThrow(/.{10}/);
		});
	}
});
