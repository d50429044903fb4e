import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { plainName, simplifyCustomer } from '../../shared/model/records';
import { isObject } from '../../shared/values/json';
import { optionalText, saysNothing, searchedText } from '../../shared/values/readers';
import { lookUpKey, type NaturalKey, recordsNamed } from '../run/find';
import type { Call, Resource } from '../run/operation';
import { locator, textField } from '../fields/build';
import { checkFilterGiven, filters } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER, optionsOf } from '../fields/options';
import { create, getMany, getOne, type Records, update } from './operation';

/** Pages of up to 250 customers that are read for an e-mail address at most: the newest 25,000. */
const MAX_PAGES = 100;

/** Customers by their e-mail address, in any case of letters. */
const EMAIL: NaturalKey = {
	path: '/customers',
	records: 'customers',
	keys: 'e-mail addresses',
	maxPages: MAX_PAGES,
	plain: (entered) => entered.trim().toLowerCase(),
	keysOf: emailsOf,
};

/**
 * The e-mail addresses of a customer itself, in lower case. The API document shows no field ("Customer"): they stand
 * beside its other fields or in its `contact`. One in an address is that of whoever receives a parcel.
 */
export function emailsOf(customer: IDataObject): string[] {
	const holders = Object.entries(customer).filter(([name]) => plainName(name) === 'contact');
	return [customer, ...holders.map(([, contact]) => contact)]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.filter(([name]) => /^(customer|contact|primary)?e?mail(address)?$/.test(plainName(name)))
		.map(([, email]) => (typeof email === 'string' ? email.trim().toLowerCase() : ''))
		.filter((email) => email !== '');
}

const CUSTOMERS: Records = {
	one: 'a customer',
	many: 'customers',
	path: '/customers',
	locator: {
		field: locator(
			{
				displayName: 'Customer',
				name: 'customerId',
				what: 'a customer',
				search: 'searchCustomers',
				example: 'cust_1001',
			},
			[
				{
					displayName: 'Email',
					name: 'email',
					placeholder: 'e.g. ada@example.com',
					hint: 'Looked up first: one more request, or up to 100 per run where the search does not find addresses',
				},
			],
		),
		find: lookUpKey({ parameter: 'customerId', mode: 'email', field: 'Customer', key: EMAIL }),
	},
};

/** It is no parameter of the list: the API document names none for it. */
const email = textField(
	'Email',
	'email',
	'Only customers with this e-mail address: one more request, or up to 100 per run. No other filter can stand beside it.',
	{ example: 'ada@example.com' },
);

/** The customers of the filter Email, where it is set. */
async function byEmail(call: Call): Promise<IDataObject[] | undefined> {
	const { item } = call;
	const chosen = item.parameter('filters', {}) as IDataObject;
	if (email.name in chosen)
		checkFilterGiven(item.node, email.name, email.displayName, chosen.email);
	const wanted = optionalText('Email', chosen.email);
	if (wanted === undefined) return undefined;
	const { updated_since: since } = chosen;
	checkNothingBeside({ since, ...optionsOf(item) });
	return (await recordsNamed(call, EMAIL, searchedText('Email', wanted))).records;
}

/** What counts in a walk through the list: one address is searched in another way. */
const OF_A_WALK: Record<string, string> = {
	since: 'Updated Since',
	furtherQuery: 'Further Query Parameters',
	ifNoneMatch: 'Known ETag',
	includeMetadata: 'Include Response Metadata',
	maxPages: 'Max Pages',
	pageSize: 'Page Size',
	startCursor: 'Start Cursor',
};

function checkNothingBeside(entered: IDataObject): void {
	const name = Object.keys(OF_A_WALK).find((one) => isSet(entered[one]));
	if (name === undefined) return;
	const problem = `cannot be combined with “${OF_A_WALK[name]}”`;
	throw new InputError('Email', problem, 'Nothing was sent. Use one of the two.');
}

/** Rows that were all removed again leave an empty list in their collection. */
const isSet = (option: unknown): boolean =>
	option !== false && !saysNothing(isObject(option) ? Object.values(option).flat() : option);

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
		getOne(CUSTOMERS, { description: 'Get one customer', simplify: simplifyCustomer }),
		getMany(CUSTOMERS, {
			cheaperWay: CHANGES_TRIGGER,
			async *run(call) {
				const records = await byEmail(call);
				if (records === undefined) yield* call.pages();
				else yield { records };
			},
			simplify: simplifyCustomer,
			fields: [email, ...filters(['updated_since'])],
		}),
		update(CUSTOMERS, { fields: customerFields }),
	],
};
