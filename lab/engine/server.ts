import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';

import { LOOPBACK } from '../../platform/support/ports';
import {
	createWebhook,
	deleteWebhook,
	deliveries,
	findWebhook,
	listEvents,
	listWebhooks,
} from './events';
import type { Query } from './lists';
import { orderRecord } from './orderRecord';
import { cancel, findOrder, fulfill, listOrders, refund, updateOrder } from './orders';
import {
	deleteProduct,
	findProduct,
	listProducts,
	productRecord,
	upsertProduct,
	writeBatch,
	writeProduct,
} from './products';

import { makeOrder } from './seed';
import { API_KEY, requests, settings } from './settings';
import {
	account,
	createCategory,
	customerRecord,
	findCustomer,
	listCategories,
	listCustomers,
	listLevels,
	writeCustomer,
	writeLevel,
} from './shop';
import { GraphqlError, graphql, service, type AddedJob } from './vendure';
import { Refusal, badInput, shown, type Json } from './values';

/** A budget that no try can spend. */
const MINUTE_MS = 60_000;
const LIMITS = { per_minute: 100_000, per_day: 10_000_000 };

interface Call {
	query: Query;
	body: Json;
	/** The record in the path. */
	id: string;
}

/** Status and body; a list is its own body, a record stands in `data`. */
type Answer = [status: number, body?: object];
const data = (record: object, status = 200): Answer => [status, { data: record }];

let importQueue: { add(content: object, options: object): Promise<AddedJob> };

/** The endpoints of the API document, by method and path. What is not here is answered 404. */
const ROUTES: Record<string, (call: Call) => Promise<Answer>> = {
	'GET /account': async () => data(await account(LIMITS)),
	'GET /categories': async ({ query }) => [200, await listCategories(query)],
	'POST /categories': async ({ body }) => data(await createCategory(body), 201),
	'GET /products': async ({ query }) => [200, await listProducts(query)],
	'POST /products': async ({ body }) => data(productRecord(await writeProduct(body)), 201),
	'POST /products/batch': async ({ body }) => {
		if (settings.batch) return await writeBatch(body);
		throw new Refusal(404, 'NOT_FOUND', 'Cannot POST /v1/products/batch');
	},
	'POST /jobs/catalog-import': async ({ body }) => {
		const operations = body.operations ?? body.products;
		if (!Array.isArray(operations)) throw badInput('operations must be a list');
		const { id, queueName, createdAt, state, progress } = await importQueue.add(
			{ operations },
			{ retries: 0 },
		);
		return data(shown({ id: `job_${id}`, queueName, createdAt, state, progress }) as Json, 202);
	},
	'GET /products/{id}': async ({ id }) => data(productRecord(await findProduct(id))),
	'PATCH /products/{id}': async ({ id, body }) => data(productRecord(await writeProduct(body, id))),
	'DELETE /products/{id}': async ({ id }) => (await deleteProduct(id), [204]),
	'GET /orders': async ({ query }) => [200, await listOrders(query)],
	'GET /orders/{id}': async ({ id }) => data(orderRecord(await findOrder(id))),
	'PATCH /orders/{id}': async ({ id, body }) => data(await updateOrder(id, body)),
	'POST /orders/{id}/cancel': async ({ id, body }) => data(await cancel(id, body)),
	'POST /orders/{id}/fulfillments': async ({ id, body }) => data(await fulfill(id, body), 201),
	'POST /orders/{id}/refunds': async ({ id, body }) => data(await refund(id, body), 201),
	'GET /inventory/levels': async ({ query }) => [200, await listLevels(query)],
	'PUT /inventory/levels': async ({ body }) => data(await writeLevel(body, () => body.quantity)),
	'POST /inventory/levels/adjust': async ({ body }) =>
		data(await writeLevel(body, (quantity) => quantity + Number(body.delta))),
	'GET /customers': async ({ query }) => [200, await listCustomers(query)],
	'GET /customers/{id}': async ({ id }) => data(customerRecord(await findCustomer(id))),
	'POST /customers': async ({ body }) => data(await writeCustomer(body), 201),
	'PATCH /customers/{id}': async ({ id, body }) => data(await writeCustomer(body, id)),
	'GET /webhooks': async ({ query }) => [200, listWebhooks(query)],
	'GET /webhooks/{id}': async ({ id }) => data(findWebhook(id)),
	'POST /webhooks': async ({ body }) => data(createWebhook(body), 201),
	'DELETE /webhooks/{id}': async ({ id }) => (deleteWebhook(id), [204]),
	'GET /events': async ({ query }) => [200, listEvents(query)],
};

