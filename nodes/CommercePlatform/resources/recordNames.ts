import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/api/request';
import type { Field } from '../../shared/fields';
import { plainName } from '../../shared/model/records';
import { isObject } from '../../shared/values/json';
import { chosenOrEntered, type TextMode } from '../fields/locator';
import { plainNumber, plainNumbersOf } from '../model/orderNames';
import { findIdByKey, type NaturalKey } from '../run/findByName';
import type { Call } from '../run/operation';

/** The records of a resource, for the operations that most resources have. */
export interface Records {
	/** e.g. `an order` */
	one: string;
	/** e.g. `orders` */
	many: string;
	/** Their list, e.g. `/orders`. */
	path: string;
	/** The field that names one of them, and what finds one that is named by something else than its ID. */
	locator?: { field: Field; find(call: Call): Promise<PlatformRequest> };
}

/** A name that people use for a record beside its ID; in the field of that name, unless `keysOf` says another. */
type NamedBy = TextMode & Partial<NaturalKey>;

/**
 * Records that are chosen from a list, or named by their ID or by a name that people use.
 *
 * @param one e.g. `an order`; the other names are made of it
 * @param example an ID as the platform writes it, e.g. `ord_1001`
 */
function recordsOf(one: string, example: string, by: NamedBy) {
	const noun = one.replace(/^an? /, '');
	const displayName = noun.charAt(0).toUpperCase() + noun.slice(1);
	const { displayName: label, name: mode, placeholder, hint, ...own } = by;
	const key: NaturalKey = {
		path: `/${noun}s`,
		records: `${noun}s`,
		plain: (entered) => entered,
		keysOf: ({ [mode]: name }) => (typeof name === 'string' ? [name] : []),
		...own,
	};
	const parameter = `${noun}Id`;
	const field = chosenOrEntered(
		one,
		`search${displayName}s`,
		[
			{ displayName: 'ID', name: 'id', placeholder: `e.g. ${example}` },
			{ displayName: label, name: mode, placeholder, hint },
		],
		{
			displayName,
			name: parameter,
			required: true,
			description: `The ID of the ${noun}, e.g. ${example}`,
		},
	);
	const locator = { field, find: findIdByKey(parameter, mode, displayName, key) };
	return { one, many: `${noun}s`, path: key.path, key, locator };
}

/** By their e-mail address, in any case of letters. */
export const CUSTOMERS = recordsOf('a customer', 'cust_1001', {
	displayName: 'By Email',
	name: 'email',
	placeholder: 'e.g. ada@example.com',
	plain: (entered) => entered.trim().toLowerCase(),
	keysOf: emailsOf,
});

/**
 * The e-mail addresses of a customer itself, in lower case. The API document shows no field ("Customer"): they stand
 * beside its other fields or in its `contact`. One in an address is that of whoever receives a parcel.
 */
function emailsOf(customer: IDataObject): string[] {
	const holders = Object.entries(customer).filter(([name]) => plainName(name) === 'contact');
	return [customer, ...holders.map(([, contact]) => contact)]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.filter(([name]) => /^(customer|contact|primary)?e?mail(address)?$/.test(plainName(name)))
		.map(([, email]) => (typeof email === 'string' ? email.trim().toLowerCase() : ''))
		.filter((email) => email !== '');
}

/** By their number, with or without “#”. */
export const ORDERS = recordsOf('an order', 'ord_1001', {
	displayName: 'By Number',
	name: 'number',
	placeholder: 'e.g. 1041',
	hint: 'With or without “#”',
	plain: plainNumber,
	keysOf: plainNumbersOf,
});

export const PRODUCTS = recordsOf('a product', 'prod_1001', {
	displayName: 'By Handle',
	name: 'handle',
	placeholder: 'e.g. linen-shirt',
});

/** By the address that they deliver to. */
export const WEBHOOKS = recordsOf('a webhook', 'wh_1001', {
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://example.com/hook',
	hint: 'The address that receives the events',
	takesQuery: false,
});
