import { loadContract, type Operation } from '../api/contract';
import { type Platform } from '../index';
import { apiClient, type ApiClient, type ApiRequest } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const LEVEL = { sku: '', location_id: 'sloc_main', quantity: 5, updated_at: '' };

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

const newLevel = () => ({ ...LEVEL, updated_at: new Date().toISOString() });
const adjustment = (sku: string) => ({ sku, location_id: 'sloc_main', delta: 1 });

/** Of the operations that need one: a body with which they succeed. */
const SUCCESS: Record<string, Build | undefined> = {
	createCategory: () => ({ body: { name: 'Toys' } }),
	createProduct: () => ({ body: { title: 'Kite' } }),
	updateProduct: () => ({ body: { title: 'Better' } }),
	batchProducts: () => ({ body: { operations: [{ op: 'upsert', sku: 'NEW-1', title: 'New' }] } }),
	importCatalog: () => ({ body: { operations: [] } }),
	updateOrder: () => ({ body: { merchant_note: 'seen' } }),
	fulfillOrder: ({ line }) => ({ body: { items: [line] } }),
	setInventoryLevel: ({ sku }) => ({ body: { ...newLevel(), sku } }),
	adjustInventoryLevel: ({ sku }) => ({ body: adjustment(sku) }),
	createCustomer: () => ({ body: { email: 'a@b.example' } }),
	updateCustomer: () => ({ body: { first_name: 'Ann' } }),
	createWebhook: () => ({ body: { url: 'https://r.example/', events: ['order.paid'] } }),
	updateWebhook: () => ({ body: { description: 'new' } }),
};

/** Requests that end in 404 or 409 by what they say, and the one that ends in 207. */
const SPECIAL: Record<string, Build | undefined> = {
	'updateOrder 409': ({ cancelled }) => ({ id: cancelled, body: { status: 'paid' } }),
	'cancelOrder 409': ({ cancelled }) => ({ id: cancelled }),
	'fulfillOrder 409': ({ cancelled, line }) => ({ id: cancelled, body: { items: [line] } }),
	'refundOrder 409': ({ cancelled }) => ({ id: cancelled }),
	'setInventoryLevel 409': ({ sku }) => ({
		body: { ...LEVEL, sku, updated_at: '2001-01-01T00:00:00Z' },
	}),
	'adjustInventoryLevel 409': ({ sku }) => ({
		body: adjustment(sku),
		headers: { 'if-match': '"999"' },
	}),
	'batchProducts 207': () => ({
		body: {
			operations: [
				{ op: 'upsert', sku: 'NEW-2', title: 'New' },
				{ op: 'erase', sku: 'NEW-3' },
			],
		},
	}),
	'setInventoryLevel 404': () => ({ body: { ...newLevel(), sku: 'NONE' } }),
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
	const [{ order: paid }, { order: cancelled }, [product], [customer], webhook] = await Promise.all(
		[
			control.payOrder(),
			control.createOrder({ status: 'cancelled' }),
			api.data<Array<{ id: string; variants: Array<{ sku: string }> }>>('/products?limit=1'),
			api.data<Array<{ id: string }>>('/customers?limit=1'),
			api.data<{ id: string }>('/webhooks', {
				method: 'POST',
				body: { url: 'http://127.0.0.1:9/', events: ['order.paid'] },
			}),
		],
	);
	const [line] = paid.line_items as Array<{ line_item_id: string }>;
	return {
		api,
		product: product.id,
		customer: customer.id,
		paid: String(paid.id),
		cancelled: String(cancelled.id),
		webhook: webhook.id,
		sku: product.variants[0].sku,
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
		await control.configure({
			inDevelopment: {
				webhookUpdate: false,
				rotateSecret: false,
				webhookTest: false,
				batch: false,
			},
		});
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
