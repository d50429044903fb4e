import type { IDataObject } from 'n8n-workflow';

import { isListOfObjects, isObject, snakeName } from '../values/json';

/** What the shops of several platforms call an order's number, the surest first; the API document shows no name. */
const ORDER_NUMBER_FIELDS = [
	'number',
	'order_number',
	'name',
	'code',
	'display_id',
	'increment_id',
	'reference',
];

/** Those that name nothing else. A code or a reference may be that of a payment, or the customer's. */
export const SURE_NUMBER_FIELDS = ['number', 'order_number', 'name', 'display_id', 'increment_id'];

/** The fields with these names, in whatever spelling, in the order of the names. Looks at each field once. */
function fieldsNamed(
	record: IDataObject,
	names: readonly string[],
): Array<[name: string, value: unknown]> {
	const found: Array<[string, unknown]> = [];
	for (const written of Object.keys(record)) {
		const name = snakeName(written);
		if (names.includes(name)) found.push([name, record[written]]);
	}
	return found.sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
}

const valuesOf = (record: IDataObject, names: readonly string[]): unknown[] =>
	fieldsNamed(record, names).map(([, value]) => value);

/** Whether a value is a number, or a text that says something. */
export const isWritten = (value: unknown): value is number | string =>
	typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** Fields in which a record may have its name, if the API document does not show its fields. */
const NAME_FIELDS = ['title', 'name', 'display_name', 'full_name', 'company'];

/** What a person calls a record, if it says so. */
export function nameOf(record: IDataObject): string | undefined {
	const field = NAME_FIELDS.find((name) => isWritten(record[name]));
	if (field !== undefined) return String(record[field]).trim();
	const parts = [record.first_name, record.last_name].filter(isWritten);
	return parts.length > 0 ? parts.map((part) => String(part).trim()).join(' ') : undefined;
}

/** The numbers of an order as the platform writes them. A `name` without a digit is a person's. */
export const orderNumbersOf = (order: IDataObject, fields = ORDER_NUMBER_FIELDS): string[] =>
	fieldsNamed(order, fields).flatMap(([field, value]) => {
		if (!isWritten(value)) return [];
		const number = String(value).trim();
		return field === 'name' && !/\d/.test(number) ? [] : [number];
	});

/** The number by which people know an order, as the platform writes it; undefined if it has none. */
export const orderNumberOf = (order: IDataObject): string | undefined =>
	orderNumbersOf(order).at(0);

/** Fields in which an order may say who it is for. */
const PERSON_FIELDS = ['customer', 'shipping_address', 'shippingAddress', 'billing_address'];

/** The name of the person whom an order is for, if the order shows one. */
export function personOf(order: IDataObject): string | undefined {
	const names = PERSON_FIELDS.map((field) => order[field])
		.filter(isObject)
		.map(nameOf);
	const { customer_name: customerName } = order;
	const ownName = isWritten(customerName) ? String(customerName).trim() : undefined;
	return names.find((name) => name !== undefined) ?? ownName;
}

/** What is known of an order's customer: the IDs, names and e-mail addresses that the order shows. */
export function customerOf(order: IDataObject) {
	const customer = isObject(order.customer) ? order.customer : {};
	const all = (...values: unknown[]) =>
		values.filter(isWritten).map((value) => String(value).trim());
	return {
		ids: all(order.customer_id, order.customer, customer.id),
		names: all(order.customer_name, nameOf(customer)),
		emails: all(order.email, order.customer_email, customer.email),
	};
}

/** The dates that tell when an order was placed, best first. */
const PLACED_FIELDS = ['placed_at', 'order_placed_at', 'ordered_at', 'created_at', 'updated_at'];

/** When an order was placed, as the platform writes it. */
export const placedAt = (order: IDataObject): string | undefined =>
	valuesOf(order, PLACED_FIELDS).find(
		(value): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
	);

/**
 * Names of the list of line items, the surest first. The API document only describes it in words (Resources, "Order").
 * A list with any other name may hold lines that were cancelled, returned or sent.
 */
const LINE_ITEM_LISTS = ['line_items', 'items', 'order_items', 'order_lines', 'lines', 'positions'];

/** Whether a value is a list of line items: each has a `line_item_id`. */
const holdsLineItems = (value: unknown): boolean =>
	isListOfObjects(value) && value.length > 0 && value.every((entry) => 'line_item_id' in entry);

/**
 * The line items of an order.
 *
 * @returns undefined if the order has none in it, as in a list that leaves them out
 */
export function lineItemsOf(order: IDataObject): IDataObject[] | undefined {
	return valuesOf(order, LINE_ITEM_LISTS).find(isListOfObjects);
}

/**
 * Fields of an order that the API document names. It only describes some of them in words (Resources, "Order"), so
 * totals, payment, fulfillment and line items are found under several names.
 */
const NAMED_FIELDS =
	/^(?:id|merchant_note|customer(?:_id|_name|_note)?|phone)$|total|payment|fulfil|(?:items|lines|positions|status|state)$/;

/**
 * The last words of fields by which people know an order: number, e-mail, addresses and dates. The document says that
 * personal data is there, but not under which names.
 */
const LAST_WORDS = /(?:^|_)(?:number|no|e?mail|currency|address(?:es)?|at|date|time)$/;

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

function isKeptField(field: string): boolean {
	const name = snakeName(field);
	return ORDER_NUMBER_FIELDS.includes(name) || NAMED_FIELDS.test(name) || LAST_WORDS.test(name);
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
