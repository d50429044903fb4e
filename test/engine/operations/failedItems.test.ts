import type { IDataObject } from 'n8n-workflow';

import { byId, byMode, runOperation, stubApi, withLeastWaits } from '../../support/engine';

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const refusal = (code: string) => ({ error: { code, message: 'No', request_id: 'req_1' } });
const LEVEL = { sku: '={{ $json.sku }}', locationId: 'loc_1', quantity: 5 };
const NOTE = { orderId: byId('ord_1'), updateFields: { merchant_note: 'Hello' } };

withLeastWaits();

describe('an item that failed', () => {
	it('says its index and what it was about, and what is missing is the stock level', async () => {
		stubApi({
			'PUT *': [
				[200, { sku: 'A', quantity: 5 }],
				[404, refusal('NOT_FOUND')],
				[404, { error: { code: 'NOT_FOUND' } }],
			],
		});
		const items = [{ sku: 'A' }, { sku: 'NO-SUCH' }, { sku: 'NOR-THIS' }];
		const result = await runOperation('inventory.set', LEVEL, { items, ...CONTINUE });
		expect(result.json[0]).toEqual({ sku: 'A', quantity: 5 });
		const record = { sku: 'NO-SUCH', location_id: 'loc_1' };
		const errorDetails = { status: 404, code: 'NOT_FOUND', itemIndex: 1, row: 2, record };
		const error = 'Stock level with the sku “NO-SUCH”: No (HTTP 404)';
		expect(result.json[1]).toMatchObject({ sku: 'NO-SUCH', error, errorDetails });
		expect(result.items[1].pairedItem).toEqual({ item: 1 });
		// Where the platform gives no reason, the record stands beside the message.
		expect(result.json[2]).toMatchObject({
			error: 'There is no such stock level',
			errorDetails: { record: { ...record, sku: 'NOR-THIS' } },
		});
	});

	it('is counted in a hint where error items stand among the others, and not where they are apart', async () => {
		const answers: Array<[number, object]> = Array.from({ length: 12 }, (_, i) =>
			[1, 3, 8].includes(i) ? [404, refusal('NOT_FOUND')] : [200, { quantity: 5 }],
		);
		const items = answers.map((_, i) => ({ sku: `SKU-${i}` }));
		const run = async (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
			stubApi({ 'PUT *': [...answers] });
			const requestOptions = { maxRequestsAtOnce: 1 };
			return await runOperation('inventory.set', { ...LEVEL, requestOptions }, { items, onError });
		};
		const { hint, json } = await run('continueRegularOutput');
		expect(hint).toContain('9 done, 3 failed: rows 2, 4, 9.');
		expect(json[1]).toMatchObject({ errorDetails: { row: 2 } });
		expect((await run('continueErrorOutput')).hint).not.toContain('failed');
	});

	it('names its row as Google Sheets numbers it, in its details, in the hint and in the error of the run', async () => {
		const items = [2, 5, 9].map((row, n) => ({ sku: `SKU-${n}`, row_number: row }));
		const run = async (more: object) => {
			stubApi({
				'PUT *': [
					[200, { quantity: 5 }],
					[404, refusal('NOT_FOUND')],
					[200, { quantity: 5 }],
				],
			});
			const requestOptions = { maxRequestsAtOnce: 1 };
			return await runOperation('inventory.set', { ...LEVEL, requestOptions }, { items, ...more });
		};
		const { hint, json } = await run(CONTINUE);
		expect(json[1]).toMatchObject({ errorDetails: { itemIndex: 1, row: 5 } });
		expect(hint).toContain('1 failed: row 5.');
		expect((await run({})).error?.context).toMatchObject({ itemIndex: 1, row: 5, done: [2] });
	});

	it('says so on the error output, even if the value itself cannot be used', async () => {
		const parameters = { ...LEVEL, quantity: 'many' };
		const more = { items: [{ sku: 'A' }], onError: 'continueErrorOutput' as const };
		const { errorItems } = await runOperation('inventory.set', parameters, more);
		expect(errorItems[0].json).toMatchObject({
			sku: 'A',
			error: expect.stringContaining("'Quantity'") as string,
			errorDetails: { code: 'invalidInput', itemIndex: 0, record: { sku: 'A' } },
		});
	});

	it.each([
		['order', 'orderId', 'number', '#1041', { order_number: '#1041' }],
		['customer', 'customerId', 'email', 'x@y.example', { customer_email: 'x@y.example' }],
		['product', 'productId', 'handle', 'linen-shirt', { product_handle: 'linen-shirt' }],
		['webhook', 'webhookId', 'url', 'https://a.example/x', { webhook_url: 'https://a.example/x' }],
	])(
		'names the %s as the user named it, if not by its ID',
		async (resource, locator, mode, value, keys) => {
			stubApi({ 'GET *': [[200, { data: [] }]] });
			const parameters = { [locator]: byMode(mode, value) };
			const { failures } = await runOperation(`${resource}.get`, parameters, CONTINUE);
			expect(failures).toMatchObject([{ itemIndex: 0, code: 'notFound' }]);
			expect(failures[0]?.record).toEqual(keys);
		},
	);
});

