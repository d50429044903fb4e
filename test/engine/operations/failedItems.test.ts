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
