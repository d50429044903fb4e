import type { IDataObject } from 'n8n-workflow';

import { searchRecords } from './searchRecords';

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const join = (...parts: unknown[]): string =>
	parts
		.map(text)
		.filter((part) => part !== '')
		.join(' · ');

/** e.g. "19900 EUR" in minor units, as the API gives it. */
const amount = (total: unknown): string => {
	const { amount: minor, currency } = (total ?? {}) as IDataObject;
	return minor === undefined ? '' : `${text(minor)} ${text(currency)}`.trim();
};

export const listSearch = {
	searchOrders: searchRecords('/orders', 'order', ({ id, status, total }) =>
		join(id, status, amount(total)),
	),
	searchProducts: searchRecords('/products', 'product', ({ id, title, status }) =>
		join(title, status, id),
	),
};
