import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { internalNumberIn, LONG } from '../../support/exactNumbers';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const FIELDS = `{"s":"x","n":${LONG}}`;
const VARIANTS = `[{"sku":"A","n":${LONG}}]`;
const JSON_FIELDS = { specifyFields: 'json', json: FIELDS };

interface Write {
	parameters: IDataObject;
	/** The body, or the operation of a batch, in the item of a dry run. */
	shown: unknown;
	/** The path and the body, where one request is all. */
	sent?: [path: string, body: string];
}

const shown = { s: 'x', n: LONG };
const ROWS = { fields: { field: [{ name: 'n', type: 'json', value: `[${LONG}]` }] } };

/** Every write that takes JSON. */
const WRITES: Record<string, Write> = {
	'category.create': { parameters: JSON_FIELDS, shown, sent: ['/categories', FIELDS] },
	'customer.create': { parameters: JSON_FIELDS, shown, sent: ['/customers', FIELDS] },
	'customer.create, one field': {
		parameters: ROWS,
		shown: { n: [LONG] },
		sent: ['/customers', `{"n":[${LONG}]}`],
	},
	'customer.update': {
		parameters: { ...JSON_FIELDS, customerId: byId('cus_1') },
		shown,
		sent: ['/customers/cus_1', FIELDS],
	},
	'order.cancel': {
		parameters: { ...JSON_FIELDS, orderId: byId('ord_1') },
		shown,
		sent: ['/orders/ord_1/cancel', FIELDS],
	},
	'order.refund': {
		parameters: {
			orderId: byId('ord_1'),
			extent: 'fields',
			specifyFields: 'json',
			json: `{"amount":5,"currency":"EUR","n":${LONG}}`,
		},
		shown: { amount: 5, currency: 'EUR', n: LONG },
		sent: ['/orders/ord_1/refunds', `{"amount":5,"currency":"EUR","n":${LONG}}`],
	},
	'order.update': {
		parameters: { orderId: byId('ord_1'), updateFields: { otherFieldsJson: FIELDS } },
		shown,
		sent: ['/orders/ord_1', FIELDS],
	},
	'product.create': {
		parameters: { title: 'T', additionalFields: { variantsJson: VARIANTS } },
		shown: { title: 'T', variants: [{ sku: 'A', n: LONG }] },
		sent: ['/products', `{"title":"T","variants":${VARIANTS}}`],
	},
	'product.importCatalog': {
		parameters: { specifyProduct: 'json', productJson: `{"sku":"A","n":${LONG}}` },
		shown: { operations: [{ op: 'upsert', sku: 'A', n: LONG }] },
	},
	'product.importCatalog, the whole body': {
		parameters: { specifyProduct: 'jobBody', jobBody: FIELDS },
		shown,
	},
	'product.update': {
		parameters: {
			productId: byId('prod_1'),
			updateFields: { variantsJson: VARIANTS },
			writeVariants: 'replace',
		},
		shown: { variants: [{ sku: 'A', n: LONG }] },
		sent: ['/products/prod_1', `{"variants":${VARIANTS}}`],
	},
	'product.upsert': {
		parameters: { specifyProduct: 'json', productJson: `{"sku":"A","n":${LONG}}` },
		shown: { op: 'upsert', sku: 'A', n: LONG },
	},
	'webhook.update': {
		parameters: { webhookId: byId('wh_1'), updateFields: { otherFieldsJson: FIELDS } },
		shown,
		sent: ['/webhooks/wh_1', FIELDS],
	},
};

const parametersOf = (name: string, { parameters }: Write, options: IDataObject): IDataObject => {
	const [resource, operation] = name.split(/[.,]/);
	return { resource, operation, ...parameters, options };
};

