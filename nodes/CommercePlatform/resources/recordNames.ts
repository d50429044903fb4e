import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/rest/request';
import type { Field } from '../../shared/values/fields';
import { orderNumbersOf, plainNumber, simplifyProduct, textsOf } from '../../shared/shop/records';
import { nounOf, RESOURCES, type ShopResource } from '../../shared/shop/resources';
import { isListOfObjects, isObject, snakeName } from '../../shared/values/json';
import { chosenOrEntered, type TextMode } from '../fields/locator';
import { findIdByKey, type RecordName } from '../runner/lookup';
import type { Call } from '../runner/operation';

/** A resource, and how one of its records is found. */
export interface Records extends ShopResource {
	/** The field that names a record, and the function that finds the ID if the record is named otherwise. */
	locator?: { field: Field; find(call: Call): Promise<PlatformRequest> };
}

/** A mode in which users type a name, and how records with this name are recognized. */
type NameMode = TextMode & Pick<RecordName, 'keysOf'> & Partial<RecordName>;

/**
 * Describes records that users choose from a list, or name by their ID or by a name.
 *
 * @param example an ID as the platform writes it, e.g. `ord_1001`
 */
function recordsOf(resource: ShopResource, example: string, ...nameModes: NameMode[]) {
	const { singular, plural, path, takesQuery } = resource;
	const noun = nounOf(resource);
	const displayName = noun.charAt(0).toUpperCase() + noun.slice(1);
	const names = new Map<string | undefined, RecordName>();
	const modes = nameModes.map(({ displayName: label, name, placeholder, hint, ...recognized }) => {
		names.set(name, {
			path,
			takesQuery,
			singular: noun,
			records: plural,
			called: /^[A-Z]+$/.test(label) ? label : label.toLowerCase(),
			comparable: (entered) => entered.trim(),
			...recognized,
		});
		return { displayName: label, name, placeholder, hint };
	});
	const parameter = `${noun}Id`;
	const field = chosenOrEntered(
		singular,
		`search${displayName}s`,
		[{ displayName: 'ID', name: 'id', placeholder: `e.g. ${example}` }, ...modes],
		{
			displayName,
			name: parameter,
			required: true,
			description: `The ID of the ${noun}, e.g. ${example}`,
		},
	);
	const locator = { field, find: findIdByKey(parameter, names, displayName) };
	return { ...resource, names, locator };
}

/** The text of a field, as a name. */
const namedBy = (field: string) => (record: IDataObject) => {
	const { [field]: name } = record;
	return typeof name === 'string' ? [name.trim()] : [];
};

/** Customers can be named by their e-mail address, in upper or lower case. */
export const CUSTOMERS = recordsOf(RESOURCES.customer, 'cust_1001', {
	displayName: 'E-mail',
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
	const contacts = Object.entries(customer).filter(([name]) => snakeName(name) === 'contact');
	return [customer, ...contacts.map(([, contact]) => contact)]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.filter(([name]) =>
			/^(?:(?:customer|contact|primary)_)?e?_?mail(?:_?address)?$/.test(snakeName(name)),
		)
		.map(([, email]) => (typeof email === 'string' ? email.trim().toLowerCase() : ''))
		.filter((email) => email !== '');
}

/** Orders can be named by their number, with or without “#”. */
export const ORDERS = recordsOf(RESOURCES.order, 'ord_1001', {
	displayName: 'Number',
	name: 'number',
	placeholder: 'e.g. 1041',
	hint: 'With or without “#”',
	comparable: plainNumber,
	keysOf: orderNumbersOf,
	searchedKeysOf: textsOf,
});

/** Products can be named by their handle, or by the SKU of a variant. */
export const PRODUCTS = recordsOf(
	// Not in the table: the changes trigger gives whole products.
	{ ...RESOURCES.product, simplify: simplifyProduct },
	'prod_1001',
	{
		displayName: 'Handle',
		name: 'handle',
		placeholder: 'e.g. linen-shirt',
		keysOf: namedBy('handle'),
	},
	{
		displayName: 'SKU',
		name: 'sku',
		placeholder: 'e.g. SHIRT-BLUE-M',
		searchBy: 'sku',
		keysOf: ({ variants }) => (isListOfObjects(variants) ? variants.flatMap(namedBy('sku')) : []),
	},
);

/** Webhooks can be named by the address that they deliver to. */
export const WEBHOOKS = recordsOf(RESOURCES.webhook, 'wh_1001', {
	displayName: 'URL',
	name: 'url',
	placeholder: 'e.g. https://example.com/hook',
	hint: 'The address that receives the events',
	keysOf: namedBy('url'),
});
