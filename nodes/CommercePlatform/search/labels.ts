import type { IDataObject } from 'n8n-workflow';

import { isZone } from '../../shared/values/dates';
import { isListOfObjects } from '../../shared/values/json';
import { minorToMajor } from '../../shared/values/money';
import { orderNumberOf, personOf, placedAt } from '../../shared/shop/records';

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Joins what is known about a record into one line. */
export function join(...parts: unknown[]): string {
	return parts
		.map(text)
		.filter((part) => part !== '')
		.join(' · ');
}

/** Whether a label contains what a person searches, whatever the case of letters. */
export const matches = (label: string, search: string): boolean =>
	label.toLowerCase().includes(search.trim().toLowerCase());

/** e.g. `199.00 EUR`; minor units if the currency is unknown. */
export function amountOf(money: unknown): string {
	const { amount, currency } = (money ?? {}) as IDataObject;
	return `${minorToMajor(amount, currency) ?? text(amount)} ${text(currency)}`.trim();
}

/** A product as people call it, e.g. `Linen shirt · published · SHIRT-M (+ 2)`. */
export function productLabel({ id, title, status, variants }: IDataObject): string {
	const skus = (isListOfObjects(variants) ? variants : [])
		.map(({ sku }) => text(sku))
		.filter(Boolean);
	const others = skus.length > 1 ? ` (+ ${skus.length - 1})` : '';
	return join(title, status, skus.length > 0 ? skus[0] + others : id);
}

/**
 * An order as people call it, e.g. `#1041 · Ada Berg · 143.80 EUR · paid · 21 Nov 2026`.
 *
 * @param zone IANA name, for the day
 */
export function orderLabel(order: IDataObject, zone: string): string {
	const number = orderNumberOf(order);
	const numberText = number !== undefined && /^\d/.test(number) ? `#${number}` : number;
	const day = dayOf(placedAt(order), zone);
	// n8n stores the label with the workflow, so it shows an e-mail address only if the order shows neither a person nor
	// a number.
	const person = personOf(order) ?? (numberText === undefined ? order.email : undefined);
	return join(numberText ?? order.id, person, amountOf(order.total), order.status, day);
}

/** Made once a zone: making a format takes longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayOf(time: string | undefined, timezone: string): string {
	if (time === undefined) return '';
	const timeZone = isZone(timezone) ? timezone : 'UTC';
	const format =
		dayFormats.get(timeZone) ??
		new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' });
	dayFormats.set(timeZone, format);
	return format.format(new Date(time));
}
