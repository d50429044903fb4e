import type { IDataObject } from 'n8n-workflow';

import { isListOfObjects } from '../values/json';

/** A field's name without its spelling: `order_number`, `orderNumber` and `Order number` are one. */
export const plainName = (name: string): string => name.replaceAll(/[_\s-]/g, '').toLowerCase();

/** The last word of a field's name, e.g. `at` of `created_at` and of `createdAt`. */
const lastWord = (name: string): string =>
	(/[A-Z]?[a-z0-9]+$|[A-Z]+$/.exec(name.slice(-MAX_WORD_LENGTH))?.[0] ?? name).toLowerCase();

/** No word is as long, so that no name keeps the pattern busy. Characters. */
const MAX_WORD_LENGTH = 64;

/**
 * Names of the line items, the surest first; the API document has them in words only (Resources, "Order"). A list
 * under any other name may hold lines that were cancelled, returned or sent.
 */
const OF_LINE_ITEMS = ['lineitems', 'items', 'orderitems', 'orderlines', 'lines', 'positions'];

/** Whether a value is the list of an order's line items, which it tells by their `line_item_id`. */
const holdsLineItems = (value: unknown): boolean =>
	isListOfObjects(value) && value.length > 0 && value.every((entry) => 'line_item_id' in entry);

/**
 * The line items of an order.
 *
 * @returns undefined if the order holds none, as in a list that leaves them out
 */
export function lineItemsOf(order: IDataObject): IDataObject[] | undefined {
	const lists = Object.entries(order).filter(([, value]) => isListOfObjects(value));
	const named = lists.map(([name, value]) => [plainName(name), value] as const);
	const wanted = OF_LINE_ITEMS.find((list) => named.some(([name]) => name === list));
	return named.find(([name]) => name === wanted)?.[1] as IDataObject[] | undefined;
}

/**
 * What the API document names of an order; it writes some of the names in words only (Resources, "Order"): totals,
 * payment, fulfillment and line items may have other names. Then by what people know an order: the document says that
 * personal data is there, not under which names.
 */
const NAMED =
	/^(id|name|merchantnote|customer(id|name)?)$|total|payment|fulfil|(items|lines|positions|status|state)$/;

/** Number, e-mail, addresses and dates, whatever stands before. */
const LAST_WORDS = /^(number|no|e?mail|currency|address(es)?|at|date|time)$/;

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
const answersByName = new Map<string, boolean>();
const MAX_KNOWN = 1000;

function isNamed(name: string): boolean {
	const before = answersByName.get(name);
	if (before !== undefined) return before;
	const named = NAMED.test(plainName(name)) || LAST_WORDS.test(lastWord(name));
	if (answersByName.size < MAX_KNOWN) answersByName.set(name, named);
	return named;
}

/** Consent must be respected (API document, "Customer"), so it is never left out; its field names are not shown. */
const CONSENT = /consent|marketing|opt_?in|subscri/i;

/**
 * A customer in short. The API document shows no field names, so it goes by shape: single values stay,
 * nested ones go, but for those about consent.
 */
export function simplifyCustomer(customer: IDataObject): IDataObject {
	const short: IDataObject = {};
	for (const name of Object.keys(customer)) {
		const value = customer[name];
		if (typeof value !== 'object' || value === null || CONSENT.test(name)) short[name] = value;
	}
	return short;
}
