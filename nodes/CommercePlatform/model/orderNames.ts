import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { plainName } from '../../shared/model/names';

/** Where an order may have the number that people know; the API document does not show the field. */
const NUMBER_FIELDS = ['number', 'ordernumber', 'orderno', 'displaynumber', 'displayid', 'name'];

/**
 * The number by which people know an order, as the platform writes it.
 *
 * @returns undefined where the order has none, or none with a digit in it
 */
export function orderNumberOf(order: IDataObject): string | undefined {
	for (const field of NUMBER_FIELDS) {
		const name = Object.keys(order).find((one) => plainName(one) === field);
		const written = name === undefined ? undefined : order[name];
		if (typeof written === 'number') return String(written);
		if (typeof written === 'string' && /\d/.test(written)) return written.trim();
	}
	return undefined;
}

/** A number as it is compared: `#1041` and `1041` are one. */
export const plainNumber = (written: string): string => written.trim().replace(/^#\s*/, '');

/** Where a record may hold who it is about. */
const HOLDERS = /^(contact|customer|buyer|person|name|(shipping|billing|delivery)?address)$/;

/** Every e-mail address of a record, in lower case, also one level down, e.g. in `contact`. */
export function emailsOf(record: IDataObject): string[] {
	const emails: string[] = [];
	for (const [name, value] of Object.entries(record)) {
		if (typeof value === 'string' && isEmailField(name)) emails.push(value.trim().toLowerCase());
		if (isObject(value) && HOLDERS.test(plainName(name)))
			for (const [inner, text] of Object.entries(value))
				if (typeof text === 'string' && isEmailField(inner)) emails.push(text.trim().toLowerCase());
	}
	return emails.filter((email) => email !== '');
}

const isEmailField = (name: string): boolean =>
	/^(customer|contact|primary)?e?mail(address)?$/.test(plainName(name));

/** The dates that tell when an order was placed, best first. */
const PLACED_FIELDS = ['placedat', 'orderedat', 'createdat', 'updatedat'];

/** When an order was placed, as the platform writes it. */
export function placedAt(order: IDataObject): string | undefined {
	for (const field of PLACED_FIELDS) {
		const name = Object.keys(order).find((one) => plainName(one) === field);
		const written = name === undefined ? undefined : order[name];
		if (typeof written === 'string' && !Number.isNaN(Date.parse(written))) return written;
	}
	return undefined;
}
