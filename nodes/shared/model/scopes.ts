import type { PlatformRequest } from '../api/request';

/** The scopes that the API document names (Authentication, "Scopes that exist"). */
export type Scope =
	| 'customers.read'
	| 'customers.write'
	| 'fulfillments.write'
	| 'inventory.read'
	| 'inventory.write'
	| 'orders.read'
	| 'orders.write'
	| 'products.read'
	| 'products.write'
	| 'webhooks.manage';

interface Needed {
	path: RegExp;
	reads?: Scope;
	writes?: Scope;
}

/** What each group of paths probably needs; the first that fits counts. */
const NEEDED: Needed[] = [
	{ path: /^\/orders\/[^/]+\/fulfillments$/, writes: 'fulfillments.write' },
	// "Requires payment scopes", whose names are not shown.
	{ path: /^\/orders\/[^/]+\/refunds$/ },
	{ path: /^\/orders(\/|$)/, reads: 'orders.read', writes: 'orders.write' },
	{ path: /^\/products(\/|$)/, reads: 'products.read', writes: 'products.write' },
	{ path: /^\/jobs\/catalog-import$/, writes: 'products.write' },
	{ path: /^\/inventory(\/|$)/, reads: 'inventory.read', writes: 'inventory.write' },
	{ path: /^\/customers(\/|$)/, reads: 'customers.read', writes: 'customers.write' },
	{ path: /^\/webhooks(\/|$)/, reads: 'webhooks.manage', writes: 'webhooks.manage' },
];

/**
 * The scope that a request probably needs: the API document names scopes by group, not by endpoint ("Endpoints").
 *
 * @returns undefined where it gives not even a group (account, categories, event stream, refunds)
 */
export function scopeOf({ method, path }: Pick<PlatformRequest, 'method' | 'path'>) {
	const needed = NEEDED.find((one) => one.path.test(path));
	return method === 'GET' ? needed?.reads : needed?.writes;
}
