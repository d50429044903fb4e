import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** A whole number that JavaScript would round, in digits. */
const LONG = '12345678901234567890';
const FIELDS = `{"s":"x","n":${LONG}}`;
const VARIANTS = `[{"sku":"A","n":${LONG}}]`;
const JSON_FIELDS = { specifyFields: 'json', json: FIELDS };

/** Every write that takes JSON, with the field that holds the number. */
const WRITES: Record<string, [field: string, parameters: IDataObject]> = {
	'category.create': ['JSON', JSON_FIELDS],
	'customer.create': ['JSON', JSON_FIELDS],
	'customer.create, one field': [
		'Fields: n',
		{ fields: { field: [{ name: 'n', type: 'json', value: `[${LONG}]` }] } },
	],
	'customer.update': ['JSON', { ...JSON_FIELDS, customerId: byId('cus_1') }],
	'order.cancel': [
		'Other Fields (JSON)',
		{ orderId: byId('ord_1'), additionalFields: { otherFieldsJson: FIELDS } },
	],
	'order.refund': [
		'JSON',
		{
			orderId: byId('ord_1'),
			extent: 'fields',
			specifyFields: 'json',
			json: `{"amount":5,"currency":"EUR","n":${LONG}}`,
		},
	],
	'order.update': [
		'Other Fields (JSON)',
		{ orderId: byId('ord_1'), updateFields: { otherFieldsJson: FIELDS } },
	],
	'order.fulfill': [
		'Items (JSON)',
		{
			orderId: byId('ord_1'),
			specifyItems: 'json',
			itemsJson: `[{"line_item_id":"li_1","quantity":${LONG}}]`,
		},
	],
	'product.create': [
		'Variants (JSON)',
		{ title: 'T', additionalFields: { variantsJson: VARIANTS } },
	],
	'product.importCatalog': [
		'Product (JSON)',
		{ specifyProduct: 'json', productJson: `{"sku":"A","n":${LONG}}` },
	],
	'product.importCatalog, the whole body': [
		'Body (JSON)',
		{ specifyProduct: 'jobBody', jobBody: FIELDS },
	],
	'product.update': [
		'Variants (JSON)',
		{
			productId: byId('prod_1'),
			updateFields: { variantsJson: VARIANTS },
			writeVariants: 'replace',
		},
	],
	'product.upsert': ['Product (JSON)', { specifyProduct: 'json', productJson: `{"sku":${LONG}}` }],
	'webhook.update': [
		'Other Fields (JSON)',
		{ webhookId: byId('wh_1'), updateFields: { otherFieldsJson: FIELDS } },
	],
};

it.each(
	Object.entries(WRITES).flatMap(([name, [field, parameters]]) =>
		[false, true].map((routingNode) => ({ name, field, parameters, routingNode })),
	),
)(
	'a number that JavaScript cannot hold is refused by its field: $name, by RoutingNode: $routingNode',
	async ({ name, field, parameters, routingNode }) => {
		let requests = 0;
		for (const method of ['GET', 'POST', 'PATCH'])
			nock(BASE_URL)
				.intercept(/.*/, method)
				.reply(() => {
					requests++;
					return [200, { data: { id: 'rec_1' } }];
				});
		const [resource, operation] = name.split(/[.,]/);
		const { error } = await runNode({
			parameters: { resource, operation, ...parameters },
			routingNode,
		});
		expect(error?.message).toContain(`“${field}” holds "${LONG}"`);
		expect(requests).toBe(0);
	},
);

describe('a product whose own numbers JavaScript cannot hold', () => {
	const product = (inside: string, beside = '') =>
		`{"data":{"id":"prod_1","title":"Mug"${beside},"variants":[{"sku":"A"${inside},"prices":[{"amount":1999.0,"currency":"EUR"}]}]}}`;
	const update = {
		resource: 'product',
		operation: 'update',
		productId: byId('prod_1'),
		updateFields: { variantsJson: '[{"sku":"A","prices":[{"amount":2050,"currency":"EUR"}]}]' },
	};

	it.each([LONG, `-${LONG}`, `${LONG}.0`, '0.1234567890123456789'])(
		'is not merged, since a variant would come back with another %s',
		async (number) => {
			nock(BASE_URL)
				.get('/products/prod_1')
				.reply(200, product(`,"legacy":${number}`));
			const { error } = await runNode({ parameters: update });
			expect(error?.message).toContain(`cannot be merged: “Mug” holds ${number}`);
		},
	);

	it('is merged where they stand in fields that are not sent', async () => {
		const bodies: unknown[] = [];
		nock(BASE_URL)
			.get('/products/prod_1')
			.reply(200, product(`,"barcode":"${LONG}1"`, `,"legacy":${LONG}`))
			.patch('/products/prod_1', (body: unknown) => bodies.push(body) > 0)
			.reply(200, product('', `,"legacy":${LONG}`));
		const { error, items } = await runNode({ parameters: update });
		expect(error).toBeUndefined();
		expect(bodies).toEqual([
			{
				variants: [{ sku: 'A', barcode: `${LONG}1`, prices: [{ amount: 2050, currency: 'EUR' }] }],
			},
		]);
		expect(items[0].json).toMatchObject({ legacy: LONG });
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
