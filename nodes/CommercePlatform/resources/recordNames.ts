import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/rest/request';
import type { Field } from '../../shared/values/fields';
import { plainName } from '../../shared/shop/records';
import { isObject } from '../../shared/values/json';
import { chosenOrEntered, type TextMode } from '../fields/locator';
import { plainNumber, plainNumbersOf } from './order/orderNames';
import { findIdByKey, type RecordName } from '../runner/findByName';
import type { Call } from '../runner/operation';

/** What the records of a resource are called, and how one is found. */
export interface Records {
	/** e.g. `an order` */
	singular: string;
	/** e.g. `orders` */
	plural: string;
	/** The path of their list, e.g. `/orders`. */
	path: string;
	/** The field that names a record, and the function that finds the ID if the record is named otherwise. */
	locator?: { field: Field; find(call: Call): Promise<PlatformRequest> };
}

/**
 * The mode in which users type a natural key. The record holds the key in the field that is called like the mode,
 * unless `keysOf` says otherwise.
 */
type KeyMode = TextMode & Partial<RecordName>;

/**
 * Describes records that users choose from a list, or name by their ID or by a natural key.
 *
 * @param singular e.g. `an order`; the other names are derived from it
 * @param example an ID as the platform writes it, e.g. `ord_1001`
 */
function recordsOf(singular: string, example: string, keyMode: KeyMode) {
	const noun = singular.replace(/^an? /, '');
	const displayName = noun.charAt(0).toUpperCase() + noun.slice(1);
	const { displayName: label, name: mode, placeholder, hint, ...keyParts } = keyMode;
	const key: RecordName = {
		path: `/${noun}s`,
		records: `${noun}s`,
		comparable: (entered) => entered,
		keysOf: ({ [mode]: name }) => (typeof name === 'string' ? [name] : []),
		...keyParts,
	};
	const parameter = `${noun}Id`;
	const field = chosenOrEntered(
		singular,
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
	return { singular, plural: `${noun}s`, path: key.path, key, locator };
}

/** Customers can be named by their e-mail address, in upper or lower case. */
export const CUSTOMERS = recordsOf('a customer', 'cust_1001', {
	displayName: 'By Email',
	name: 'email',
	placeholder: 'e.g. ada@example.com',
	comparable: (entered) => entered.trim().toLowerCase(),
	keysOf: emailsOf,
});

/**
 * The customer's own e-mail addresses, in lower case. The API document shows no field for them ("Customer"): they stand
 * among the customer's fields or in its `contact`. Other objects are left out: an address may hold the e-mail of the
 * person who receives the parcel.
 */
function emailsOf(customer: IDataObject): string[] {
	const contacts = Object.entries(customer).filter(([name]) => plainName(name) === 'contact');
	return [customer, ...contacts.map(([, contact]) => contact)]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.filter(([name]) => /^(customer|contact|primary)?e?mail(address)?$/.test(plainName(name)))
		.map(([, email]) => (typeof email === 'string' ? email.trim().toLowerCase() : ''))
		.filter((email) => email !== '');
}

/** Orders can be named by their number, with or without “#”. */
export const ORDERS = recordsOf('an order', 'ord_1001', {
	displayName: 'By Number',
	name: 'number',
	placeholder: 'e.g. 1041',
	hint: 'With or without “#”',
	comparable: plainNumber,
	keysOf: plainNumbersOf,
});

export const PRODUCTS = recordsOf('a product', 'prod_1001', {
	displayName: 'By Handle',
	name: 'handle',
	placeholder: 'e.g. linen-shirt',
});

/** Webhooks can be named by the address that they deliver to. */
export const WEBHOOKS = recordsOf('a webhook', 'wh_1001', {
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://example.com/hook',
	hint: 'The address that receives the events',
	takesQuery: false,
});
