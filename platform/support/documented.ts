/** The API document's own lists, in its order (Authentication: scopes that exist; Events: event names). */
export const DOCUMENTED_SCOPES = [
	'products.read',
	'products.write',
	'orders.read',
	'orders.write',
	'fulfillments.write',
	'inventory.read',
	'inventory.write',
	'customers.read',
	'customers.write',
	'webhooks.manage',
] as const;

export const DOCUMENTED_EVENTS = [
	'order.created',
	'order.paid',
	'order.fulfilled',
	'order.cancelled',
	'product.created',
	'product.updated',
	'product.deleted',
	'inventory.changed',
	'customer.created',
	'customer.updated',
	'customer.deleted',
] as const;
