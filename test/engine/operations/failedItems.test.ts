import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { ORIGIN } from '../../support/testShop';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const refusal = (code: string) => ({ error: { code, message: 'No', request_id: 'req_1' } });

const setStock = {
	resource: 'inventory',
	operation: 'set',
	sku: '={{ $json.sku }}',
	locationId: 'loc_1',
	quantity: 5,
};
const orderUpdate = {
	resource: 'order',
	operation: 'update',
	orderId: { __rl: true, mode: 'id', value: 'ord_1' },
	updateFields: { merchant_note: 'Hello' },
};

describe('an item that failed, with Continue On Fail', () => {
	it('says its index and what it was about, and what is missing is the stock level', async () => {
		nock(ORIGIN).put('/v1/inventory/levels').reply(200, { sku: 'A', quantity: 5 });
		nock(ORIGIN).put('/v1/inventory/levels').reply(404, refusal('NOT_FOUND'));
		const { items } = await runNode({
			parameters: setStock,
			items: [{ sku: 'A' }, { sku: 'NO-SUCH' }],
			onError: 'continueRegularOutput',
		});
		expect(items[0].json).not.toHaveProperty('itemIndex');
		expect(items[1].json).toMatchObject({
			error: 'There is no such stock level',
			itemIndex: 1,
			sku: 'NO-SUCH',
			location_id: 'loc_1',
		});
		expect(items[1].pairedItem).toEqual({ item: 1 });
	});

	it('says so on the error output, also where the value itself cannot be used', async () => {
		const { errorItems } = await runNode({
			parameters: { ...setStock, quantity: 'many' },
			items: [{ sku: 'A' }],
			onError: 'continueErrorOutput',
		});
		expect(errorItems[0].json).toMatchObject({ itemIndex: 0, sku: 'A' });
	});

	it('names the ID of a record', async () => {
		nock(ORIGIN).patch('/v1/orders/ord_1').reply(404, refusal('NOT_FOUND'));
		const { items } = await runNode({
			parameters: orderUpdate,
			onError: 'continueRegularOutput',
		});
		expect(items[0].json).toMatchObject({ itemIndex: 0, order_id: 'ord_1' });
	});
});

describe.each(['upsert', 'importCatalog'])(
	'a product that failed in %s says its SKU',
	(operation) => {
		const bulk = { resource: 'product', operation };
		const shirt = { sku: 'SHIRT-M', title: 'Shirt' };

		it.each([
			['Define Below', { sku: '={{ $json.sku }}', title: '={{ $json.title }}' }],
			['Input Item', { specifyProduct: 'autoMapInputData' }],
			['JSON', { specifyProduct: 'json', productJson: '={{ JSON.stringify($json) }}' }],
			['JSON of an expression', { specifyProduct: 'json', productJson: '={{ $json }}' }],
		])('entered by %s, refused by the platform', async (_name, entered) => {
			nock(ORIGIN)
				.post(/batch|catalog-import/)
				.reply(422, refusal('NO'));
			const parameters = { ...bulk, ...entered, options: { ifBatchNotAvailable: 'stop' } };
			const { errorItems } = await runNode({
				parameters,
				items: [shirt],
				onError: 'continueErrorOutput',
			});
			expect(errorItems.map(({ json }) => json)).toMatchObject([{ itemIndex: 0, sku: 'SHIRT-M' }]);
		});

		it.each([
			['Input Item', { specifyProduct: 'autoMapInputData' }, { ...shirt, op: 'delete' }],
			['JSON', { specifyProduct: 'json', productJson: '={{ $json }}' }, { ...shirt, op: 'delete' }],
		])('entered by %s, refused before anything is sent', async (_name, entered, item) => {
			const { items } = await runNode({
				parameters: { ...bulk, ...entered },
				items: [item],
				onError: 'continueRegularOutput',
			});
			expect(items[0].json).toMatchObject({ itemIndex: 0, sku: 'SHIRT-M' });
			expect(String(items[0].json.error)).toContain('op” can only be “upsert”');
		});

		it('says nothing where the SKU is what cannot be read', async () => {
			const { items } = await runNode({
				parameters: { ...bulk, specifyProduct: 'json', productJson: '{"sku":' },
				onError: 'continueRegularOutput',
			});
			expect(items[0].json).not.toHaveProperty('sku');
		});
	},
);

describe('a record that is named by something else than its ID', () => {
	it.each([
		['order', 'orderId', 'number', '#1041', { order_number: '#1041' }],
		['customer', 'customerId', 'email', 'x@y.example', { customer_email: 'x@y.example' }],
		['product', 'productId', 'handle', 'linen-shirt', { product_handle: 'linen-shirt' }],
		['webhook', 'webhookId', 'url', 'https://a.example/x', { webhook_url: 'https://a.example/x' }],
	])('%s: the error item calls it so', async (resource, locator, mode, value, keys) => {
		nock(ORIGIN).get(/.*/).query(true).times(3).reply(200, { data: [] });
		const { items } = await runNode({
			parameters: { resource, operation: 'get', [locator]: { __rl: true, mode, value } },
			onError: 'continueRegularOutput',
		});
		expect(items[0].json).toMatchObject({ itemIndex: 0, ...keys });
		expect(items[0].json).not.toHaveProperty(`${resource}_id`);
	});
});

describe('a refusal names the right thing', () => {
	it('a web page in place of an answer is a wrong address, not a missing order', async () => {
		const html = '<!doctype html><title>Not Found</title>';
		nock(ORIGIN).patch('/v1/orders/ord_1').reply(404, html, { 'content-type': 'text/html' });
		const { error } = await runNode({ parameters: orderUpdate });
		expect(error?.message).toBe('The platform does not know this address');
		expect(error?.description).toContain('Base URL');
	});

	it('a refused value of a write brings no advice about filters', async () => {
		nock(ORIGIN).patch('/v1/orders/ord_1').reply(400, refusal('INVALID_PARAMETER'));
		const { error } = await runNode({ parameters: orderUpdate });
		expect(error?.description).not.toMatch(/filter|sort/);
	});
});
