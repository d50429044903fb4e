import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { InputError } from '../../shared/errors/errors';

/**
 * Refuses variants that say two things of one price or field. Several rows may name one SKU, for instance one row for
 * each currency, but which of two prices in one currency is meant is not for us to choose.
 *
 * @param field display name, for messages
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError
 */
export function checkNamedOnce(field: string, named: readonly IDataObject[]): void {
	const saidOf = new Map<unknown, Map<string, string>>();
	for (const variant of named) {
		const said = saidOf.get(variant.sku) ?? new Map<string, string>();
		saidOf.set(variant.sku, said);
		const place = `${field}: ${String(variant.sku)}`;
		for (const [name, value] of Object.entries(variant)) {
			if (name === 'prices' && Array.isArray(value)) checkPrices(place, value, said);
			else checkValue(place, name, JSON.stringify(value), said);
		}
	}
}

function checkPrices(place: string, prices: unknown[], said: Map<string, string>): void {
	for (const price of prices) {
		const currency = isObject(price) ? currencyKey(price.currency) : undefined;
		if (currency === undefined) continue;
		if (said.has(`price ${currency}`))
			throw new InputError(place, `has two prices in ${currency}`, 'Nothing was sent.');
		said.set(`price ${currency}`, '');
	}
}

function checkValue(place: string, name: string, value: string, said: Map<string, string>): void {
	const before = said.get(`field ${name}`);
	if (before !== undefined && before !== value)
		throw new InputError(place, `has two values of “${name}”`, 'Nothing was sent.');
	said.set(`field ${name}`, value);
}

/** A currency without its spelling. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;
