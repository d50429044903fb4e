import { parseDialect, type Dialect } from '../../../platform/dialects/dialect';
import { valuesOf } from '../../../platform/dialects/table';
import { byId, withFastClock, withLeastWaits } from '../../support/engine';
import { useShop } from '../operations/shop';
import { chosenDialects, inEachDialect } from './chosen';

const STALE = '2020-01-01T00:00:00Z';

withLeastWaits();
withFastClock();

const SPOKEN = new Set<string>(chosenDialects().map((name) => parseDialect(name).errorShape));
/** The chosen ones, and the other shapes of an error. */
const DIALECTS = [
	...chosenDialects(),
	...valuesOf('errorShape')
		.filter((shape) => !SPOKEN.has(shape))
		.map((shape) => `errorShape=${shape}`),
];

const tests = (dialect: Dialect) => {
	const { shop, fixtures } = useShop('each', dialect);
	const noteOrder = async () => {
		const updateFields = { merchant_note: 'Ring twice' };
		return await shop.run('order.update', { orderId: byId(fixtures.order), updateFields });
	};

	it('a record that is not there is an error with its request id, and nothing is written', async () => {
		const productId = byId('prod_zzzzzz');
		const parameters = { productId, updateFields: { title: 'New' } };
		const { error, items } = await shop.run('product.update', parameters);
		expect(items).toEqual([]);
		expect(error?.context?.request_id).toEqual(
			dialect.requestId === 'absent' ? undefined : expect.stringMatching(/^req_/),
		);
		const status = { badRequest: 400, gone: 410, notFound: 404 }[dialect.unknownResource];
		expect(error?.message).toBe(
			status === 410
				? 'The product “prod_zzzzzz” was not found'
				: `Product “prod_zzzzzz”: There is no product prod_zzzzzz (HTTP ${status})`,
		);
	});

	it('a key that is not known is an error that does not show it', async () => {
		const credentials = { baseUrl: shop.platform.baseUrl, apiKey: 'cpk_of_another_shop' };
		const orderId = byId(fixtures.order);
		const { error } = await shop.run('order.get', { orderId }, { credentials });
		expect(error?.message.length).toBeGreaterThan(10);
		const said = JSON.stringify([error?.message, error?.description, error?.context]);
		expect(said).not.toContain(credentials.apiKey);
		if (dialect.authenticationFailure === 'unauthorized')
			expect(error?.message).toContain('API key');
	});

	it('If Not Allowed in This State returns the order if it cannot be fulfilled', async () => {
		await shop.control.configure({ dialect: 'default' });
		await shop.post(`/orders/${fixtures.order}/cancel`, {});
		await shop.control.configure({ dialect });
		const items = { item: [{ line_item_id: fixtures.lineItem, quantity: 1 }] };
		const fulfill = { orderId: byId(fixtures.order), specifyItems: 'defineBelow', items };
		const { error } = await shop.run('order.fulfill', fulfill);
		expect(error?.context).toMatchObject({ status: 409 });
		const options = { ifNotAllowed: 'returnCurrent' };
		const { items: given } = await shop.run('order.fulfill', { ...fulfill, options });
		const json = { id: fixtures.order, transitionSkipped: true };
		expect(given).toMatchObject([{ json, pairedItem: { item: 0 } }]);
	});

	it('On Conflict returns the level, and a stale write changes nothing', async () => {
		const level = { sku: fixtures.sku, location_id: 'sloc_main', quantity: 100 };
		await shop.control.setStock(level);
		const options = { onConflict: 'returnCurrent', updatedAt: STALE };
		const stale = { sku: fixtures.sku, locationId: 'sloc_main', quantity: 7, options };
		const { error } = await shop.run('inventory.set', { ...stale, options: { updatedAt: STALE } });
		expect(error?.context).toMatchObject({ status: 409 });
		const { json } = await shop.run('inventory.set', stale);
		expect(json).toMatchObject([{ quantity: 100, writeSkipped: true }]);
		expect(await shop.record('inventory', `${fixtures.sku}@sloc_main`)).toMatchObject(level);
	});

	it('a spent budget is waited for, and a write goes out once', async () => {
		await shop.control.setFaults([{ fault: 'status', status: 429, retryAfter: 0, times: 1 }]);
		const { error } = await noteOrder();
		expect(error).toBeUndefined();
		const { merchant_note } = await shop.record('orders', fixtures.order);
		expect(merchant_note).toBe('Ring twice');
		const { writesByIdempotencyKey } = await shop.control.counters();
		expect(Object.values(writesByIdempotencyKey)).toEqual([1]);
	});

	it('an answer that was lost leads to one refund, or to an error if keys have no effect', async () => {
		await shop.control.setFaults([{ method: 'POST', fault: 'lostAnswer', times: 1 }]);
		const order = async () =>
			(await shop.record('orders', fixtures.order)) as {
				total: { currency: string };
				payment_summary: { refunded: { amount: number } };
			};
		const json = JSON.stringify({ amount: 100, currency: (await order()).total.currency });
		const { error } = await shop.run('order.refund', {
			...{ orderId: byId(fixtures.order), extent: 'fields', specifyFields: 'json', json },
		});
		const times = (await order()).payment_summary.refunded.amount / 100;
		const isKept = dialect.idempotency === 'replayed' || dialect.idempotency === 'anyBody';
		if (isKept) expect([times, error?.message]).toEqual([1, undefined]);
		// Without keys a client cannot know whether it was done, and the API document asks for a retry with the key.
		else expect(times).toBe(dialect.idempotency === 'ignored' ? 2 : 1);
	});

	it('an endpoint that is not released is an error, and nothing is changed', async () => {
		await shop.control.configure({ inDevelopment: { webhookUpdate: false } });
		const before = await shop.control.endpoints();
		const webhookId = byId(fixtures.webhook);
		const updateFields = { description: 'New' };
		const { error } = await shop.run('webhook.update', { webhookId, updateFields });
		expect(error?.message.length).toBeGreaterThan(10);
		expect(await shop.control.endpoints()).toEqual(before);
	});
};

inEachDialect('what goes wrong', tests, DIALECTS);
