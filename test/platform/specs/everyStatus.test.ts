import { loadContract, type Operation } from '../api/contract';
import { type Platform } from '../index';
import { DEFAULT_SETTINGS } from '../settings';
import { apiClient, type ApiClient, type ApiRequest } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

/** What a case may need: a platform with everything released, and one record of each kind. */
interface Fixtures {
	api: ApiClient;
	product: string;
	customer: string;
	paid: string;
	cancelled: string;
	webhook: string;
	sku: string;
	line: { line_item_id: string; quantity: number };
}

/** What a request says beside its method and path: of another record than usual, with another body, with headers. */
interface Said {
	id?: string;
	body?: unknown;
	headers?: Record<string, string>;
}

type Build = (fixtures: Fixtures) => Said;

const level = (sku: string, updated_at = new Date().toISOString()) => ({
	sku,
	location_id: 'sloc_main',
	quantity: 5,
	updated_at,
});
const adjustment = (sku: string) => ({ sku, location_id: 'sloc_main', delta: 1 });
const upsert = (sku: string, op = 'upsert') => ({ op, sku, title: 'New' });
const hook = { url: 'http://127.0.0.1:9/', events: ['order.paid'] };

/** Of the operations that need one: a body with which they succeed. */
const SUCCESS: Record<string, Build | undefined> = {
	createCategory: () => ({ body: { name: 'Toys' } }),
	createProduct: () => ({ body: { title: 'Kite' } }),
	updateProduct: () => ({ body: { title: 'Better' } }),
	batchProducts: () => ({ body: { operations: [upsert('NEW-1')] } }),
	importCatalog: () => ({ body: { operations: [] } }),
	updateOrder: () => ({ body: { merchant_note: 'seen' } }),
	fulfillOrder: ({ line }) => ({ body: { items: [line] } }),
	setInventoryLevel: ({ sku }) => ({ body: level(sku) }),
	adjustInventoryLevel: ({ sku }) => ({ body: adjustment(sku) }),
	createCustomer: () => ({ body: { email: 'a@b.example' } }),
	updateCustomer: () => ({ body: { first_name: 'Ann' } }),
	createWebhook: () => ({ body: hook }),
	updateWebhook: () => ({ body: { description: 'new' } }),
};

/** Requests that end in 404 or 409 by what they say, and the one that ends in 207. */
const SPECIAL: Record<string, Build | undefined> = {
	'updateOrder 409': ({ cancelled }) => ({ id: cancelled, body: { status: 'paid' } }),
	'cancelOrder 409': ({ cancelled }) => ({ id: cancelled }),
	'fulfillOrder 409': ({ cancelled, line }) => ({ id: cancelled, body: { items: [line] } }),
	'refundOrder 409': ({ cancelled }) => ({ id: cancelled }),
	'setInventoryLevel 409': ({ sku }) => ({ body: level(sku, '2001-01-01T00:00:00Z') }),
	'adjustInventoryLevel 409': ({ sku }) => ({
		body: adjustment(sku),
		headers: { 'if-match': '"999"' },
	}),
	'batchProducts 207': () => ({
		body: { operations: [upsert('NEW-2'), upsert('NEW-3', 'erase')] },
	}),
	'setInventoryLevel 404': () => ({ body: level('NONE') }),
	'adjustInventoryLevel 404': () => ({ body: adjustment('NONE') }),
};

/** The path of an operation, of the record that stands for its resource. */
function pathOf({ template }: Operation, fixtures: Fixtures, id?: string): string {
	const { customer, paid, product, webhook } = fixtures;
	const [, resource] = template.split('/');
	const usual = { customers: customer, orders: paid, products: product, webhooks: webhook };
	return template.replace('{id}', id ?? usual[resource as keyof typeof usual]);
}

const RELEASED = { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true };

async function makeFixtures(platform: Platform): Promise<Fixtures> {
	const { control } = platform;
	await control.reset();
	const api = apiClient(platform);
	const first = async (kind: 'products' | 'customers') =>
		(await control.list({ kind, limit: 1 })).records[0];
	const [product, customer] = [await first('products'), await first('customers')];
	const { order: paid } = await control.payOrder();
	const { order: cancelled } = await control.createOrder({ status: 'cancelled' });
	const webhook = await api.data('/webhooks', { method: 'POST', body: hook });
	const [line] = paid.line_items as Array<{ line_item_id: string }>;
	const [{ sku }] = product.variants as Array<{ sku: string }>;
	return {
		api,
		product: String(product.id),
		customer: String(customer.id),
		paid: String(paid.id),
		cancelled: String(cancelled.id),
		webhook: String(webhook.id),
		sku,
		line: { line_item_id: line.line_item_id, quantity: 1 },
	};
}

/** How to bring about a status with the request that otherwise succeeds. */
const VARY: Record<
	number,
	(
		send: (change?: ApiRequest, path?: (path: string) => string) => Promise<number>,
		platform: Platform,
	) => Promise<number>
> = {
	304: async (send) => await send({ headers: { 'if-none-match': '*' } }),
	400: async (send) => await send(undefined, (path) => `${path}?nonsense=1`),
	401: async (send) => await send({ apiKey: 'unknown' }),
	403: async (send, { control }) => {
		const { apiKey } = await control.createKey({ scopes: [], plan: 'starter' });
		return await send({ apiKey });
	},
	404: async (send) => await send(undefined, (path) => path.replace(/_[0-9a-z]{4,}/, '_nosuch')),
	422: async (send) => {
		const headers = { 'idempotency-key': 'one' };
		await send({ headers });
		return await send({ headers }, (path) => `${path}?`);
	},
	429: async (send, { control }) => {
		await control.configure({ dayBudget: 0 });
		return await send();
	},
	501: async (send, { control }) => {
		await control.configure({ inDevelopment: DEFAULT_SETTINGS.inDevelopment });
		return await send();
	},
};

/** After the others, records or settings are not what they were. */
const LEAVES_ALL_AS_IT_WAS = new Set([304, 400, 401, 403, 404, 409]);

describe('every status of every operation of openapi.yaml', () => {
	const { platform } = usePlatform({
		products: 20,
		orders: 20,
		customers: 5,
		inDevelopment: RELEASED,
	});

	it('comes about, and no answer strays from the contract', async () => {
		const { operations } = await loadContract();
		const failures: string[] = [];
		let fixtures: Fixtures | undefined;
		for (const operation of operations) {
			const { id, method, statuses } = operation;
			for (const status of [...statuses].filter((one) => one !== 'default').map(Number)) {
				const set = fixtures ?? (await makeFixtures(platform));
				const said = (SPECIAL[`${id} ${status}`] ?? SUCCESS[id])?.(set) ?? {};
				const path = pathOf(operation, set, said.id);
				const request = { method, body: said.body, headers: said.headers };
				const send = async (change: ApiRequest = {}, moved = (old: string) => old) =>
					(await set.api.send(moved(path), { ...request, ...change })).status;
				const isVaried = !(`${id} ${status}` in SPECIAL) && status in VARY;
				const got = isVaried ? await VARY[status](send, platform) : await send();
				if (got !== status) failures.push(`${id} ${status}: got ${got}`);
				fixtures = LEAVES_ALL_AS_IT_WAS.has(status) ? set : undefined;
			}
		}
		const { violations } = await platform.control.counters();
		expect([...failures, ...violations]).toEqual([]);
	}, 60_000);
});
