import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();
const timeOf = (secondsAgo: number) => new Date(Date.now() - 1000 * secondsAgo).toISOString();
const watched = Object.entries(shop.changes);

describe('without times, a record that goes back to an earlier content', () => {
	it.each([
		['product', 'products', 'title'],
		['order', 'orders', 'merchant_note'],
		['customer', 'customers', 'email'],
	] as const)('is given at each change, watching %s', async (watch, kind, field) => {
		await shop.control.configure({ dialect: { updatedAt: 'absent' } });
		const n8n = await shop.published({ watch, simplify: false });
		const { id } = await shop.control.writeRecord(kind);
		await poll(n8n);
		for (const text of ['a@a.example', 'b@b.example', 'a@a.example', 'b@b.example']) {
			await shop.control.writeRecord(kind, { id, fields: { [field]: text } });
			await poll(n8n, 2);
		}
		expect(idsOf(n8n)).toEqual([id, id, id, id, id]);
	});

	it('is given at each change, watching inventory', async () => {
		const n8n = await shop.published({ watch: 'inventory' });
		for (const quantity of [7, 8, 7, 8]) {
			await shop.setStock(quantity);
			await poll(n8n, 2);
		}
		expect(n8n.items.map(({ quantity }) => quantity)).toEqual([7, 8, 7, 8]);
	});
});

describe('going live: with another Base URL', () => {
	const updatedAt = timeOf(30);

	it.each<[string, () => Promise<unknown>]>([
		['order', async () => await shop.control.writeRecord('orders', { updatedAt })],
		['product', async () => await shop.control.writeRecord('products', { updatedAt })],
		['customer', async () => await shop.control.writeRecord('customers', { updatedAt })],
		['inventory', shop.changes.inventory],
	])('what is old there is not given, watching %s', async (watch, change) => {
		const n8n = await shop.published({ watch });
		await change();
		expect((await poll(n8n)).items).toHaveLength(1);
		const { baseUrl } = shop.platform;
		const { apiKey } = await shop.control.createKey();
		const address = baseUrl.replace('127.0.0.1', 'localhost');
		const live = n8n.changed({ credentials: { baseUrl: address, apiKey } });
		await live.publish();
		expect((await poll(live)).items).toEqual([]);
		expect(live.warnings.join()).toContain('because it belongs to another Base URL');
		await shop.changes[watch]();
		expect((await poll(live)).items).toHaveLength(1);
	});
});

describe('on a platform that hangs', () => {
	it.each(watched)(
		'a poll ends within n8n’s time, and shows it, watching %s',
		async (watch, change) => {
			const published = await shop.published({ watch }, { durable: true });
			await published.poll();
			await change();
			await shop.control.setFaults([{ fault: 'stall' }]);
			const n8n = published.changed({ budgetMs: 800 });
			const hanging = expect(n8n.poll()).rejects.toMatchObject({
				message: 'The platform did not answer in time',
			});
			// n8n has abandoned that poll and begins the next.
			await n8n.poll();
			expect(n8n.warnings.join()).toContain('the poll before it is still under way');
			await hanging;
			await shop.control.setFaults([]);
			expect((await poll(published)).items).toHaveLength(1);
		},
	);
});

describe('published again during a poll', () => {
	it('with another choice in Watch, the new poll begins by itself', async () => {
		const n8n = await shop.published({ watch: 'product' });
		await shop.changes.product();
		await shop.control.configure({ latencyMs: 100 });
		const old = n8n.poll();
		await new Promise((resolve) => setTimeout(resolve, 20));
		const other = n8n.changed({ parameters: { watch: 'order' } });
		await Promise.all([old, other.publish()]);
		await shop.control.configure({ latencyMs: 0 });
		const id = await shop.newOrder();
		// The platform's time has whole seconds.
		await new Promise((resolve) => setTimeout(resolve, 900));
		await poll(other, 2);
		expect(idsOf(other)).toEqual([id]);
	});

	it('with the same settings, what changed is given once', async () => {
		const n8n = await shop.published();
		const id = await shop.newOrder();
		await shop.control.configure({ latencyMs: 100 });
		const old = n8n.poll();
		await new Promise((resolve) => setTimeout(resolve, 20));
		const other = n8n.changed({});
		await Promise.all([old, other.publish()]);
		await shop.control.configure({ latencyMs: 0 });
		await poll(other, 2);
		expect([...idsOf(n8n), ...idsOf(other)]).toEqual([id]);
	});
});
