import { randomBytes } from 'node:crypto';

import { family, newDeliveryId, sign, timestampOf } from '../../platform/support/delivery';
import { page, pageSize, type Query } from './lists';
import { orderRecord } from './orderRecord';
import { findOrder } from './orders';
import { findProduct, productRecord } from './products';
import { settings } from './settings';
import { customerRecord, findCustomer } from './shop';
import { engineClass, repository, service } from './vendure';
import { badInput, notFound, without, type Json } from './values';

interface Webhook extends Json {
	id: string;
	url: string;
	events: string[];
	secret: string;
}

const webhooks = new Map<string, Webhook>();
/** The event stream, oldest first. */
const stream: Array<{ event_id: string; event: string; timestamp: string; payload: Json }> = [];
/** Every delivery with the status of its answer. */
export const deliveries: Json[] = [];
const DELIVERY_TIMEOUT_MS = 10_000;

export function createWebhook({ url, events, description = '' }: Json): Webhook {
	if (!String(url).startsWith('https://')) throw badInput('url must be HTTPS');
	const id = `wh_${randomBytes(6).toString('hex')}`;
	const secret = `whsec_${randomBytes(24).toString('hex')}`;
	const [address, names] = [String(url), events as string[]];
	const webhook = { id, url: address, events: names, description, status: 'enabled', secret };
	webhooks.set(id, webhook);
	return webhook;
}

const withoutSecret = (webhook: Webhook): Json => without(webhook, 'secret');

export const listWebhooks = (query: Query) =>
	page([...webhooks.values()].map(withoutSecret), pageSize(query));

export function findWebhook(id: string): Json {
	const webhook = webhooks.get(id);
	if (webhook === undefined) throw notFound('Webhook', id);
	return withoutSecret(webhook);
}

export function deleteWebhook(id: string): void {
	if (!webhooks.delete(id)) throw notFound('Webhook', id);
}

export function listEvents(query: Query) {
	const limit = pageSize(query);
	const after = stream.findIndex(({ event_id: id }) => id === query.after_event_id);
	const data = stream.slice(after + 1, after + 1 + limit);
	const hasMore = after + 1 + limit < stream.length;
	return { ...page(data, limit), pagination: { limit, next_cursor: null, has_more: hasMore } };
}

function publish(event: string, payload: Json): void {
	const id = `evt_${String(stream.length + 1).padStart(8, '0')}`;
	const timestamp = new Date().toISOString();
	stream.push({ event_id: id, event, timestamp, payload });
	for (const webhook of webhooks.values())
		if (webhook.events.includes(event)) void deliver(webhook, event, { event, timestamp, payload });
}

/** Delivers once. A try that needs a second delivery sends it itself. */
async function deliver({ url, secret }: Webhook, event: string, content: Json): Promise<void> {
	const body = JSON.stringify(content);
	const headers = {
		'content-type': 'application/json',
		...family('x-shop', sign(body, secret), timestampOf(Date.now()), newDeliveryId()),
		'x-shop-event': event,
	};
	const { pathname, origin } = new URL(url);
	const signal = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
	const address = (settings.webhookOrigin ?? origin) + pathname;
	const status = await fetch(address, { method: 'POST', headers, body, signal }).then(
		(response) => response.status,
		(error: Error) => String(error.cause ?? error.name),
	);
	deliveries.push({ event, status, body, headers, address });
}

interface EngineEvent {
	type: 'created' | 'updated' | 'deleted';
	toState: string;
	order?: { id: string };
	fulfillment?: { orders?: Array<{ id: string }> };
	entity: { id: string } & Array<{ id: string; sku: string; productId: string }>;
	stockMovements: Array<{
		id: string;
		type: string;
		quantity: number;
		productVariant: { id: string };
	}>;
}

const ORDER_EVENTS: Record<string, string> = {
	PaymentSettled: 'order.paid',
	Shipped: 'order.fulfilled',
	Cancelled: 'order.cancelled',
};
/** Changes of an order at which the engine leaves its `updatedAt` as it is, which `updated_since` needs. */
const CHANGES = [
	'OrderStateTransition',
	'FulfillmentStateTransition',
	'RefundStateTransition',
	'Refund',
];

/** Turns what the engine's own bus says into the document's events. */
export function listenToEngine(): void {
	const on = (name: string, handle: (event: EngineEvent) => Promise<unknown>) =>
		service('EventBus')
			.ofType(engineClass(`${name}Event`))
			.subscribe((event: EngineEvent) => void handle(event).catch(console.error));
	for (const name of CHANGES)
		on(name, async ({ order, fulfillment }) => {
			const id = order?.id ?? fulfillment?.orders?.[0]?.id;
			if (id) await repository('Order').update(id, { updatedAt: new Date() });
		});
	on('OrderPlaced', async ({ order }) =>
		publish('order.created', orderRecord(await findOrder(String(order!.id)))),
	);
	on('OrderStateTransition', async ({ order, toState }) => {
		const event = ORDER_EVENTS[toState];
		if (event === undefined) return;
		const { id, status, total, ...more } = orderRecord(await findOrder(String(order!.id)));
		publish(event, { id, status, total, ...(event === 'order.paid' ? {} : more) });
	});
	on('Product', async ({ type, entity }) => {
		const id = `prod_${entity.id}`;
		publish(`product.${type}`, type === 'deleted' ? { id } : productRecord(await findProduct(id)));
	});
	on('ProductVariant', async ({ type, entity }) => {
		for (const { id, sku, productId } of type === 'updated' ? entity : [])
			publish('product.updated', { id: `prod_${productId}`, variant_id: String(id), sku });
	});
	on('StockMovement', async ({ stockMovements }) => {
		for (const { id, type, quantity, productVariant } of stockMovements) {
			const variant = await repository('ProductVariant').findOneBy({ id: productVariant.id });
			const movement = { id: String(id), type, quantity };
			publish('inventory.changed', { sku: variant?.sku, stock_movement: movement });
		}
	});
	on('Customer', async ({ type, entity }) => {
		const id = String(entity.id);
		publish(
			`customer.${type}`,
			type === 'deleted' ? { id } : customerRecord(await findCustomer(id)),
		);
	});
}
