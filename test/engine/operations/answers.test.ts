import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';
import { FIRST_CASES } from './cases';

const ORDER = { orderId: byId('ord_1') };

it.each(FIRST_CASES.map(({ operation, least }) => [operation, least] as const))(
	'an error that was answered 200 fails %s, names the record, and does not suggest to try a write again',
	async (operation, least) => {
		const refusal = { code: 'NOT_LINKED', message: 'No payment provider', request_id: 'req_1' };
		const sent = stubApi({ '*': [[200, { error: refusal }]] });
		const { error, items } = await runOperation(operation, least, { items: [{ own: 'A' }] });
		expect(items).toEqual([]);
		const record = Object.entries((error?.context?.record ?? {}) as IDataObject);
		const names = record.map(([key, value]) => `${key.replace('_', ' ')} “${String(value)}”`);
		const named = names.length === 0 ? '' : ` (${names.join(', ')})`;
		expect(error?.message).toBe(`The platform did not do what was asked${named}`);
		if ('sku' in least || JSON.stringify(least).includes('rec_1'))
			expect(named).toMatch(/ “(A|rec_1)”/);
		expect(error?.description).toContain('No payment provider');
		expect(error?.context?.request_id).toBe('req_1');
		expect(error?.description).not.toMatch(/try again/i);
		if (sent[0].route.startsWith('GET')) return;
		expect(error?.description).toMatch(/Look at the .+ before you send it again\./);
	},
);

const VARIANTS = [{ sku: 'A', title: 'M', prices: [{ amount: 100, currency: 'EUR' }] }];
const LINE_ITEMS = [{ line_item_id: 'li_1', quantity: 1 }];
const HOOK = { url: 'https://example.com/hook', events: ['order.paid'] };
const RETURN_CURRENT = { ifNotAllowed: 'returnCurrent', onConflict: 'returnCurrent' };
const UPDATE = { productId: byId('prod_1'), updateFields: { variantsJson: '[{ "sku": "A" }]' } };
const PRICE = { sku: 'A', amount: '2.00', currency: 'EUR' };

describe.each<[operation: string, path: string, record: IDataObject, parameters: IDataObject]>([
	['order.fulfill', '/orders/ord_1', { status: 'paid', line_items: LINE_ITEMS }, ORDER],
	['order.cancel', '/orders/ord_1', { status: 'paid' }, { ...ORDER, options: RETURN_CURRENT }],
	['product.update', '/products/prod_1', { variants: VARIANTS }, UPDATE],
	['product.setPrices', '/products/prod_1', { variants: VARIANTS }, PRICE],
	['webhook.recreate', '/webhooks/wh_1', HOOK, { webhookId: byId('wh_1') }],
])('%s, which reads a record by its ID', (operation, path, record, parameters) => {
	const id = path.split('/')[2];

	it.each([{ id: 'other_2' }, {}, { id: [id] }])(
		'writes nothing of another record that was answered: %j',
		async (more) => {
			const sent = stubApi({
				'GET /products': [[200, { data: [{ id, variants: VARIANTS }] }]],
				[`GET ${path}`]: [[200, { data: { ...record, ...more } }]],
				'POST /orders/ord_1/cancel': [[409, { error: { code: 'INVALID_STATE_TRANSITION' } }]],
				'*': [[200, { data: { id } }]],
			});
			const { error, items } = await runOperation(operation, parameters);
			expect(items).toEqual([]);
			expect(error?.message).toContain(`“${id}” is not the record that the platform answered`);
			const writes = sent.filter(({ route }) => !route.startsWith('GET'));
			// Return Current Order reads after the refusal.
			expect(writes).toHaveLength(operation === 'order.cancel' ? 1 : 0);
		},
	);
});

