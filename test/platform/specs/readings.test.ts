import {
	apiClient,
	type ApiAnswer,
	type ApiClient,
	type ApiRequest,
} from '../../support/apiClient';
import { answerPoints } from '../dialects/answerPoints';
import { bulkPoints } from '../dialects/bulkPoints';
import { errorPoints } from '../dialects/errorPoints';
import { recordPoints } from '../dialects/recordPoints';
import { rulePoints } from '../dialects/rulePoints';
import { streamPoints } from '../dialects/streamPoints';
import { POINT_NAMES, valuesOf, type Dialect, type PointName } from '../dialects/table';
import { timePoints } from '../dialects/timePoints';
import { webhookPoints } from '../dialects/webhookPoints';
import { type Platform } from '../index';
import type { DialectChange } from '../settings';
import { startReceiver, type Receiver } from './receiver';
import { usePlatform } from './usePlatform';

/**
 * Each switch of a dialect is really spoken: what a client sees of a fixed list of requests is another thing for each
 * of its values. Which thing stands in the table of the switches.
 */
interface Shop {
	platform: Platform;
	api: ApiClient;
	receiver: Receiver;
	/** Sends a request and writes down what a client sees of the answer. */
	see(path: string, request?: ApiRequest): Promise<ApiAnswer>;
	note(text: string): void;
}

const post = (body?: unknown, headers?: Record<string, string>) => ({
	method: 'POST',
	body,
	headers,
});
const FAR = '2199-01-01T00:00:00Z';
const HOUR_MS = 3_600_000;
const SHOWN_HEADERS = ['etag', 'cache-control', 'location', 'retry-after', 'content-type'];
/** What differs between two runs of one dialect. */
const MASKS: Array<[RegExp, string]> = [
	[/"secret":"(whsec_|\+\/)?[^"]*"/g, '"secret":"$1…"'],
	[/"(next_cursor)":"(\+\/)?[^"]*"/g, '"$1":"$2…"'],
	[/\b(req|del|job|wh)_[\w-]+/g, '$1_…'],
	[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d((?:\.\d+)?)/g, 'TIME$1'],
	[/\.\d{3}/g, '.ms'],
	[/"(remaining|resets?_at|reset|used)":[^,}]+/g, '"$1":…'],
];
const masked = (text: string) => MASKS.reduce((rest, [mask, by]) => rest.replace(mask, by), text);

function seen({ status, headers, text }: ApiAnswer): string {
	const shown = SHOWN_HEADERS.map((name) =>
		name === 'etag' ? headers[name]?.slice(0, 1) : headers[name],
	);
	const date = headers.date && Math.round((Date.parse(headers.date) - Date.now()) / HOUR_MS);
	const budget = 'x-ratelimit-remaining' in headers;
	return `${status} ${shown.join('|')} ${date} ${budget} ${'x-request-id' in headers} ${masked(text)}`;
}

const level = async ({ platform }: Shop) => {
	const { records } = await platform.control.list({ kind: 'inventory', limit: 1 });
	return { sku: records[0].sku, location_id: records[0].location_id, quantity: 5 };
};
const paidOrder = async ({ platform }: Shop) =>
	`/orders/${String((await platform.control.payOrder()).order.id)}`;

