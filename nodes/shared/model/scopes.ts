/**
 * The scope that each operation probably needs: the API document names the scopes by group (Authentication,
 * "Scopes that exist"), not by endpoint, and says so. Undefined where it gives not even a group: account,
 * categories and the event stream, and refunds, whose payment permissions have names that are not shown.
 */
export const SCOPES = {
	'account.get': undefined,
	'category.create': undefined,
	'category.getAll': undefined,
	'customer.create': 'customers.write',
	'customer.get': 'customers.read',
	'customer.getAll': 'customers.read',
	'customer.update': 'customers.write',
	'event.getAll': undefined,
	'inventory.adjust': 'inventory.write',
	'inventory.getAll': 'inventory.read',
	'inventory.set': 'inventory.write',
	'order.cancel': 'orders.write',
	'order.fulfill': 'fulfillments.write',
	'order.get': 'orders.read',
	'order.getAll': 'orders.read',
	'order.refund': undefined,
	'order.update': 'orders.write',
	'product.create': 'products.write',
	'product.delete': 'products.write',
	'product.get': 'products.read',
	'product.getAll': 'products.read',
	'product.importCatalog': 'products.write',
	'product.update': 'products.write',
	'product.upsert': 'products.write',
	'webhook.create': 'webhooks.manage',
	'webhook.delete': 'webhooks.manage',
	'webhook.get': 'webhooks.manage',
	'webhook.getAll': 'webhooks.manage',
	'webhook.recreate': 'webhooks.manage',
	'webhook.rotateSecret': 'webhooks.manage',
	'webhook.test': 'webhooks.manage',
	'webhook.update': 'webhooks.manage',
} as const satisfies Record<string, string | undefined>;

/**
 * The scope that an operation probably needs, for messages and docs.
 *
 * @param resource e.g. `order`
 * @param operation e.g. `cancel`
 */
export function probableScope(resource: string, operation: string): string | undefined {
	const scopes: Record<string, string | undefined> = SCOPES;
	return scopes[`${resource}.${operation}`];
}
