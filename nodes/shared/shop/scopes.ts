/**
 * The scopes that each group of paths probably needs, among those that the API document names (Authentication, "Scopes
 * that exist"). The first path that fits counts.
 */
const NEEDED: Array<{ path: RegExp; reads?: string; writes?: string }> = [
	{ path: /^\/orders\/[^/]+\/fulfillments$/, writes: 'fulfillments.write' },
	// The document says "Requires payment scopes", but does not show their names.
	{ path: /^\/orders\/[^/]+\/refunds$/ },
	{ path: /^\/orders(\/|$)/, reads: 'orders.read', writes: 'orders.write' },
	{ path: /^\/products(\/|$)/, reads: 'products.read', writes: 'products.write' },
	{ path: /^\/jobs\/catalog-import$/, writes: 'products.write' },
	{ path: /^\/inventory(\/|$)/, reads: 'inventory.read', writes: 'inventory.write' },
	{ path: /^\/customers(\/|$)/, reads: 'customers.read', writes: 'customers.write' },
	{ path: /^\/webhooks(\/|$)/, reads: 'webhooks.manage', writes: 'webhooks.manage' },
];

/**
 * The scope that a request probably needs. The API document names scopes by group, not by endpoint ("Endpoints").
 *
 * @returns undefined if the document names no group for it (account, categories, event stream, refunds)
 */
export function scopeOf({ method, path }: { method: string; path: string }) {
	const needed = NEEDED.find((entry) => entry.path.test(path));
	return method === 'GET' ? needed?.reads : needed?.writes;
}
