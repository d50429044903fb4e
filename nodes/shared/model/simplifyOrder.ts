import type { IDataObject } from 'n8n-workflow';

/** What the API document names of an order; it writes some of the names in words only (Resources, "Order"). */
const NAMED = new Set([
	'id',
	'status',
	'total',
	'totals',
	'merchantnote',
	'paymentsummary',
	'fulfillmentstate',
	'createdat',
	'updatedat',
]);

/** Totals, payment, fulfillment and line items under other names: the document gives them in words only. */
const OF_A_NAMED_GROUP = /total|payment|fulfil|items$|lines$|positions$|status$|state$/;

/**
 * An order in short: what the API document names, and the line items, which it tells by their
 * `line_item_id`. Values stay as the platform sent them, masked ones too.
 */
export function simplifyOrder(order: IDataObject): IDataObject {
	const short: IDataObject = {};
	for (const name of Object.keys(order)) {
		const value = order[name];
		if (isNamed(name) || holdsLineItems(value)) short[name] = value;
	}
	return short;
}

/** The names that were looked at before: every order of a shop has the same. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1000;

function isNamed(name: string): boolean {
	const before = known.get(name);
	if (before !== undefined) return before;
	const plain = name.replaceAll(/[_\s-]/g, '').toLowerCase();
	const named = NAMED.has(plain) || OF_A_NAMED_GROUP.test(plain);
	if (known.size < MAX_KNOWN) known.set(name, named);
	return named;
}

function holdsLineItems(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every(
			(entry: unknown) => typeof entry === 'object' && entry !== null && 'line_item_id' in entry,
		)
	);
}