const SCENARIOS: Array<[Record<string, unknown>, (shop: Shop) => Promise<void>]> = [
	[
		answerPoints,
		async ({ see, note, platform, api }) => {
			await see('/categories', post({ name: 'Toys' }));
			await see('/products', post({ title: 'Kite' }));
			await see('/categories?limit=1');
			const { json } = await see('/products?limit=20');
			const cursor = (json as { pagination?: { next_cursor?: string } }).pagination?.next_cursor;
			await see(`/products?limit=20&cursor=${encodeURIComponent(String(cursor))}`);
			await platform.control.writeRecord('products', { fields: { title: 'Ball' } });
			await see(`/products?limit=20&cursor=${encodeURIComponent(String(cursor))}`);
			const changed = await api.send('/products?limit=2&sort=updated_at:asc');
			const { data, pagination } = changed.json as {
				data?: Array<{ id: string }>;
				pagination?: { next_cursor?: string };
			};
			// The first record moves to the end of the list.
			await platform.control.writeRecord('products', { id: data?.[0]?.id });
			const next = encodeURIComponent(String(pagination?.next_cursor));
			await see(`/products?limit=2&sort=updated_at:asc&cursor=${next}`);
			const { records } = await platform.control.list({ kind: 'inventory', limit: 1 });
			const sku = String(records[0].sku);
			for (const text of [sku, sku.slice(0, -1), 'no such SKU'])
				await see(`/products?limit=2&sku=${encodeURIComponent(text)}`);
			for (const path of [
				'/products?limit=251',
				'/products',
				'/customers?q=a',
				'/orders?colour=red',
			])
				note(String((await api.send(path)).status));
			await see('/webhooks?limit=2');
		},
	],
	[
		rulePoints,
		async (shop) => {
			const { see, note, platform, api } = shop;
			const body = { ...(await level(shop)), updated_at: new Date().toISOString() };
			for (let n = 0; n < 2; n++)
				note(String((await api.send('/inventory/levels', { method: 'PUT', body })).status));
			for (const title of ['Kite', 'Kite', 'Drum'])
				note(
					String((await api.send('/products', post({ title }, { 'idempotency-key': 'k' }))).status),
				);
			note(String((await platform.control.records('products')).count));
			note(String((await api.send('/account')).status));
			const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
			note(String((await api.send('/categories', { apiKey })).status));
			await see('/orders/none');
			const sent = await paidOrder(shop);
			note(String((await api.send(`${sent}/fulfillments`, post({ carrier: 'dhl' }))).status));
			await see(sent);
			const back = await paidOrder(shop);
			note(String((await api.send(`${back}/refunds`, post())).status));
			for (let n = 0; n < 2; n++) note(String((await api.send(`${back}/cancel`, post())).status));
			await platform.control.setFaults([{ fault: 'status', status: 429, retryAfter: 2 }]);
			await see('/orders');
		},
	],
	[
		bulkPoints,
		async ({ see, note, platform, api }) => {
			const rows = ['A', 'B', 'C', 'D'].map((sku) => ({
				op: 'upsert',
				sku,
				title: sku === 'B' ? undefined : sku,
			}));
			await see('/products/batch', post({ operations: rows }));
			await platform.control.configure({ inDevelopment: { batch: true } });
			await see('/products/batch', post({ operations: rows }));
			await see('/products/batch', post({ operations: rows.slice(2) }));
			note(String((await api.data<unknown[]>('/products?limit=9&sku=C')).length));
			const { json } = await see('/jobs/catalog-import', post({ operations: rows }));
			const { data } = json as { data: { id?: string; job?: { id: string } } };
			const path = `/jobs/${data.id ?? data.job?.id}`;
			for (let n = 0; n < 100 && /"finished_at":null/.test((await api.send(path)).text); n++)
				await new Promise((resolve) => setImmediate(resolve));
			await see(path);
		},
	],
	[
		webhookPoints,
		async (shop) => {
			const { see, note, platform, receiver, api } = shop;
			await see(
				'/webhooks',
				post({ url: 'HTTPS://R.example:443/hook/../a b', events: ['order.created'] }),
			);
			const endpoint = { url: receiver.url, events: ['order.paid', 'product.updated'] };
			const { json } = await see('/webhooks', post(endpoint));
			const { id, secret } = (json as { data: { id: string; secret: string } }).data;
			note(
				`${secret.replace(/[0-9a-f]/g, 'h').replace(/[A-Za-z0-9]/g, 'x').length} ${/^\+/.test(secret)}`,
			);
			note(String((await api.send('/webhooks', post(endpoint))).status));
			await platform.control.setEndpointStatus(id, 'disabled');
			await see(`/webhooks/${id}`);
			await platform.control.setEndpointStatus(id, 'enabled');
			await platform.control.configure({ retryDelayFactor: 1e-6 });
			await platform.control.emit('product.updated', { id: 'x', status: 'y' });
			await platform.control.settled();
			receiver.script = Array<number>(12).fill(500);
			const { deliveryIds } = await platform.control.payOrder();
			await platform.control.settled();
			receiver.script = [];
			await platform.control.replay(deliveryIds[0]);
			for (const { headers, body } of receiver.received) {
				const named = Object.entries(headers).filter(([name]) => /^(x-|content-type)/.test(name));
				const forms = named.map(([name, value]) => `${name}: ${String(value).replace(/\d/g, '9')}`);
				const upper = named.some(
					([name, value]) => /signature/.test(name) && /[A-F]/.test(String(value)),
				);
				note(`${forms.filter((form) => !/signature|delivery-id/.test(form)).join()} ${upper}`);
				note(masked(body.toString()));
			}
			const isRound = ({ body }: { body: Buffer }) => body.includes('.000');
			note(String(receiver.received.every(isRound)));
			const ids = receiver.received.map(({ headers }) =>
				String(
					headers['x-shop-delivery-id'] ??
						headers['x-ecom-delivery-id'] ??
						headers['x-northwind-delivery-id'],
				),
			);
			note(`${ids.length} of ${new Set(ids).size}`);
			for (let n = 0; n < 2; n++)
				note(String((await api.send(`/webhooks/${id}`, { method: 'DELETE' })).status));
		},
	],
	[
		recordPoints,
		async (shop) => {
			const { see, platform, api, note } = shop;
			const { records } = await platform.control.list({ kind: 'orders', limit: 1 });
			await see(`/orders/${String(records[0].id)}`);
			await see('/orders?limit=2');
			note(String((await api.send('/orders?limit=1&status=pending_payment')).status));
			await see('/customers?limit=1');
			await see('/categories?limit=1');
			await see('/account');
			const body = { ...(await level(shop)), updated_at: new Date().toISOString() };
			await see('/inventory/levels', { method: 'PUT', body });
		},
	],
	[
		timePoints,
		async ({ see }) => {
			await see('/orders?limit=1');
			await see('/products?limit=9&sort=title:desc');
			await see(`/inventory/levels?limit=1&updated_since=${FAR}`);
		},
	],
	[
		errorPoints,
		async ({ see, platform }) => {
			await see('/products/prod_none');
			await see('/products?sort=none:asc');
			await see('/account', { apiKey: 'none' });
			const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
			await see('/products?limit=1', { apiKey });
		},
	],
	[streamPoints, async ({ see }) => void (await see('/events?limit=12'))],
];

