import { setImmediate as turn } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '../support/apiClient';
import { until } from '../support/until';
import { changeDialect, DEFAULT_DIALECT } from '../dialects/dialect';
import { POINT_NAMES, POINTS, valuesOf, type Dialect, type PointName } from '../dialects/table';
import type { Control } from '../index';
import type { DialectChange } from '../settings';
import { startReceiver, type Receiver } from './receiver';
import { post, put, remove, usePlatform } from './usePlatform';

/**
 * Each switch of a dialect is really spoken: what a client sees of a fixed list of requests is another thing for each
 * of its values. Which thing stands in the table of the switches.
 */
interface Shop {
	control: Control;
	api: ApiClient;
	receiver: Receiver;
	/** Sends requests and writes down what a client sees of the answers; gives the last. */
	see: Send;
	/** Sends requests and writes down the statuses alone. */
	status: Send;
	note(what: unknown): void;
}

type Send = (...requests: Array<Parameters<ApiClient['send']>>) => Promise<ApiAnswer>;

type Paged = { data?: Array<{ id: string }>; pagination?: { next_cursor?: string } };

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

const level = async ({ control }: Shop) => {
	const { records } = await control.list({ kind: 'inventory', limit: 1 });
	const { sku, location_id } = records[0];
	return { sku, location_id, quantity: 5, updated_at: new Date().toISOString() };
};
const paidOrder = async ({ control }: Shop) =>
	`/orders/${String((await control.payOrder()).order.id)}`;
const nextOf = ({ json }: ApiAnswer) =>
	`cursor=${encodeURIComponent(String((json as Paged).pagination?.next_cursor))}`;

/** What one delivery shows. */
function arrived({ headers, body }: Receiver['received'][number]): string {
	const named = Object.entries(headers).filter(([name]) => /^(x-|content-type)/.test(name));
	const isUpper = named.some(([name, value]) => /signature/.test(name) && /[A-F]/.test(`${value}`));
	const forms = named
		.map(([name, value]) => `${name}: ${String(value).replace(/\d/g, '9')}`)
		.filter((form) => !/signature|delivery-id/.test(form));
	return `${forms.join()} ${isUpper}\n${masked(body.toString())}`;
}

const SCENARIOS: Array<[Record<string, unknown>, (shop: Shop) => Promise<void>]> = [
	[
		POINTS.answer,
		async (shop) => {
			const { see, status, control } = shop;
			await see(['/categories', post({ name: 'Toys' })], ['/products', post({ title: 'Kite' })]);
			const next = nextOf(await see(['/categories?limit=1'], ['/products?limit=20']));
			await see([`/products?limit=20&${next}`]);
			await control.writeRecord('products', { fields: { title: 'Ball' } });
			await see([`/products?limit=20&${next}`]);
			const byChange = '/products?limit=2&sort=updated_at:asc';
			const changed = await see([byChange]);
			// The first record moves to the end of the list.
			await control.writeRecord('products', { id: (changed.json as Paged).data?.[0]?.id });
			await see([`${byChange}&${nextOf(changed)}`]);
			const sku = String((await level(shop)).sku);
			for (const text of [sku, sku.slice(0, -1), 'no such SKU']) {
				await see([`/products?limit=2&sku=${encodeURIComponent(text)}`]);
			}
			const refused = ['/products?limit=251', '/products', '/customers?q=a', '/orders?colour=red'];
			for (const path of refused) await status([path]);
			await see(['/webhooks?limit=2']);
		},
	],
	[
		POINTS.rule,
		async (shop) => {
			const { see, status, note, control } = shop;
			const body = put(await level(shop));
			const create = (title: string) => post({ title }, { 'idempotency-key': 'k' });
			await status(['/inventory/levels', body], ['/inventory/levels', body]);
			for (const title of ['Kite', 'Kite', 'Drum']) await status(['/products', create(title)]);
			note((await control.records('products')).count);
			const { apiKey } = await control.createKey({ scopes: ['orders.read'] });
			await status(['/account'], ['/categories', { apiKey }]);
			await see(['/orders/none']);
			const sent = await paidOrder(shop);
			await status([`${sent}/fulfillments`, post({ carrier: 'dhl' })]);
			await see([sent]);
			const back = await paidOrder(shop);
			await status([`${back}/refunds`, post()], [`${back}/cancel`, post()]);
			await status([`${back}/cancel`, post()]);
			await control.setFaults([{ fault: 'status', status: 429, retryAfter: 2 }]);
			await see(['/orders']);
		},
	],
	[
		POINTS.bulk,
		async ({ see, control, api }) => {
			const operations = ['A', 'B', 'C', 'D'].map((sku) => ({
				op: 'upsert',
				sku,
				title: sku === 'B' ? undefined : sku,
			}));
			await see(['/products/batch', post({ operations })]);
			await control.configure({ inDevelopment: { batch: true } });
			await see(['/products/batch', post({ operations })]);
			await see(['/products/batch', post({ operations: operations.slice(2) })]);
			const { json } = await see(['/jobs/catalog-import', post({ operations })]);
			const { data } = json as { data: { id?: string; job?: { id: string } } };
			const path = `/jobs/${data.id ?? data.job?.id}`;
			for (let n = 0; n < 100; n++) {
				if (!/"finished_at":null/.test((await api.send(path)).text)) break;
				await turn();
			}
			await see([path]);
		},
	],
	[
		POINTS.webhook,
		async ({ see, status, note, control, receiver }) => {
			const odd = 'HTTPS://R.example:443/hook/../a b';
			const endpoint = { url: receiver.url, events: ['order.paid', 'product.updated'] };
			const { json } = await see(
				['/webhooks', post({ url: odd, events: ['order.created'] })],
				['/webhooks', post(endpoint)],
			);
			const { id, secret } = (json as { data: { id: string; secret: string } }).data;
			note(`${secret.length} ${/^\+/.test(secret)}`);
			await status(['/webhooks', post(endpoint)]);
			await control.setEndpointStatus(id, 'disabled');
			await see([`/webhooks/${id}`]);
			await control.setEndpointStatus(id, 'enabled');
			receiver.script.push(500);
			await control.emit('product.updated', { id: 'x', status: 'y' });
			await until('the first attempt', 5_000, async () => receiver.received.length > 0, 2);
			await control.configure({ clockOffsetMs: HOUR_MS, retryDelayFactor: 1e-6 });
			await control.settled();
			// The last one is the first one again, an hour later.
			const [first, last] = [receiver.received[0], receiver.received.at(-1)!];
			note(Object.keys(first.headers).some((name) => first.headers[name] !== last.headers[name]));
			receiver.script.push(...Array<number>(12).fill(500));
			const { deliveryIds } = await control.payOrder();
			await control.settled();
			receiver.script.length = 0;
			await control.replay(deliveryIds[0]);
			for (const delivery of receiver.received) note(arrived(delivery));
			note(receiver.received.every(({ body }) => body.includes('.000')));
			const ids = receiver.received.map(({ headers }) =>
				['shop', 'ecom', 'northwind'].map((name) => headers[`x-${name}-delivery-id`]).join(''),
			);
			note(`${ids.length} of ${new Set(ids).size}`);
			await status([`/webhooks/${id}`, remove()], [`/webhooks/${id}`, remove()]);
		},
	],
	[
		POINTS.record,
		async (shop) => {
			const { records } = await shop.control.list({ kind: 'orders', limit: 1 });
			await shop.see([`/orders/${String(records[0].id)}`], ['/orders?limit=2']);
			await shop.status(['/orders?limit=1&status=pending_payment']);
			await shop.see(['/customers?limit=1'], ['/categories?limit=1'], ['/account']);
			await shop.see(['/inventory/levels', put(await level(shop))]);
		},
	],
	[
		POINTS.time,
		async ({ see }) => {
			await see(['/orders?limit=1'], ['/products?limit=9&sort=title:desc']);
			await see([`/inventory/levels?limit=1&updated_since=${FAR}`]);
		},
	],
	[
		POINTS.error,
		async ({ see, control }) => {
			const { apiKey } = await control.createKey({ scopes: ['orders.read'] });
			await see(['/products/prod_none'], ['/products?sort=none:asc']);
			await see(['/account', { apiKey: 'none' }], ['/products?limit=1', { apiKey }]);
		},
	],
	[POINTS.stream, async ({ see }) => void (await see(['/events?limit=12']))],
];

