import type { DialectChange } from '../../../platform';
import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();
const LONG_AGO = { startFrom: '2000-01-01T00:00:00Z' };

describe('the changes trigger in n8n’s engine, watching orders', () => {
	it('begins at Start From, the oldest first, in steps of Max Pages per Poll', async () => {
		await shop.control.reset({ orders: 700 });
		const n8n = await shop.published({ options: { ...LONG_AGO, maxPages: 1 } });
		expect(n8n.items).toHaveLength(250);
		expect(new Set(idsOf(await poll(n8n, 2))).size).toBe(700);
		const times = n8n.items.map(({ updated_at }) => String(updated_at));
		expect(times).toEqual([...times].sort());
		expect(times).toHaveLength(700);
	});

	it.each<[string, DialectChange]>([
		['carry no time', { updatedAt: 'absent' }],
		['carry a time, and the Date header is missing', { dateHeader: 'missing' }],
	])('emits all that changes from publishing on where the records %s', async (_name, dialect) => {
		await shop.control.reset({ orders: 600 });
		await shop.control.touch('orders', { count: 300 });
		await shop.control.configure({ dialect });
		const n8n = await shop.published({ options: { maxPages: 1 } });
		expect(n8n.items).toEqual([]);
		const made: unknown[] = [];
		for (let n = 0; n < 20; n++) made.push(await shop.newOrder());
		expect(idsOf(await poll(n8n, 4)).sort()).toEqual(made.sort());
	});

	it('hands over the records that a walk read before a fault, and continues after them', async () => {
		await shop.control.reset({ orders: 600 });
		const script = ['ok', '403'];
		await shop.control.setFaults([{ path: '/orders', script }]);
		const n8n = await shop.published({ options: LONG_AGO });
		expect(n8n.items).toHaveLength(250);
		expect(n8n.warnings.join()).toContain('goes on at the next poll');
		await shop.control.resetCounters();
		expect((await poll(n8n)).items).toHaveLength(600);
		expect(await shop.requests()).toBe(2);
	});

	it('does not begin a second walk while one is under way, and says so', async () => {
		const n8n = await shop.published();
		await shop.newOrder();
		await shop.control.resetCounters();
		await shop.control.configure({ latencyMs: 50 });
		const [first, ...others] = await Promise.allSettled([n8n.poll(), n8n.poll(), n8n.poll()]);
		await shop.control.configure({ latencyMs: 0 });
		expect(first).toMatchObject({ status: 'fulfilled' });
		expect(others).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
		expect(n8n.warnings.join()).toContain('the poll before it is still under way');
		expect(await shop.requests()).toBe(1);
		expect(n8n.items).toHaveLength(1);
		await shop.newOrder();
		expect((await poll(n8n)).items).toHaveLength(2);
	});

	it('shows the newest records as a sample, and moves nothing', async () => {
		const n8n = await shop.published();
		const id = await shop.newOrder();
		const before = n8n.database.staticData;
		const sample = await n8n.fetchSample();
		expect(sample).toMatchObject({ length: 5, 0: { json: { id } } });
		expect(n8n.database.staticData).toBe(before);
		expect(idsOf(await poll(n8n))).toEqual([id]);
	});

	it('says so if there is nothing to show as a sample', async () => {
		const n8n = await shop.published({ filters: { q: 'none' } });
		await expect(n8n.fetchSample()).rejects.toThrow('Your shop has no order to show');
	});

	it('sends the filters, and continues from the same place when they change', async () => {
		const n8n = await shop.published({ filters: { status: 'paid' } });
		const id = await shop.newOrder();
		expect((await poll(n8n)).items).toEqual([]);
		const open = n8n.changed({ parameters: { filters: {} } });
		await open.publish();
		expect(idsOf(open)).toEqual([id]);
	});

	it('outputs items as Get Many does', async () => {
		const n8n = await shop.published({ simplify: true, options: { decimalAmounts: 'text' } });
		await shop.newOrder();
		const [item] = (await poll(n8n)).items;
		const decimal = expect.stringMatching(/^\d+(\.\d+)?$/) as string;
		expect(item.total).toMatchObject({ decimal });
		expect(item).not.toHaveProperty('customer');
	});
});