/** Switches that show only beside another one. */
const BESIDE: Partial<Record<PointName, Partial<Dialect>>> = { jobErrors: { jobPath: 'shown' } };
/** Shows in seconds between two attempts: `deliveries.test.ts`. */
const ELSEWHERE: readonly PointName[] = ['retryTimestamp'];

const { platform } = usePlatform({
	products: 30,
	orders: 30,
	customers: 10,
	categories: 4,
	minuteBudget: 1_000_000,
});
let receiver: Receiver;
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(async () => await receiver.close());

async function told(name: PointName, value: string): Promise<string> {
	await platform.control.reset();
	await platform.control.configure({
		dialect: { ...(BESIDE[name] ?? {}), [name]: value } as DialectChange,
	});
	receiver.received.length = 0;
	const api = apiClient(platform);
	const lines: string[] = [];
	const see = async (path: string, request?: ApiRequest) => {
		const answer = await api.send(path, request);
		lines.push(seen(answer));
		return answer;
	};
	const scenario = SCENARIOS.find(([points]) => name in points)?.[1];
	await scenario?.({ platform, api, receiver, see, note: (text) => lines.push(text) });
	return lines.join('\n').replaceAll(receiver.url, 'RECEIVER');
}

it.each(POINT_NAMES.filter((name) => !ELSEWHERE.includes(name)))(
	'%s is spoken: each of its values shows',
	async (name) => {
		const values = valuesOf(name);
		const transcripts: string[] = [];
		for (const value of values) transcripts.push(await told(name, value));
		for (const [at, transcript] of transcripts.entries())
			expect(`${values[at]} as ${values[transcripts.indexOf(transcript)]}`).toBe(
				`${values[at]} as ${values[at]}`,
			);
	},
);

it('a run says the same each time, so that what differs is the switch', async () => {
	for (const [points] of SCENARIOS) {
		const [name] = Object.keys(points) as PointName[];
		const [value] = valuesOf(name);
		const [first, second] = [await told(name, value), await told(name, value)].map((all) =>
			all.split('\n'),
		);
		expect(second.filter((line, at) => line !== first[at])).toEqual([]);
	}
});
