import type { IDataObject } from 'n8n-workflow';

import { holdsLineItems } from './lineItems';
import { lastWord, plainName } from './names';

/**
 * What the API document names of an order; it writes some of the names in words only (Resources, "Order"). Then
 * by what people know an order: the document says that personal data is there, not under which names.
 */
const NAMED = new Set([
	'id',
	'status',
	'total',
	'totals',
	'merchantnote',
	'paymentsummary',
	'fulfillmentstate',
	'name',
	'customer',
	'customerid',
	'customername',
]);

/** Totals, payment, fulfillment and line items under other names: the document gives them in words only. */
const OF_A_NAMED_GROUP = /total|payment|fulfil|items$|lines$|positions$|status$|state$/;

/** Number, e-mail, addresses and dates, whatever stands before. */
const LAST_WORDS = new Set([
	'number',
	'no',
	'email',
	'mail',
	'currency',
	'address',
	'addresses',
	'at',
	'date',
	'time',
]);

/**
 * An order in short: what the API document names, by what people know it (number, e-mail, customer, addresses,
 * dates), and the line items, which it tells by their `line_item_id`. Values stay as the platform sent them, masked
 * ones too.
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
	const plain = plainName(name);
	const named = NAMED.has(plain) || OF_A_NAMED_GROUP.test(plain) || LAST_WORDS.has(lastWord(name));
	if (known.size < MAX_KNOWN) known.set(name, named);
	return named;
}
