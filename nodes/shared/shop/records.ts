import type { IDataObject } from 'n8n-workflow';

import { isListOfObjects } from '../values/json';

/** A field's name in one spelling: `order_number`, `orderNumber` and `Order number` become the same. */
export const plainName = (name: string): string => name.replaceAll(/[_\s-]/g, '').toLowerCase();

/** The last word of a field's name, e.g. `at` in `created_at` and `createdAt`. */
const lastWord = (name: string): string =>
	(/[A-Z]?[a-z0-9]+$|[A-Z]+$/.exec(name.slice(-MAX_WORD_LENGTH))?.[0] ?? name).toLowerCase();

/** No word is longer, so that no name keeps the pattern busy. Characters. */
const MAX_WORD_LENGTH = 64;

/**
 * Names of the list of line items, the surest first. The API document only describes it in words (Resources, "Order").
 * A list with any other name may hold lines that were cancelled, returned or sent.
 */
const LINE_ITEM_LISTS = ['lineitems', 'items', 'orderitems', 'orderlines', 'lines', 'positions'];

/** Whether a value is a list of line items: each has a `line_item_id`. */
const holdsLineItems = (value: unknown): boolean =>
	isListOfObjects(value) && value.length > 0 && value.every((entry) => 'line_item_id' in entry);

/**
 * The line items of an order.
 *
 * @returns undefined if the order has none in it, as in a list that leaves them out
 */
export function lineItemsOf(order: IDataObject): IDataObject[] | undefined {
	const lists = Object.entries(order).filter(([, value]) => isListOfObjects(value));
	const plainLists = lists.map(([name, value]) => [plainName(name), value] as const);
	const wanted = LINE_ITEM_LISTS.find((list) => plainLists.some(([name]) => name === list));
	return plainLists.find(([name]) => name === wanted)?.[1] as IDataObject[] | undefined;
}

/**
 * Fields of an order that the API document names. It only describes some of them in words (Resources, "Order"), so
 * totals, payment, fulfillment and line items are found under several names.
 */
const NAMED_FIELDS =
	/^(id|name|merchantnote|customer(id|name)?)$|total|payment|fulfil|(items|lines|positions|status|state)$/;

/**
 * The last words of fields by which people know an order: number, e-mail, addresses and dates. The document says that
 * personal data is there, but not under which names.
 */
const LAST_WORDS = /^(number|no|e?mail|currency|address(es)?|at|date|time)$/;

/**
 * Simplifies an order: it keeps the fields that the API document names, those by which people know the order (number,
 * e-mail, customer, addresses, dates), and the line items. Values stay as the platform sent them, masked ones too.
 */
export function simplifyOrder(order: IDataObject): IDataObject {
	const short: IDataObject = {};
	for (const name of Object.keys(order)) {
		const value = order[name];
		if (isKeptField(name) || holdsLineItems(value)) short[name] = value;
	}
	return short;
}

/** What {@link isKeptField} answered before: all orders of a shop have the same fields. */
const answersByName = new Map<string, boolean>();
const MAX_CACHED = 1000;

function isKeptField(name: string): boolean {
	const cachedAnswer = answersByName.get(name);
	if (cachedAnswer !== undefined) return cachedAnswer;
	const isKept = NAMED_FIELDS.test(plainName(name)) || LAST_WORDS.test(lastWord(name));
	if (answersByName.size < MAX_CACHED) answersByName.set(name, isKept);
	return isKept;
}

/**
 * Fields about consent are never left out, since it must be respected (API document, "Customer"). The document does not
 * show their names.
 */
const CONSENT = /consent|marketing|opt_?in|subscri/i;

/**
 * Simplifies a customer. The API document shows no field names, so single values stay and nested ones go, except those
 * about consent.
 */
export function simplifyCustomer(customer: IDataObject): IDataObject {
	const short: IDataObject = {};
	for (const name of Object.keys(customer)) {
		const value = customer[name];
		if (typeof value !== 'object' || value === null || CONSENT.test(name)) short[name] = value;
	}
	return short;
}