/** Switches that show only beside another one. */
const BESIDE: Partial<Record<PointName, Partial<Dialect>>> = { jobErrors: { jobPath: 'shown' } };

const { control, api } = usePlatform({
	products: 30,
	orders: 30,
	customers: 10,
	categories: 4,
	minuteBudget: 1_000_000,
});
let receiver: Receiver;
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(async () => await receiver.close());

const dialectWith = (name: PointName, value: string) => ({ ...BESIDE[name], [name]: value });

async function told(name: PointName, value: string): Promise<string> {
	await control.reset();
	await control.configure({ dialect: dialectWith(name, value) as DialectChange });
	receiver.received.length = 0;
	const lines: unknown[] = [];
	const note = (what: unknown) => void lines.push(what);
	const sending =
		(told: (answer: ApiAnswer) => unknown): Send =>
		async (...requests) => {
			const answers: ApiAnswer[] = [];
			for (const request of requests) answers.push(await api.send(...request));
			answers.map(told).forEach(note);
			return answers.at(-1)!;
		};
	const [see, status] = [sending(seen), sending((answer) => answer.status)];
	const scenario = SCENARIOS.find(([points]) => name in points)?.[1];
	await scenario?.({ control, api, receiver, see, status, note });
	return lines.join('\n').replaceAll(receiver.url, 'RECEIVER');
}

/** What was told, by scenario and dialect: most switches of a scenario begin with the same default. */
const known = new Map<string, string>();

async function toldOnce(name: PointName, value: string): Promise<string> {
	const dialect = changeDialect(DEFAULT_DIALECT, dialectWith(name, value));
	const scenario = SCENARIOS.findIndex(([points]) => name in points);
	const key = JSON.stringify([scenario, dialect]);
	const transcript = known.get(key) ?? (await told(name, value));
	known.set(key, transcript);
	return transcript;
}

it.each(POINT_NAMES)('%s has a visible effect with each of its values', async (name) => {
	const byTranscript = new Map<string, string>();
	for (const value of valuesOf(name)) {
		const transcript = await toldOnce(name, value);
		expect(`${value} as ${byTranscript.get(transcript)}`).toBe(`${value} as undefined`);
		byTranscript.set(transcript, value);
	}
});

it('a run gives the same result each time, so that only the switch makes a difference', async () => {
	for (const [points] of SCENARIOS) {
		const [name] = Object.keys(points) as PointName[];
		const [value] = valuesOf(name);
		expect(await told(name, value)).toBe(await told(name, value));
	}
});
