import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { textField } from '../../shared/fields';
import { simplifyCustomer } from '../../shared/model/records';
import { isObject } from '../../shared/values/json';
import { saysNothing, searchedText } from '../../shared/values/readers';
import { recordsNamed } from '../run/find';
import type { ListCall, ListPage, Resource } from '../run/operation';
import { filters, ownFilter } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER, optionsOf } from '../fields/options';
import { create, getMany, getOne, update } from './operation';
import { CUSTOMERS } from './records';

/** It is no parameter of the list: the API document names none for it. */
const email = textField(
	'Email',
	'email',
	'Only customers with this address: one request, or up to 100 per run. No other filter can stand beside it.',
	{ example: 'ada@example.com' },
);

/** The list, or the customers of the filter Email, where it is set. */
async function* ofEmail(call: ListCall): AsyncGenerator<ListPage> {
	const { item } = call;
	const wanted = ownFilter(item, email);
	if (wanted === undefined) return yield* call.pages();
	const { updated_since: since } = item.parameter('filters', {}) as IDataObject;
	checkNothingBeside({ since, ...optionsOf(item) });
	const { records } = await recordsNamed(call, CUSTOMERS.key, searchedText('Email', wanted));
	yield { records };
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
			run: ofEmail,
			simplify: simplifyCustomer,
			fields: [email, ...filters(['updated_since'])],
		}),
		update(CUSTOMERS, { fields: customerFields }),
	],
};
