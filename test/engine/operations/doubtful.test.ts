import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byMode,
	onlyPage,
	runOperation,
	type StubAnswer,
	stubApi,
	writesIn,
} from '../../support/engine';

/** What is in doubt is not sent, or the hint says so. */

describe.each(['NULL', 'null', '\\N', 'undefined', 'N/A'])('a cell with %s', (cell) => {
	it('is no tracking number', async () => {
		const line_items = [{ line_item_id: 'li_a', sku: 'MUG', quantity: 3 }];
		const order = { id: 'ord_1', number: '1001', status: 'paid', line_items };
		const sent = stubApi({ 'GET *': [[200, { data: order }]], 'POST *': [[201, { data: {} }]] });
		const parameters = { specifyItems: 'open', trackingNumber: '={{ $json.tracking }}' };
		const items = [{ tracking: cell }];
		const { error } = await runOperation(
			'order.fulfill',
			{ orderId: byId('ord_1'), ...parameters },
			{ items },
		);
		expect(error?.message).toContain('no value');
		expect(writesIn(sent)).toEqual([]);
	});

	it('is no SKU, and may be a title', async () => {
		const sent = stubApi({
			'GET *': [onlyPage([])],
			'POST *': [[200, { data: [{ sku: 'A', status: 'created' }] }]],
		});
		const items = [
			{ sku: cell, title: 'Mug' },
			{ sku: 'A', title: cell },
		];
		const { failures } = await runOperation(
			'product.upsert',
			{ specifyProduct: 'autoMapInputData' },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(failures.map((failure) => failure?.message)).toEqual([
			expect.stringContaining('no value'),
			undefined,
		]);
		expect(writesIn(sent)).toMatchObject([{ body: { operations: [{ sku: 'A' }] } }]);
	});
});

describe('the SKU of a product that is deleted', () => {
	const remove = async (skus: string[], locator: IDataObject) => {
		const variants = skus.map((sku) => ({ sku, title: sku, prices: [] }));
		const product = { id: 'prod_1', title: 'Tee', handle: 'tee', variants };
		const sent = stubApi({
			'GET /products': [onlyPage([product])],
			'GET /products/*': [[200, { data: product }]],
			'DELETE *': [[204]],
		});
		const { error } = await runOperation('product.delete', { productId: locator });
		return { error, routes: writesIn(sent).map(({ route }) => route) };
	};

	it('is not taken for all of its SKUs', async () => {
		const { error, routes } = await remove(['TEE-S', 'TEE-M', 'TEE-L'], byMode('sku', 'TEE-S'));
		expect(error?.message).toBe('The SKU “TEE-S” is only a part of the product “prod_1”');
		expect(error?.description).toContain('“TEE-M”, “TEE-L”');
		expect(routes).toEqual([]);
	});

	it.each<[string, string[], IDataObject]>([
		['its only one', ['TEE-S'], byMode('sku', ' TEE-S ')],
		['one of several, but the handle is entered', ['TEE-S', 'TEE-M'], byMode('handle', 'tee')],
		['one of several, but the ID is entered', ['TEE-S', 'TEE-M'], byId('prod_1')],
	])('is %s', async (_what, skus, locator) => {
		const { error, routes } = await remove(skus, locator);
		expect(error?.message).toBeUndefined();
		expect(routes).toEqual(['DELETE /products/prod_1']);
	});
});

describe('a refund', () => {
	const refund = async (answer: StubAnswer, currency = 'EUR') => {
		const total = { amount: 9000, currency: 'KWD' };
		const sent = stubApi({
			'GET *': [[200, { data: { id: 'ord_1', total } }]],
			'POST *': [answer],
		});
		const entered = { extent: 'amount', amount: '5', currency };
		const run = await runOperation('order.refund', { orderId: byId('ord_1'), ...entered });
		return { ...run, writes: writesIn(sent) };
	};

	it.each<[StubAnswer, string]>([
		[[202, { data: { id: 're_1', status: 'processing' } }], ', now “processing”.'],
		[[200, { data: { id: 're_1', status: 'requires_action' } }], ', now “requires_action”.'],
		[[201, { data: { id: 're_1', state: 'Paid Out' } }], ', now “Paid Out”.'],
		[[201, { data: { id: 're_1' } }], '.'],
		[[202], '.'],
	])('is said in the platform’s words: %j', async (answer, state) => {
		const { hint } = await refund(answer);
		expect(hint).toContain(
			`The platform accepted a refund of 5.00 EUR${state} Running again refunds again.`,
		);
	});

	it('is not paid in the order’s currency because a cell is blank', async () => {
		const { error, writes } = await refund(
			[201, { data: { id: 're_1' } }],
			'={{ $json.currency }}',
		);
		expect(error?.message).toBe("'Currency' is empty");
		expect(writes).toEqual([]);
	});
});

describe('All Open Items of an order whose line or parcels stand in an object of their own', () => {
	const fulfill = async (ofLine: IDataObject, ofOrder: IDataObject = {}) => {
		const line_items = [{ line_item_id: 'li_a', sku: 'A', quantity: 3, ...ofLine }];
		const order = { id: 'ord_1', number: '1', status: 'paid', line_items, ...ofOrder };
		const sent = stubApi({
			'GET *': [[200, { data: order }]],
			'POST *': [[201, { data: { id: 'ful_1' } }]],
		});
		const parameters = { orderId: byId('ord_1'), specifyItems: 'open' };
		await runOperation('order.fulfill', parameters);
		return writesIn(sent).map(({ body }) => (body as IDataObject).items);
	};
	const parcel = { id: 'ful_9', items: [{ line_item_id: 'li_a', quantity: 3 }] };

	it.each<[IDataObject, IDataObject]>([
		[{ fulfillment: { status: 'fulfilled', quantity: 3 } }, {}],
		[{ fulfillment: { status: 'cancelled' } }, {}],
		[{ shipment: { shipped_quantity: 3 } }, {}],
		[{ quantities: { ordered: 3, shipped: 3 } }, {}],
		[{ quantities: { ordered: 3, open: 0 } }, {}],
		[{ fulfillments: { data: [{ quantity: 3 }] } }, {}],
		[{}, { fulfillments: { data: [parcel] } }],
		[{}, { shipments: { items: [{ id: 'ful_9' }], total: 1 } }],
	])('are not sent again: %j %j', async (ofLine, ofOrder) => {
		expect(await fulfill(ofLine, ofOrder)).toEqual([]);
	});

	it.each<[number, IDataObject, IDataObject]>([
		[3, { fulfillment: { status: 'unfulfilled' }, quantities: { ordered: 3, shipped: 0 } }, {}],
		[3, { delivery: { method: 'express', date: null } }, { fulfillments: { data: [] } }],
		[1, { shipment: { shipped_quantity: 2 } }, {}],
		[2, { fulfillment: { status: 'shipped', quantity: 1 } }, {}],
		[3, { shipment: { status: 'cancelled', quantity: 3 } }, {}],
		[3, { packages: { allowed: [{ type: 'box' }] } }, {}],
		[
			1,
			{},
			{
				fulfillments: {
					errors: [],
					data: [{ id: 'f', items: [{ line_item_id: 'li_a', quantity: 2 }] }],
				},
			},
		],
		[2, { quantities: { ordered: 3, cancelled: 1 } }, {}],
	])('%d are sent: %j %j', async (quantity, ofLine, ofOrder) => {
		expect(await fulfill(ofLine, ofOrder)).toEqual([[{ line_item_id: 'li_a', quantity }]]);
	});
});

describe('totals of orders with some statuses', () => {
	const totals = async (more: IDataObject) => {
		const orders = ['paid', 'fulfilled', 'cancelled'].map((status, n) => ({
			...{ id: `ord_${n}`, status },
			total: { amount: 1000, currency: 'EUR' },
		}));
		const sent = stubApi({ 'GET *': [onlyPage(orders)] });
		return { ...(await runOperation('order.getAll', { returnAll: true, ...more })), sent };
	};
	const statuses = (statusesInTotals: string) => ({
		options: { output: 'totals', statusesInTotals },
	});

	it('take them in any capitals, and tell which no order had', async () => {
		const { json, hint } = await totals(statuses('Paid, Fulfilled, Lost'));
		expect(json).toMatchObject([{ orders: 2 }]);
		expect(hint).toContain('No order had the status Lost.');
	});

	it('are refused if their expression returns nothing', async () => {
		const { error, sent } = await totals(statuses('={{ $json.none }}'));
		expect(error?.message).toBe("'Statuses in Totals' is empty");
		expect(sent).toEqual([]);
	});
});