describe('a number that JavaScript cannot hold', () => {
	it.each(Object.entries(WRITES))(
		'is shown in a dry run with its digits: %s',
		async (name, one) => {
			const { items, error } = await runNode({
				parameters: parametersOf(name, one, { dryRun: true }),
			});
			expect(error).toBeUndefined();
			const { body, operation } = items[0].json;
			expect(body ?? operation).toStrictEqual(one.shown);
			expect(internalNumberIn(items[0].json)).toBeUndefined();
		},
	);

	it.each(
		Object.entries(WRITES).flatMap(([name, one]) =>
			one.sent === undefined
				? []
				: [false, true].map((routingNode) => ({ name, one, sent: one.sent ?? [''], routingNode })),
		),
	)('is sent as a number: $name, by RoutingNode: $routingNode', async (given) => {
		const { name, one, sent, routingNode } = given;
		const bodies: unknown[] = [];
		for (const method of ['POST', 'PATCH'])
			nock(BASE_URL)
				.intercept(sent[0], method)
				.reply(function () {
					const { requestBodyBuffers } = this.req as unknown as { requestBodyBuffers: Buffer[] };
					bodies.push(Buffer.concat(requestBodyBuffers).toString());
					return [200, { data: { id: 'rec_1' } }];
				});
		const { error } = await runNode({ parameters: parametersOf(name, one, {}), routingNode });
		expect(error).toBeUndefined();
		expect(bodies).toEqual([sent[1]]);
	});
});

it('Set Prices says the price as it was, however the platform writes it', async () => {
	const written = (amount: string) =>
		`{"id":"prod_1","variants":[{"sku":"A","prices":[{"amount":${amount},"currency":"EUR"}]}]}`;
	nock(BASE_URL)
		.get('/products')
		.query(true)
		.reply(200, `{"data":[${written('1999.0')}],"pagination":{"has_more":false}}`)
		.get('/products/prod_1')
		.reply(200, `{"data":${written('1999.0')}}`)
		.patch('/products/prod_1')
		.reply(200, `{"data":${written('2050.00')}}`);
	const { items, error } = await runNode({
		parameters: {
			resource: 'product',
			operation: 'setPrices',
			sku: 'A',
			amount: '20.50',
			currency: 'EUR',
			options: { decimalAmounts: 'number' },
		},
	});
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({
		amount: 2050,
		previous: { amount: 1999, currency: 'EUR', decimal: 19.99 },
	});
});

describe('a refusal names such a number by its digits', () => {
	const product = { resource: 'product', operation: 'update', productId: byId('prod_1') };
	const price = (amount: string, currency = '"EUR"') => ({
		...product,
		updateFields: {
			variantsJson: `[{"sku":"A","prices":[{"amount":${amount},"currency":${currency}}]}]`,
		},
	});
	const fulfill = (id: string, quantity: string) => ({
		resource: 'order',
		operation: 'fulfill',
		orderId: byId('ord_1'),
		specifyItems: 'json',
		itemsJson: `[{"line_item_id":${id},"quantity":${quantity}}]`,
	});
	const upsert = (productJson: string) => ({
		resource: 'product',
		operation: 'upsert',
		specifyProduct: 'json',
		productJson,
	});

	it.each<[string, IDataObject, string, string?]>([
		[
			'the SKU of a variant',
			{ ...product, updateFields: { variantsJson: `[{"sku":${LONG}}]` } },
			'“Variants (JSON) 1: SKU” must be text',
			`It is ${LONG}.`,
		],
		['an amount', price(LONG), '“Variants (JSON) 1, Price 1: Amount” is too large'],
		[
			'a currency',
			price('5', LONG),
			'“Variants (JSON) 1, Price 1: Currency” is not a currency',
			LONG,
		],
		[
			'a body',
			{ resource: 'customer', operation: 'create', specifyFields: 'json', json: LONG },
			'“JSON” must be a JSON object',
			`It is ${LONG}.`,
		],
		[
			'a list in its place',
			{ ...product, updateFields: { variantsJson: LONG } },
			'JSON array',
			LONG,
		],
		['a quantity', fulfill('"li_1"', LONG), 'Quantity” must be a whole number', `It is ${LONG}.`],
		['a line item', fulfill(LONG, '1'), 'Line Item” must be text', `It is ${LONG}.`],
		['a SKU', upsert(`{"sku":${LONG}}`), '“Product (JSON): sku” must be text', `It is ${LONG}.`],
		[
			'an operation',
			upsert(`{"sku":"A","op":${LONG}}`),
			'“Product (JSON): op” can only be “upsert”',
			`It is ${LONG}.`,
		],
	])('%s', async (_what, parameters, message, description = '') => {
		const { error, items } = await runNode({ parameters });
		expect(error?.message).toContain(message);
		expect(error?.description ?? '').toContain(description);
		expect(internalNumberIn([error?.message, error?.description, items])).toBeUndefined();
	});
});
