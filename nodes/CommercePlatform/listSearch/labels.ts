import type { IDataObject } from 'n8n-workflow';

import { minorToMajor } from '../../shared/money';

/** Where records whose fields the API document does not show may keep their name. */
const NAME_FIELDS = ['title', 'name', 'display_name', 'full_name', 'company'];

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** What a person calls a record, if it says so. */
export function nameOf(record: IDataObject): string | undefined {
	const field = NAME_FIELDS.find((name) => text(record[name]) !== '');
	if (field !== undefined) return text(record[field]);
	const parts = [text(record.first_name), text(record.last_name)].filter((part) => part !== '');
	return parts.length > 0 ? parts.join(' ') : undefined;
}

/** What is known of a record, in one line. */
export function join(...parts: unknown[]): string {
	return parts
		.map(text)
		.filter((part) => part !== '')
		.join(' · ');
}

/** e.g. `199.00 EUR`; minor units where the currency is unknown. */
export function amountOf(money: unknown): string {
	const { amount, currency } = (money ?? {}) as IDataObject;
	return `${minorToMajor(amount, currency) ?? text(amount)} ${text(currency)}`.trim();
}
