import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop } from './shop';

const { shop, fixtures } = useShop();

/** The body that is sent, whether or not the shop accepts its fields. */
const sent = async (
	operation: string,
	parameters: IDataObject,
	item: IDataObject = {},
	routingNode = false,
): Promise<IDataObject> => {
	await shop.control.resetCounters();
	await shop.run(operation, parameters, { items: [item], routingNode });
	const body = (await shop.sent()).at(-1)?.body;
	return JSON.parse(body ?? '{}') as IDataObject;
};

describe('a field of a JSON object', () => {
	const kept = { n: 0, no: false, list: [null, ''] };
	const empty = {
		...{ a: null, b: '', c: [], d: {}, blank: ' \u00a0\u200b', in: { x: null }, ...kept },
		rows: [{ x: null, y: 1 }],
	};
	const left = { ...kept, rows: [{ y: 1 }] };
	/** Operations with such bodies. */
	const OPERATIONS: Record<string, (json: string) => IDataObject> = {
		'order.update': (otherFieldsJson) => ({
			orderId: byId(fixtures.order),
			updateFields: { otherFieldsJson },
		}),
		'customer.update': (json) => ({
			customerId: byId(fixtures.customer),
			specifyFields: 'json',
			json,
		}),
		'product.upsert': (productJson) => ({ specifyProduct: 'json', productJson }),
	};
	const fieldsOf = async (
		name: string,
		json: string,
		item?: IDataObject,
		routingNode?: boolean,
	) => {
		const body = await sent(name, OPERATIONS[name](json), item, routingNode);
		const fields = { ...((body.operations as IDataObject[])?.[0] ?? body) };
		delete fields.op;
		delete fields.sku;
		return fields;
	};

	it.each(Object.keys(OPERATIONS))(
		'is not sent if an expression leaves it empty: %s',
		async (name) => {
			const item = { sku: 'NEW', ...empty };
			expect(await fieldsOf(name, '={{ $json }}', item)).toEqual(left);
			expect(await fieldsOf(name, '={{ $json }}', item, true)).toEqual(left);
			expect(await fieldsOf(name, '={{ JSON.stringify($json) }}', item)).toEqual(left);
			const quoted = '={ "sku": "NEW", "a": "{{ $json.b }}", "n": {{ $json.n }} }';
			expect(await fieldsOf(name, quoted, item)).toEqual({ n: 0 });
			const around = '={ "sku": "NEW", "a": null, "b": "", "c": [], "n": {{ 1 + 1 }} }';
			expect(await fieldsOf(name, around)).toEqual({ n: 2 });
		},
	);

	it.each(Object.keys(OPERATIONS))('is sent empty if it is written by hand: %s', async (name) => {
		expect(await fieldsOf(name, JSON.stringify({ sku: 'NEW', ...empty }))).toEqual(empty);
	});
});

describe('a variant of a JSON list', () => {
	const update = async (variantsJson: string, item: IDataObject = {}) => {
		const productId = byId(fixtures.product);
		const parameters = { productId, updateFields: { variantsJson, writeVariants: 'replace' } };
		return (await sent('product.update', parameters, item)).variants;
	};
	const price = { amount: 1, currency: 'EUR' };
	const prices = [{ ...price, compare_at: null }];
	const variant = { sku: 'A', barcode: null, tags: [], prices };

	it('is sent without the fields that an expression leaves empty', async () => {
		const kept = [{ sku: 'A', prices: [price] }];
		expect(await update('={{ [$json] }}', variant)).toEqual(kept);
		const template =
			'=[{ "sku": "A", "barcode": "{{ $json.x }}", "prices": [{ "amount": 1, "currency": "EUR", "note": "{{ $json.x }}" }] }]';
		expect(await update(template, { x: '' })).toEqual(kept);
	});

	it('is sent with the fields that are written by hand as empty', async () => {
		expect(await update(JSON.stringify([variant]))).toEqual([variant]);
	});
});

describe('a field that is blank', () => {
	const BLANKS = ['', ' ', '\u00a0', '\u200b', '\ufeff\n'];
	const fields = (blank: string) => ({ title: 'New', description: blank, handle: blank });

	it.each(BLANKS)('says nothing, entered by hand or by an expression: %j', async (blank) => {
		const productId = byId(fixtures.product);
		const byHand = { productId, updateFields: fields(blank) };
		expect(await sent('product.update', byHand)).toEqual({ title: 'New' });
		const computed = { productId, updateFields: fields('={{ $json.cell }}') };
		expect(await sent('product.update', computed, { cell: blank })).toEqual({ title: 'New' });
	});

	describe.each([
		['order.cancel', () => ({ orderId: byId(fixtures.order) }), 'otherFields'],
		['customer.update', () => ({ customerId: byId(fixtures.customer) }), 'fields'],
	])('as a cell among names and values: %s', (operation, record, name) => {
		it.each([false, true])(
			'is left out, and the others are sent, by RoutingNode: %s',
			async (routingNode) => {
				const field = ['blank', 'filled', 'none'].map((cell) => ({
					name: cell,
					type: 'string',
					value: `={{ $json.${cell} }}`,
				}));
				const item = { blank: ' ', filled: 'x' };
				const parameters = { ...record(), [name]: { field } };
				expect(await sent(operation, parameters, item, routingNode)).toEqual({ filled: 'x' });
			},
		);
	});

	it('is cleared by Fields to Clear alone', async () => {
		const parameters = { productId: byId(fixtures.product), clearFields: ['description'] };
		expect(await sent('product.update', parameters)).toEqual({ description: '' });
	});
});