it.each<[string, StubAnswer, string]>([
	['201 without a secret', [201, { data: { ...HOOK, id: 'wh_new' } }], 'wh_new cannot be used'],
	['201 with an empty secret', [201, { data: { id: 'wh_new', secret: '' } }], 'wh_new cannot'],
	['202 with nothing', [202], 'Look in the list of webhooks'],
	['{ "data": null }', [201, { data: null }], 'Look in the list of webhooks'],
])(
	'Recreate leaves the old endpoint alone when the new one is answered %s',
	async (_what, answer, says) => {
		const sent = stubApi({
			'GET *': [[200, { data: { ...HOOK, id: 'wh_1' } }]],
			'POST *': [answer],
		});
		const { items, error } = await runOperation('webhook.recreate', { webhookId: byId('wh_1') });
		expect(items).toEqual([]);
		expect(sent.map(({ route }) => route)).toEqual(['GET /webhooks/wh_1', 'POST /webhooks']);
		expect(error?.description).toContain(says);
	},
);

it.each<[string, IDataObject, IDataObject]>([
	['customer.getAll', { returnAll: true }, {}],
	['order.get', ORDER, { id: 'ord_1', _meta: { etag: '"v1"', status: 304 } }],
])('%s says that nothing has changed since its ETag', async (operation, parameters, more) => {
	const sent = stubApi({ '*': [[304, '', { etag: '"v1"' }]] });
	const requestOptions = { ifNoneMatch: '"v1"', includeMetadata: true };
	const { json } = await runOperation(operation, { ...parameters, requestOptions });
	expect(sent[0].headers['if-none-match']).toBe('"v1"');
	expect(json).toMatchObject([{ notModified: true, ...more }]);
});

it.each([
	['inventory.set', { sku: 'A', locationId: 'sloc_1', quantity: 1, options: RETURN_CURRENT }],
	['order.cancel', { ...ORDER, options: RETURN_CURRENT }],
])('a 409 that means something else stays an error of %s', async (operation, parameters) => {
	const level = { sku: 'A', location_id: 'sloc_1' };
	stubApi({
		'GET /orders/ord_1': [[200, { data: { id: 'ord_1' } }]],
		'GET *': [[200, { data: [level] }]],
		'*': [[409, { error: { code: 'NOT_LINKED' } }]],
	});
	const { error } = await runOperation(operation, parameters);
	expect(error?.context).toMatchObject({ status: 409, code: 'NOT_LINKED' });
});

it('an event stream is read on after its last event, whether or not it gives a cursor', async () => {
	const page = (n: number, next_cursor: string | null): StubAnswer => [
		200,
		{ data: [{ event_id: `evt_${n}` }], pagination: { next_cursor } },
	];
	const bare: StubAnswer = [200, { data: [{ event_id: 'evt_3' }] }];
	const sent = stubApi({ 'GET *': [page(1, 'c1'), page(2, 'c2'), bare, page(4, null)] });
	const options = { furtherQuery: { parameter: [{ name: 'type', value: 'x' }] } };
	const { json } = await runOperation('event.getAll', { returnAll: true, options });
	expect(json).toEqual([1, 2, 3, 4].map((n) => ({ event_id: `evt_${n}` })));
	const after = ['evt_1', 'evt_2', 'evt_3'].map((after_event_id) => ({ after_event_id }));
	expect(sent.map(({ query }) => query)).toEqual(
		[{}, ...after].map((place) => ({ limit: '250', type: 'x', ...place })),
	);
});

it('Set Prices shows the former price, however the platform writes it', async () => {
	const shown = (amount: string) =>
		`{"id":"prod_1","variants":[{"sku":"A","prices":[{"amount":${amount},"currency":"EUR"}]}]}`;
	stubApi({
		'GET /products': [[200, `{"data":[${shown('1999.0')}]}`]],
		'GET *': [[200, shown('1999.0')]],
		'PATCH *': [[200, shown('2050.00')]],
	});
	const options = { decimalAmounts: 'number' };
	const { json } = await runOperation('product.setPrices', { ...PRICE, amount: '20.50', options });
	const previous = { previous: 19.99, previous_minor: 1999, currency: 'EUR' };
	expect(json).toMatchObject([{ price: 20.5, price_minor: 2050, ...previous }]);
});