describe.each(['upsert', 'importCatalog'])(
	'a product that failed in %s says its SKU',
	(operation) => {
		const SHIRT = { sku: 'SHIRT-M', title: 'Shirt' };
		const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };
		const run = async (parameters: IDataObject, item: IDataObject = SHIRT) =>
			await runOperation(`product.${operation}`, parameters, { items: [item], ...CONTINUE });

		it.each([
			['Define Below', { sku: '={{ $json.sku }}', title: '={{ $json.title }}' }],
			['Input Item', INPUT_ITEM],
			['JSON', { specifyProduct: 'json', productJson: '={{ JSON.stringify($json) }}' }],
			['JSON of an expression', { specifyProduct: 'json', productJson: '={{ $json }}' }],
		])('entered by %s, refused by the platform', async (_name, entered) => {
			stubApi({ 'POST *': [[422, refusal('NO')]] });
			const { failures } = await run({ ...entered, options: { ifBatchNotAvailable: 'stop' } });
			expect(failures).toMatchObject([{ itemIndex: 0, record: { sku: 'SHIRT-M' } }]);
		});

		it.each([
			['Input Item', INPUT_ITEM],
			['JSON', { specifyProduct: 'json', productJson: '={{ $json }}' }],
		])('entered by %s, refused before anything is sent', async (_name, entered) => {
			const { failures } = await run(entered, { ...SHIRT, op: 'delete' });
			expect(failures).toMatchObject([{ itemIndex: 0, record: { sku: 'SHIRT-M' } }]);
			expect(failures[0]?.message).toContain("op' can only be 'upsert'");
		});

		it('also if the price beside it cannot be read', async () => {
			const row = { ...SHIRT, price: 'much', currency: 'EUR' };
			const { failures } = await run(INPUT_ITEM, row);
			expect(failures).toMatchObject([{ itemIndex: 0, record: { sku: 'SHIRT-M' } }]);
			expect(failures[0]?.message).toContain('is not an amount');
		});

		it('but not if the SKU itself cannot be read', async () => {
			const { failures } = await run({ specifyProduct: 'json', productJson: '{"sku":' });
			expect(failures[0]).not.toHaveProperty('record');
		});

		it.each([
			['a number as it is', 1001, { sku: 1001 }],
			['no object', { id: 1 }, undefined],
		])('from a cell: %s', async (_what, sku, record) => {
			const { failures } = await run(INPUT_ITEM, { sku, price: 'much', currency: 'EUR' });
			expect(failures[0]?.record).toEqual(record);
		});
	},
);

it('a refused value of a write gives no advice about filters', async () => {
	stubApi({ 'PATCH *': [[400, refusal('INVALID_PARAMETER')]] });
	const { error } = await runOperation('order.update', NOTE);
	expect(error?.description).not.toMatch(/filter|sort/);
});

/**
 * n8n accepts no expression for a resource or an operation: it drops the “=”, so the node finds no operation for it.
 */
it.each([
	['order', '={{ "get" }}', 'Operation', '{{ "get" }}'],
	['={{ "order" }}', 'get', 'Resource', '{{ "order" }}'],
	['={{ $json.resource }}', '={{ $json.operation }}', 'Resource', '{{ $json.resource }}'],
	['order', 'own', 'Operation', 'own'],
])(
	'the resource %s and the operation %s are refused by name, and nothing is sent',
	async (resource, operation, field, written) => {
		const sent = stubApi({});
		const parameters = { resource, operation, orderId: byId('ord_1') };
		const items = [{ resource: 'order', operation: 'get' }];
		const { error, json } = await runOperation('', parameters, { items });
		expect([json, sent]).toEqual([[], []]);
		expect(error?.message).toBe(`'${field}' cannot be “${written}”`);
		expect(error?.description).toBe(
			written.includes('{{')
				? 'n8n takes no expression here. Choose from the list; for several operations use one node for each, after a Switch node.'
				: 'There is no such operation. Choose from the list.',
		);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	},
);
