import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { plainName } from './names';

/**
 * Names of the line items, the surest first; the API document has them in words only (Resources, "Order"). A list
 * under any other name may hold lines that were cancelled, returned or sent.
 */
const OF_LINE_ITEMS = ['lineitems', 'items', 'orderitems', 'orderlines', 'lines', 'positions'];

/** Whether a value is the list of an order's line items, which it tells by their `line_item_id`. */
export function holdsLineItems(value: unknown): boolean {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every((entry: unknown) => isObject(entry) && 'line_item_id' in entry)
	);
}

/**
 * The line items of an order.
 *
 * @returns undefined where the order holds none, as in a list that leaves them out
 */
export function lineItemsOf(order: IDataObject): IDataObject[] | undefined {
	const names = Object.keys(order);
	for (const wanted of OF_LINE_ITEMS) {
		const name = names.find((one) => plainName(one) === wanted && isListOfRecords(order[one]));
		if (name !== undefined) return order[name] as IDataObject[];
	}
	return undefined;
}

const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);
