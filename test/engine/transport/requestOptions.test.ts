import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestOptions } from '../../../nodes/CommercePlatform/fields/options';
import { API_KEY, BASE_URL, onlyPage, stubApi } from '../../support/engine';
import { callTool } from '../../support/engine/callTool';
import { actionNode, runOperation } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';

const ORDER = { orderId: byId('={{ $json.order }}') };
const ITEMS = [1, 2].map((n) => ({
	order: `ord_${n}`,
	key: `key-${n}`,
	tag: n === 1 ? '"v1"' : '',
}));
const NOTE = { updateFields: { merchant_note: 'x' } };

/** The collection after n8n has loaded the node. */
function loaded(): INodeProperties {
	const { properties } = actionNode(false).description;
	const [collection, ...others] = properties.filter(({ name }) => name === requestOptions.name);
	expect(others).toEqual([]);
	return collection;
}

it('stands once in the node, under Settings, beside what n8n has there itself', () => {
	const { isNodeSetting, options = [] } = loaded();
	expect(isNodeSetting).toBe(true);
	const names = options.map(({ name }) => name);
	const own = (requestOptions.options ?? []).map(({ name }) => name);
	const ofN8n = ['batching', 'allowUnauthorizedCerts', 'proxy', 'timeout'];
	expect([...names].sort()).toEqual([...own, ...ofN8n].sort());
});

it.each([false, true])(
	'is read for each item, if it is an expression (by n8n’s RoutingNode: %s)',
	async (routingNode) => {
		const sent = stubApi({ '*': [[200, { data: { id: 'ord_1' } }]] });
		const more = { items: ITEMS, routingNode };
		const keyed = { requestOptions: { idempotencyKey: '={{ $json.key }}' } };
		await runOperation('order.update', { ...ORDER, ...NOTE, ...keyed }, more);
		expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
		sent.length = 0;
		const known = { requestOptions: { ifNoneMatch: '={{ $json.tag }}' } };
		await runOperation('order.get', { ...ORDER, ...known }, more);
		expect(sent.map(({ headers }) => headers['if-none-match'])).toEqual(['"v1"', undefined]);
	},
);

it('counts for a tool that a model calls', async () => {
	stubApi({ '*': [[200, { data: { id: 'ord_1' } }, { etag: '"v1"' }]] });
	const credentials = { baseUrl: BASE_URL, apiKey: API_KEY };
	const parameters = { orderId: byId('ord_1'), requestOptions: { includeMetadata: true } };
	const answer = await callTool('order.get', parameters, {}, credentials);
	expect(JSON.parse(answer)).toMatchObject([{ id: 'ord_1', _meta: { etag: '"v1"' } }]);
});

it('gives a tool’s reader only the selected fields, and every field of a write', async () => {
	const order = { id: 'ord_1', status: 'paid', total: { amount: 500, currency: 'EUR' } };
	stubApi({ '*': [[200, { data: order }]] });
	const credentials = { baseUrl: BASE_URL, apiKey: API_KEY };
	const asked = {
		orderId: byId('ord_1'),
		simplify: false,
		requestOptions: { selectedFields: 'total, id,constructor' },
	};
	const answer = await callTool('order.get', { ...asked, output: 'raw' }, {}, credentials);
	const missingFields = ['constructor'];
	expect(JSON.parse(answer)).toEqual([{ id: 'ord_1', total: order.total, missingFields }]);
	const written = await runOperation('order.update', { ...asked, ...NOTE });
	expect(written.items).toMatchObject([{ json: order }]);
});

const FOUND = {
	id: 'ord_1',
	code: 'A-1',
	note: null,
	customer: { id: 'cus_1', email: 'eva@mail.example' },
	line_items: [{ sku: 'A', quantity: 1 }, { sku: 'B' }, {}],
};

it.each<[string, IDataObject, string]>([
	['code', { code: 'A-1' }, ''],
	['note', { note: null }, ''],
	['customer.email', { customer: { email: 'eva@mail.example' } }, ''],
	['customer.id,customer.email', { customer: FOUND.customer }, ''],
	['line_items.sku', { line_items: [{ sku: 'A' }, { sku: 'B' }, {}] }, ''],
	['line_items.sku,line_items.quantity', { line_items: FOUND.line_items }, ''],
	[
		'cod,customer.name,line_items.x.y,code.x,toString',
		{},
		'“cod”, “customer.name”, “line_items.x.y”, “code.x”, “toString”',
	],
])('gives the Selected Fields %s of a record, and tells those that it lacks', async (...row) => {
	const [selectedFields, fields, missing] = row;
	stubApi({ '*': [[200, { data: FOUND }]] });
	const asked = { orderId: byId('ord_1'), simplify: false, requestOptions: { selectedFields } };
	const { items, hint } = await runOperation('order.get', asked);
	expect(items?.map(({ json }) => json)).toEqual([fields]);
	if (missing === '') expect(hint).not.toContain('No record has');
	else expect(hint).toContain(`No record has ${missing}`);
});

it('gives those of a row that the node makes, too', async () => {
	const variants = [{ sku: 'A', prices: [{ amount: 500, currency: 'EUR' }] }];
	stubApi({ '*': [onlyPage([{ id: 'prod_1', variants }])] });
	const requestOptions = { selectedFields: 'product_id,price_minor' };
	const asked = { returnAll: true, options: { output: 'variants' }, requestOptions };
	const { items } = await runOperation('product.getAll', asked);
	expect(items?.map(({ json }) => json)).toEqual([{ product_id: 'prod_1', price_minor: 500 }]);
});

it('gives them of each record of a list, also in pages', async () => {
	const data = [
		{ id: 'ord_1', status: 'paid', total: { amount: 500, currency: 'EUR' } },
		{ id: 'ord_2', status: 'created' },
	];
	stubApi({ '*': [onlyPage(data)] });
	const requestOptions = { selectedFields: 'status,total' };
	const asked = { returnAll: true, requestOptions };
	const listed = await runOperation('order.getAll', { ...asked, simplify: true });
	const decimal = { amount: 500, currency: 'EUR', decimal: 5 };
	const selected = [{ status: 'paid', total: decimal }, { status: 'created' }];
	expect(listed.items?.map(({ json }) => json)).toEqual(selected);
	const inPages = {
		...asked,
		simplify: false,
		options: { output: 'pages', decimalAmounts: 'number' },
	};
	const { items } = await runOperation('order.getAll', inPages);
	expect(items).toMatchObject([{ json: { data: selected } }]);
});

it.each<[string, IDataObject]>([
	['order.refund', { ...ORDER, extent: 'platform' }],
	['product.setPrices', { sku: 'A', amount: '1', currency: 'EUR' }],
])('does not take a key where it is not offered: %s', async (operation, parameters) => {
	const product = { id: 'prod_1', variants: [{ sku: 'A', prices: [] }] };
	const sent = stubApi({
		'GET /products': [[200, { data: [product] }]],
		'*': [[200, { data: product }]],
	});
	const keyed = { requestOptions: { idempotencyKey: 'mine' } };
	const { error } = await runOperation(operation, { ...parameters, ...keyed }, { items: ITEMS });
	expect(error).toBeUndefined();
	const writes = sent.filter(({ route }) => !route.startsWith('GET'));
	expect(writes.map(({ headers }) => headers['idempotency-key'])).not.toContain('mine');
});
