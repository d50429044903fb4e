import type { Answer, Call, Handler } from '../api/call';
import { toOperation, type Operation } from '../api/contract';
import type { Budgets } from '../api/rateLimit';
import type { EndpointFields } from '../deliveries/endpoints';
import { createProduct, deleteProduct, updateProduct, upsertProduct } from '../shop/catalog';
import { iso } from '../shop/clock';
import { fulfilOrder, type FulfilmentRequest } from '../shop/fulfilment';
import { moveOrder, patchOrder } from '../shop/orderStates';
import { invalid, notFound, Refusal, requireWritable } from '../shop/refusal';
import { refundOrder, type RefundRequest } from '../shop/refund';
import { adjustLevel, setLevel, type Precondition } from '../shop/stock';
import { create, update, type Fields, type Written } from '../shop/writing';
import { list } from './lists';

type Operations = Fields[];

/** `{ data: resource }` (Conventions). */
const resource = (data: unknown, status = 200): Answer => ({
	status,
	text: JSON.stringify({ data }),
});

/** A handler that answers `{ data }` with the value that `read` returns. */
const gives =
	(read: (call: Call) => unknown, status?: number): Handler =>
	(call) =>
		resource(read(call), status);

const creates = (kind: Written): Handler =>
	gives(({ shop, body }) => {
		requireWritable(body as Fields);
		return create(shop, kind, body as Fields).record;
	}, 201);

/**
 * Delete: 204 No Content on success (Conventions). The API document does not show the answer to a second one
 * (`deleteTwice`).
 */
const removes =
	(remove: (call: Call) => void): Handler =>
	(call) => {
		try {
			remove(call);
		} catch (error) {
			const isUnknown = error instanceof Refusal && error.code === 'NOT_FOUND';
			if (!isUnknown || call.settings.dialect.deleteTwice === 'refused') throw error;
		}
		return { status: 204 };
	};

/** The API document shows no fields of the account but a credential and rate_limits. */
function account({ key, settings, budgets: { minute, day } }: Call) {
	const shown = ({ limit, remaining, resetAt }: Budgets['day']) => ({
		limit,
		remaining,
		reset: Math.ceil(resetAt / 1_000),
	});
	return {
		id: 'acct_local',
		name: 'Local shop',
		environment: 'sandbox',
		plan: key.plan ?? settings.plan,
		credential: { id: key.id, scopes: key.scopes },
		rate_limits: { minute: shown(minute), day: shown(day) },
	};
}

/** POST /products/batch: one result per item, 207 if some failed. */
const batchProducts: Handler = ({ shop, plan, body }) => {
	const { operations } = body as { operations: Operations };
	if (operations.length > plan.batchOperations) {
		throw invalid(`operations: at most ${plan.batchOperations} in one batch`);
	}
	const results = operations.map((operation, index) => {
		const sku = String(operation.sku);
		try {
			const { created, product } = upsertProduct(shop, operation);
			return { index, sku, status: created ? 201 : 200, data: product };
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const { status, code, message } = error;
			return { index, sku, status, error: { code, message } };
		}
	});
	const isWhole = results.every(({ status }) => status < 300);
	return { status: isWhole ? 200 : 207, text: JSON.stringify({ data: results }) };
};

/** The API document does not show the body; `{ operations }` is accepted, as in a batch. */
function importCatalog({ shop, imports, body }: Call) {
	const { operations } = body as { operations?: unknown };
	if (!Array.isArray(operations)) throw invalid('operations must be an array');
	return imports.start(shop, operations as Operations);
}

function cancelOrder({ shop, id, settings }: Call) {
	const { record } = shop.find('orders', id);
	const isRepeated = record.status === 'cancelled' && settings.dialect.repeatedMove === 'taken';
	return isRepeated ? record : moveOrder(shop, id, 'cancelled').order;
}

function refund({ shop, id, body, settings }: Call) {
	if (!settings.paymentProviderLinked) {
		throw new Refusal('PAYMENT_PROVIDER_REQUIRED', 'The shop has no linked payment provider');
	}
	const request = (body ?? {}) as RefundRequest;
	if (request.amount === undefined && settings.dialect.refundWithoutAmount === 'refused') {
		throw invalid('amount is needed');
	}
	return refundOrder(shop, id, request);
}

