import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { byId } from '../../support/parameters';

/** A whole number that JavaScript would round, in digits. */
const LONG = '12345678901234567890';
const FIELDS = `{"s":"x","n":${LONG}}`;
const VARIANTS = `[{"sku":"A","n":${LONG}}]`;
const ITEMS = `[{"line_item_id":"li_1","quantity":${LONG}}]`;
const REFUND = `{"amount":5,"currency":"EUR","n":${LONG}}`;
const JSON_FIELDS = { specifyFields: 'json', json: FIELDS };
const ORDER = { orderId: byId('ord_1') };
const OTHER = { otherFieldsJson: FIELDS };
const ROW = { fields: { field: [{ name: 'n', type: 'json', value: `[${LONG}]` }] } };
const PRODUCT = { specifyProduct: 'json', productJson: `{"sku":${LONG}}` };

/** Every write that takes JSON, with the field that holds the number. */
const WRITES: Array<[operation: string, field: string, parameters: IDataObject]> = [
	['category.create', 'JSON', JSON_FIELDS],
	['customer.create', 'JSON', JSON_FIELDS],
	['customer.create', 'Fields: n', ROW],
	['customer.update', 'JSON', { ...JSON_FIELDS, customerId: byId('cus_1') }],
	['order.cancel', 'Other Fields (JSON)', { ...ORDER, additionalFields: OTHER }],
	['order.refund', 'JSON', { ...ORDER, extent: 'fields', specifyFields: 'json', json: REFUND }],
	['order.update', 'Other Fields (JSON)', { ...ORDER, updateFields: OTHER }],
	['order.fulfill', 'Items (JSON)', { ...ORDER, specifyItems: 'json', itemsJson: ITEMS }],
	[
		'product.create',
		'Variants (JSON)',
		{ title: 'T', additionalFields: { variantsJson: VARIANTS } },
	],
	['product.importCatalog', 'Product (JSON)', PRODUCT],
	['product.importCatalog', 'Body (JSON)', { specifyProduct: 'jobBody', jobBody: FIELDS }],
	[
		'product.update',
		'Variants (JSON)',
		{
			productId: byId('prod_1'),
			updateFields: { variantsJson: VARIANTS },
			writeVariants: 'replace',
		},
	],
	['product.upsert', 'Product (JSON)', PRODUCT],
	['webhook.update', 'Other Fields (JSON)', { webhookId: byId('wh_1'), updateFields: OTHER }],
];

it.each(
	WRITES.flatMap((write) => [false, true].map((routingNode) => [...write, routingNode] as const)),
)(
	'a number that JavaScript cannot hold is refused: %s, %s (%j), by RoutingNode: %s',
	async (operation, field, parameters, routingNode) => {
		const sent = stubApi({ '*': [[200, { data: { id: 'rec_1' } }]] });
		const { error } = await runOperation(operation, parameters, { routingNode });
		expect(error?.message).toContain(`“${field}” holds "${LONG}"`);
		expect(sent).toEqual([]);
	},
);

/** An answer with one product. */
const shown = (inside = '', beside = '', amount = '1999.0') =>
	`{"data":{"id":"prod_1","title":"Mug"${beside},"variants":[{"sku":"A"${inside},"prices":[{"amount":${amount},"currency":"EUR"}]}]}}`;

describe('a product whose own numbers JavaScript cannot hold', () => {
	const prices = [{ amount: 2050, currency: 'EUR' }];
	const update = async () =>
		await runOperation('product.update', {
			productId: byId('prod_1'),
			updateFields: { variantsJson: JSON.stringify([{ sku: 'A', prices }]) },
		});

	it.each([LONG, `-${LONG}`, `${LONG}.0`, '0.1234567890123456789'])(
		'is not merged, since a variant would come back with another %s',
		async (number) => {
			stubApi({ 'GET *': [[200, shown(`,"legacy":${number}`)]] });
			const { error } = await update();
			expect(error?.message).toContain(`cannot be merged: “Mug” holds ${number}`);
		},
	);

	it('is merged where they stand in fields that are not sent', async () => {
		const beside = `,"legacy":${LONG}`;
		const sent = stubApi({
			'GET *': [[200, shown(`,"barcode":"${LONG}1"`, beside)]],
			'PATCH *': [[200, shown('', beside)]],
		});
		const { error, json } = await update();
		expect(error).toBeUndefined();
		expect(sent[1].body).toEqual({ variants: [{ sku: 'A', barcode: `${LONG}1`, prices }] });
		expect(json[0]).toMatchObject({ legacy: LONG });
	});
});

it('Set Prices says the price as it was, however the platform writes it', async () => {
	stubApi({
		'GET /products': [[200, shown().replace('{"data":', '{"data":[').replace(/}$/, ']}')]],
		'GET *': [[200, shown()]],
		'PATCH *': [[200, shown('', '', '2050.00')]],
	});
	const price = { sku: 'A', amount: '20.50', currency: 'EUR' };
	const options = { decimalAmounts: 'number' };
	const { json } = await runOperation('product.setPrices', { ...price, options });
	const previous = { amount: 1999, currency: 'EUR', decimal: 19.99 };
	expect(json).toMatchObject([{ amount: 2050, previous }]);
});
