import { Expression, type IDataObject, sleep } from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/rest/clock';
import { byId, runOperation, stubApi } from '../../support/engine';

afterEach(() => jest.restoreAllMocks());

const PRODUCT = {
	sku: '={{ $json.sku }}',
	title: '={{ $json.title }}',
	additionalFields: { handle: '={{ $json.handle }}', description: '={{ $json.text }}' },
};
const VARIANT = {
	sku: '={{ $json.sku }}',
	prices: { price: [{ amount: '={{ $json.amount }}', currency: '={{ $json.currency }}' }] },
};

/** Operations with parameters that hold a number of expressions. */
const READ: Array<[operation: string, expressions: number, parameters: IDataObject]> = [
	['product.upsert', 4, PRODUCT],
	['product.importCatalog', 4, PRODUCT],
	['product.setPrices', 3, { sku: '={{ $json.sku }}', ...VARIANT.prices.price[0] }],
	['product.upsert', 1, { specifyProduct: 'json', productJson: '={{ $json }}' }],
	[
		'product.update',
		5,
		{
			productId: byId('={{ $json.id }}'),
			updateFields: { title: '={{ $json.title }}', variants: { variant: [VARIANT] } },
		},
	],
	[
		'order.update',
		2,
		{ orderId: byId('={{ $json.id }}'), updateFields: { merchant_note: '={{ $json.text }}' } },
	],
	[
		'inventory.set',
		3,
		{ sku: '={{ $json.sku }}', locationId: '={{ $json.id }}', quantity: '={{ $json.amount }}' },
	],
	['order.getAll', 1, { returnAll: false, limit: '={{ $json.amount }}' }],
	['product.upsert', 0, { specifyProduct: 'autoMapInputData' }],
];

describe('n8n evaluates', () => {
	it.each(READ)('%s: each of %d expressions once for a row', async (operation, count, entered) => {
		const product = (id: string) => ({ id, variants: [{ sku: id, title: id, prices: [] }] });
		stubApi({
			'GET /products': ({ query }) => [200, { data: [product(String(query.q ?? query.sku))] }],
			'GET *': ({ route }) => [200, { data: product(route.split('/').at(-1) ?? '') }],
			'*': [[200, { data: { id: 'a' } }]],
		});
		const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		const items = ['A', 'B', 'C'].map((sku) => {
			const texts = { title: sku, handle: sku.toLowerCase(), text: 'x', id: sku };
			const specified = entered.specifyProduct === undefined ? texts : { title: sku };
			return { sku, ...specified, ...(count > 1 && { amount: 5, currency: 'EUR' }), ...(operation === 'order.getAll' && { amount: 5 }) };
		});
		const options = { ...(operation === 'product.upsert' && { dryRun: true }) };
		await runOperation(operation, { ...entered, options }, { items });
		const evaluated = resolve.mock.calls.filter(([value]) => String(value).startsWith('={{'));
		expect(evaluated).toHaveLength(count * items.length);
	});
});

it('a long reading lets n8n go on after every 25 ms', async () => {
	stubApi({ '*': [[200, { data: [] }]] });
	// The turn of an earlier test ends.
	await sleep(5);
	let nowMs = 0;
	jest.spyOn(systemClock, 'monotonic').mockImplementation(() => nowMs++);
	const slept = jest.spyOn(systemClock, 'sleep').mockImplementation(async () => await sleep(0));
	const items = Array.from({ length: 1_000 }, (_, n) => ({ sku: `S${n}`, title: 'T' }));
	const parameters = { specifyProduct: 'autoMapInputData', options: { dryRun: true } };
	await runOperation('product.importCatalog', parameters, { items });
	const turns = slept.mock.calls.filter(([ms]) => ms === 0);
	expect(turns.length).toBeGreaterThanOrEqual(items.length / 25);
});

it.each([{ returnAll: '={{ false }}' }, { returnAll: '={{ $json.none }}' }, { returnAll: false }])(
	'%j reads 50, the Limit that the panel shows',
	async (parameters) => {
		const data = Array.from({ length: 60 }, (_, n) => ({ id: `ord_${n}` }));
		stubApi({ 'GET *': [[200, { data, pagination: { next_cursor: 'next', has_more: true } }]] });
		const { items } = await runOperation('order.getAll', parameters);
		expect(items).toHaveLength(50);
	},
);
