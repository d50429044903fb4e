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

/**
 * An order in short: what the API document names, and the line items, which it tells by their
 * `line_item_id`. Values stay as the platform sent them, masked ones too.
 */
export function simplifyOrder(order: IDataObject): IDataObject {
	const kept = Object.entries(order).filter(
		([name, value]) =>
			NAMED.has(name.replaceAll(/[_\s-]/g, '').toLowerCase()) || holdsLineItems(value),
	);
	return Object.fromEntries(kept);
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
