import { asks, usePlatform } from './usePlatform';

/** What is asked, and the body; `{name}` stands for one of {@link names}. */
type Row = [request: string, body?: unknown];

const { control, api } = usePlatform({
	minuteBudget: 1_000_000,
	inDevelopment: { webhookUpdate: true },
});

const LATER = '2199-01-01T00:00:00Z';
const HOOK = { url: 'https://receiver.example/hook', events: ['order.paid'] };
const LEVEL = { sku: '{sku}', location_id: 'sloc_main', quantity: 1, updated_at: LATER };
const PIECE = { line_item_id: '{line}', quantity: 1 };

const queries = (path: string, list: string) =>
	list.split(' ').map((query): Row => [`GET ${path}?${query}`]);
const bodies = (request: string, ...list: unknown[]) => list.map((body): Row => [request, body]);

const REFUSED: Record<string, Row[]> = {
	'400 INVALID_PARAMETER': [
		...queries(
			'/products',
			'limit=251 limit=1e2 limit=%201 limit= limit=1&limit=2 offset=0 page=2',
		),
		...queries('/products', 'status=paid cursor=garbage updated_since=yesterday'),
		...queries(
			'/products',
			'updated_since=2026-01-01T00:00:00 sort=price:asc sort=constructor:asc',
		),
		...queries('/events', 'after_event_id=evt_ after_event_id=evt_x after_event_id=17'),
		...queries('/webhooks', 'limit=25'),
		...bodies('POST /products', { title: 'Kite', categories: ['cat_none'] }),
		...['total', 'line_items', 'id', 'created_at', 'status'].map((field): Row => [
			'PATCH /orders/{paid}',
			{ [field]: 'x' },
		]),
		...bodies(
			'POST /orders/{paid}/fulfillments',
			{ items: [{ ...PIECE, quantity: 1_000 }] },
			{ items: [{ ...PIECE, line_item_id: 'li_none' }] },
		),
		...bodies('POST /orders/{paid}/refunds', { amount: 1 }, { currency: 'XXX' }),
		...bodies('POST /orders/{paid}/refunds', { amount: 1_000_000_000, currency: '{currency}' }),
		...[{ quantity: -1 }, { quantity: 1.5 }, { updated_at: 'now' }].map((change): Row => [
			'PUT /inventory/levels',
			{ ...LEVEL, ...change },
		]),
		...bodies('POST /inventory/levels/adjust', { ...LEVEL, delta: -1_000 }),
		...bodies('POST /jobs/catalog-import', { rows: [] }),
		...['http://receiver.example/', 'http://127.0.0.1.receiver.example/', 'receiver', ''].map(
			(url): Row => ['POST /webhooks', { ...HOOK, url }],
		),
		...[[], ['order'], ['Order.Paid'], ['order.paid '], 'order.paid', undefined].map(
			(events): Row => ['POST /webhooks', { ...HOOK, events }],
		),
		...bodies('PATCH /webhooks/{webhook}', { url: 'http://new.example/' }, { status: 'odd' }),
	],
	'404 NOT_FOUND': [
		...['prod_', 'prod_ABCDEF', 'ord_abcdef', 'prod_abcdefg'].map((id): Row => [
			`GET /products/${id}`,
		]),
		['GET /webhooks/wh_none'],
		['DELETE /webhooks/wh_none'],
		['PUT /inventory/levels', { ...LEVEL, sku: 'NONE' }],
		['PUT /inventory/levels', { ...LEVEL, location_id: 'sloc_none' }],
	],
	'409 CONFLICT': [['PUT /inventory/levels', { ...LEVEL, updated_at: '2020-01-01T00:00:00Z' }]],
	'409 INVALID_STATE_TRANSITION': [
		['POST /orders/{unpaid}/fulfillments', {}],
		['POST /orders/{unpaid}/refunds', {}],
	],
	'501 IN_DEVELOPMENT': [
		['POST /products/batch', { operations: [] }],
		['POST /webhooks/{webhook}/rotate_secret'],
		['POST /webhooks/{webhook}/test'],
	],
};

let names: Record<string, string>;
beforeAll(async () => {
	const { order: paid } = await control.payOrder();
	const { order: unpaid } = await control.createOrder();
	const { id: webhook } = await api.data('/webhooks', asks('POST')(HOOK));
	const [{ line_item_id: line, sku }] = paid.line_items;
	const { currency } = paid.total;
	names = { paid: paid.id, unpaid: unpaid.id, line, sku, currency, webhook: String(webhook) };
});
const named = (text = '') => text.replace(/\{(\w+)\}/g, (_, name: string) => names[name]);

/** What refused requests might have changed. */
const present = async () => [
	await control.record('orders', names.paid),
	await control.record('orders', names.unpaid),
	await control.record('inventory', `${names.sku}@sloc_main`),
	await control.records('products'),
	await control.records('jobs'),
	await control.endpoints(),
];

it.each(
	Object.entries(REFUSED).flatMap(([answer, rows]) =>
		rows.map(([request, body]) => ({ answer, request, body })),
	),
)('$request $body is answered $answer and changes nothing', async ({ answer, request, body }) => {
	const before = await present();
	const [method, path] = named(request).split(' ');
	const sent = body === undefined ? undefined : (JSON.parse(named(JSON.stringify(body))) as object);
	expect(await api.refusal(path, asks(method)(sent))).toBe(answer);
	expect(await present()).toEqual(before);
});