/** Writes a stock level. The answer carries its version as ETag, which If-Match can name. */
const writesLevel =
	<Wanted>(
		write: (
			shop: Call['shop'],
			wanted: Wanted,
			precondition: Precondition,
		) => ReturnType<typeof setLevel>,
	): Handler =>
	({ shop, body, headers, settings }) => {
		const ifMatch = headers['if-match'] as string | undefined;
		const isEqualStale = settings.dialect.equalUpdatedAt === 'stale';
		const { level } = write(shop, body as Wanted, { ifMatch, isEqualStale });
		return { ...resource(level), headers: { etag: `"${level.version}"` } };
	};

/** The API document does not show the event's name and payload. */
function testWebhook({ dispatcher, shop, id }: Call) {
	const endpoint = shop.find('webhooks', id).record;
	const event = 'webhook.test';
	const timestamp = iso(shop.clock.now());
	const body = JSON.stringify({ event, timestamp, payload: { endpoint_id: endpoint.id } });
	return { delivery_id: dispatcher.start(endpoint, event, body), event };
}

/** The handler of each operationId of openapi.yaml. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
	getAccount: gives(account),
	listCategories: list('categories'),
	createCategory: creates('categories'),
	listProducts: list('products'),
	getProduct: gives(({ shop, id }) => shop.find('products', id).record),
	createProduct: gives(({ shop, body }) => createProduct(shop, body as Fields), 201),
	updateProduct: gives(({ shop, id, body }) => updateProduct(shop, id, body as Fields)),
	deleteProduct: removes(({ shop, id }) => deleteProduct(shop, id)),
	batchProducts,
	importCatalog: gives(importCatalog, 202),
	listOrders: list('orders'),
	getOrder: gives(({ shop, id }) => shop.find('orders', id).record),
	updateOrder: gives(({ shop, id, body }) => patchOrder(shop, id, body as Fields)),
	cancelOrder: gives(cancelOrder),
	fulfillOrder: gives(({ shop, id, body, settings: { dialect } }) => {
		return fulfilOrder(shop, id, body as FulfilmentRequest, dialect.fulfillmentWithoutItems);
	}, 201),
	refundOrder: gives(refund, 201),
	listInventoryLevels: list('inventory'),
	setInventoryLevel: writesLevel(setLevel),
	adjustInventoryLevel: writesLevel(adjustLevel),
	listCustomers: list('customers'),
	getCustomer: gives(({ shop, id }) => shop.find('customers', id).record),
	createCustomer: creates('customers'),
	updateCustomer: gives(({ shop, id, body }) => update(shop, 'customers', id, body as Fields)),
	listWebhooks: list('webhooks'),
	getWebhook: gives(({ shop, id }) => shop.find('webhooks', id).record),
	/** The only answer that shows the secret. */
	createWebhook: gives(
		({ endpoints, body, settings }) => endpoints.create(body as EndpointFields, settings.dialect),
		201,
	),
	deleteWebhook: removes(({ shop, id }) =>
		shop.records.webhooks.remove(shop.find('webhooks', id).index),
	),
	updateWebhook: gives(({ endpoints, id, body, settings }) =>
		endpoints.update(id, body as Partial<EndpointFields>, settings.dialect),
	),
	rotateWebhookSecret: gives(({ endpoints, shop, id, settings }) => ({
		...shop.find('webhooks', id).record,
		secret: endpoints.rotate(id, settings.dialect),
	})),
	testWebhook: gives(testWebhook),
	listEvents: list('events'),
};

const JOB = { 'application/json': { schema: { properties: { data: { title: 'Job' } } } } };

/** Endpoints that openapi.yaml does not have; only some dialects offer them. */
export const UNDOCUMENTED: ReadonlyArray<{ operation: Operation; handler: Handler }> = [
	{
		operation: {
			...toOperation({
				operationId: 'getImportJob',
				method: 'get',
				path: '/jobs/{id}',
				'x-scope': 'products.read',
				responses: { 200: { content: JOB } },
			}),
			isUndocumented: true,
		},
		// The API document names no path for the state of a job; some platforms have this one (`jobPath`).
		handler: gives(({ settings, imports, id }) => {
			if (settings.dialect.jobPath === 'hidden') throw notFound('such endpoint');
			const job = imports.jobs.get(id);
			if (!job) throw notFound(`job ${id}`);
			return job;
		}),
	},
];