/** The imports of whole catalogs, in the engine's own queue. */
export async function startImports(): Promise<void> {
	importQueue = await service('JobQueueService').createQueue({
		name: 'catalog-import',
		process: async (job) => {
			const errors: string[] = [];
			for (const [index, operation] of job.data.operations.entries()) {
				await upsertProduct(operation).catch((error: Error) =>
					errors.push(`Line ${index + 1}: ${error.message}`),
				);
				job.setProgress(Math.floor(((index + 1) / job.data.operations.length) * 100));
			}
			const processed = job.data.operations.length;
			return { processed, imported: processed - errors.length, errors };
		},
	});
}

/** Answers of writes by their Idempotency-Key: the document says nothing of repeats, so the first answer stands. */
const answers = new Map<string, Answer>();

async function answer(request: IncomingMessage, url: URL, body: Json): Promise<Answer> {
	if (request.headers.authorization !== `Bearer ${API_KEY}`)
		throw new Refusal(
			401,
			'UNAUTHORIZED',
			'You are not currently authorized to perform this action',
		);
	const path = url.pathname.replace(/^\/v1/, '');
	const query = Object.fromEntries(url.searchParams);
	if ('offset' in query) throw new Refusal(400, 'INVALID_PARAMETER', 'offset is not supported');
	const [, collection, id = '', action] = /^(\/[^/]+)(?:\/([^/]+))?(\/[^/]+)?$/.exec(path) ?? [];
	const route =
		ROUTES[`${request.method} ${path}`] ??
		ROUTES[`${request.method} ${collection}/{id}${action ?? ''}`];
	if (route === undefined)
		throw new Refusal(404, 'NOT_FOUND', `Cannot ${request.method} ${url.pathname}`);
	const given = request.headers['idempotency-key'];
	const key = given === undefined ? undefined : `${request.method} ${path} ${String(given)}`;
	const known = answers.get(key ?? '');
	if (known !== undefined) return known;
	const result = await route({ query, body, id: decodeURIComponent(id) });
	if (key !== undefined) answers.set(key, result);
	return result;
}

function refusalOf(error: unknown): Answer {
	if (error instanceof Refusal)
		return [error.status, { code: error.code, message: error.message, ...error.more }];
	if (error instanceof GraphqlError)
		return [
			error.code === 'ENTITY_NOT_FOUND' ? 404 : 400,
			{ code: error.code, message: error.message },
		];
	console.error(error);
	return [500, { code: 'INTERNAL_SERVER_ERROR', message: String(error) }];
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const url = new URL(request.url ?? '/', `http://${LOOPBACK}`);
	const isRead = request.method === 'GET' || request.method === 'DELETE';
	const body = isRead ? {} : ((await jsonOf(request).catch(() => ({}))) as Json);
	if (url.pathname === '/_control') return send(response, await control(body).catch(refusalOf));
	const result = await answer(request, url, body).catch(refusalOf);
	const entry = { method: request.method ?? '', path: request.url ?? '', body, status: result[0] };
	requests.push(entry);
	if (request.method === 'GET' || settings.dropAnswers === 0 || result[0] >= 400)
		return send(response, result);
	settings.dropAnswers--;
	request.socket.destroy();
}

function send(response: ServerResponse, [status, body]: Answer): void {
	const id = `req_${requests.length}`;
	const window = Math.ceil(Date.now() / MINUTE_MS) * (MINUTE_MS / 1_000);
	response.writeHead(status, {
		'content-type': 'application/json',
		'x-ratelimit-limit': LIMITS.per_minute,
		'x-ratelimit-remaining': LIMITS.per_minute - 1,
		'x-ratelimit-reset': window,
		'x-ratelimit-limit-day': LIMITS.per_day,
		'x-ratelimit-remaining-day': LIMITS.per_day - 1,
	});
	const isError = status >= 400;
	const whole = isError ? { ...body, request_id: id } : body;
	response.end(whole === undefined ? undefined : JSON.stringify(whole));
}

/** What the tries ask for beside the API: settings, a new order of some kind, the engine's own answers, the log. */
async function control(body: Json): Promise<Answer> {
	const { set, order, query, variables, clear } = body;
	Object.assign(settings, set);
	if (typeof order === 'string') return [200, { id: await makeOrder(order) }];
	if (typeof query === 'string') return [200, await graphql<object>(query, variables as Json)];
	if (clear === true) [requests, deliveries].forEach((log) => log.splice(0));
	return [200, { requests, deliveries }];
}

/** Serves the API on loopback only. */
export const serve = (port: number): void =>
	void createServer((request, response) => void handle(request, response)).listen(port, LOOPBACK);
