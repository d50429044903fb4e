import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../shared/shop/resources';
import { isObject, snakeName } from '../../shared/values/json';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER } from '../fields/options';
import type { Resource } from '../runner/operation';
import { create, getMany, getOne, recordsOf, update } from './makeOperation';

/** Customers can be named by their e-mail address, in upper or lower case. */
const CUSTOMERS = recordsOf(RESOURCES.customer, 'cust_1001', {
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

const customerFields = freeBody('the customer', 'searchCustomerFields');

export const customer: Resource = {
	name: 'Customer',
	value: 'customer',
	description: 'Customers of the shop; their marketing consent must be respected',
	noun: 'customer',
	operations: [
		create(CUSTOMERS, {
			description: 'Create a customer; marketing consent is written only if you set it',
			fields: customerFields,
		}),
		getOne(CUSTOMERS, { description: 'Get one customer' }),
		getMany(CUSTOMERS, {
			cheaperWay: CHANGES_TRIGGER,
			newestFirst: true,
			filterTexts: { q: { placeholder: 'e.g. a name, an e-mail' } },
		}),
		update(CUSTOMERS, { fields: customerFields }),
	],
};
