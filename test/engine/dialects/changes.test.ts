import { idsOf, poll, usePollingShop } from '../changesTrigger/pollingShop';
import type { Dialect } from '../../../platform/dialects/dialect';
import { inEachDialect } from './chosen';

const LONG_AGO = '2000-01-01T00:00:00Z';

inEachDialect('the changes trigger', (read) => {
	// The trigger relies on two things: every list that it watches is sorted by `updated_at`, and the Date header is not
	// ahead of the `updated_at` that the platform writes.
	const dialect = {
		...read,
		sort: 'taken' as const,
		unknownParameters: read.unknownParameters === 'ignored' ? 'ignored' : 'refused',
		dateHeader: read.dateHeader === 'hourAhead' ? 'right' : read.dateHeader,
	} satisfies Dialect;
	const shop = usePollingShop({ products: 8, orders: 30, customers: 7, dialect });
	const severalPages = dialect.pageFill === 'short' ? 30 : 520;

	/** Publishes a trigger that begins long ago, so that it needs no time of the platform. */
	const watching = async (watch: string, options: object = { startFrom: LONG_AGO }) =>
		await shop.published({ watch, simplify: false, options });

	it.each([
		['product', 'products', 8],
		['order', 'orders', severalPages],
		['customer', 'customers', 7],
	] as const)(
		'%s: every record once, then what is new, and what is late',
		async (watch, kind, all) => {
			await shop.control.reset({ [kind]: all });
			const n8n = await watching(watch, { startFrom: LONG_AGO, maxPages: 2 });
			expect(new Set(idsOf(await poll(n8n, 12))).size).toBe(all);
			const made = await shop.control.writeRecord(kind);
			await poll(n8n, 4);
			const updatedAt = new Date(Date.now() - 20_000).toISOString();
			const late = await shop.control.writeRecord(kind, { updatedAt });
			const ids = idsOf(await poll(n8n, 12));
			expect(ids).toEqual(expect.arrayContaining([made.id, late.id]));
			expect([ids.length, new Set(ids).size]).toEqual([all + 2, all + 2]);
		},
	);

	it('order: a change of a record that is known', async () => {
		const n8n = await watching('order');
		const [known] = idsOf(await poll(n8n, 4));
		const fields = { merchant_note: 'Ring twice' };
		await shop.control.writeRecord('orders', { id: String(known), fields });
		const { items } = await poll(n8n, 4);
		expect(items.slice(30)).toMatchObject([{ id: known, ...fields }]);
	});

	it('order: changes of one moment, and one of a moment before them that shows late', async () => {
		const n8n = await watching('order');
		await poll(n8n, 4);
		const { updated_at: moment } = await shop.control.touch('orders', { count: 20 });
		expect(new Set(idsOf(await poll(n8n, 4)).slice(30)).size).toBe(20);
		const late = await shop.control.writeRecord('orders', {
			updatedAt: new Date(Date.parse(moment) - 10_000).toISOString(),
		});
		expect(idsOf(await poll(n8n, 4)).slice(50)).toEqual([late.id]);
	});

	it('inventory: a stock level that changed', async () => {
		const n8n = await watching('inventory', {});
		await n8n.poll();
		const level = await shop.setStock(4711);
		expect((await poll(n8n, 4)).items).toMatchObject([level]);
	});

	if (dialect.eventStream === 'offered') {
		it('event: every event once, in the order of the stream', async () => {
			const n8n = await watching('event');
			await poll(n8n, 4);
			for (const n of [1, 2, 3]) await shop.control.emit('stock.low', { n });
			const { items } = await poll(n8n, 4);
			const numbers = items.map(({ event_id }) => Number(String(event_id).slice(4)));
			expect(numbers).toEqual(Array.from({ length: 33 }, (_, n) => n + 1));
		});
	} else {
		// A 410 or a 400 may also be about something else.
		const isPlain = dialect.eventStream !== 'notFound' || dialect.unknownResource === 'notFound';
		it('event: publishing says that there is no event stream', async () => {
			await expect(watching('event')).rejects.toMatchObject({
				description: expect.stringMatching(
					isPlain ? /on the Enterprise plan only/ : /.{10}/,
				) as string,
			});
		});
	}
});
