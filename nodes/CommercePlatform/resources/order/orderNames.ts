import type { IDataObject } from 'n8n-workflow';

import { plainName } from '../../../shared/shop/records';

/** Fields that may hold the number that people know; the API document does not show it. */
const NUMBER_FIELDS = ['number', 'ordernumber', 'name'];

/** The values of an order's fields with these plain names, in the order of the names. */
const valuesOf = (order: IDataObject, names: readonly string[]): unknown[] =>
	names.flatMap((wanted) =>
		Object.entries(order).flatMap(([name, value]) => (plainName(name) === wanted ? [value] : [])),
	);

/** The numbers of an order as the platform writes them, the most certain first. A value without a digit is none. */
const numbersOf = (order: IDataObject): string[] =>
	valuesOf(order, NUMBER_FIELDS)
		.map((value) =>
			typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '',
		)
		.filter((written) => /\d/.test(written));

/** The number by which people know an order, as the platform writes it; undefined if it has none. */
export const orderNumberOf = (order: IDataObject): string | undefined => numbersOf(order).at(0);

/** Brings a number into the form in which numbers are compared: `#1041` and `1041` are the same. */
export const plainNumber = (written: string): string => written.trim().replace(/^#\s*/, '');

/** All numbers of an order in that form. Two orders may hold the same number in different fields. */
export const plainNumbersOf = (order: IDataObject): string[] => [
	...new Set(numbersOf(order).map(plainNumber)),
];

/** The dates that tell when an order was placed, best first. */
const PLACED_FIELDS = ['placedat', 'orderedat', 'createdat', 'updatedat'];

/** When an order was placed, as the platform writes it. */
export const placedAt = (order: IDataObject): string | undefined =>
	valuesOf(order, PLACED_FIELDS).find(
		(value): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
	);
