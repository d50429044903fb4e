import { lookUpKey, type NaturalKey } from '../../run/find';
import { locator } from '../../fields/build';
import { emailsOf } from '../../model/orderNames';

/** Pages of up to 250 customers that are read for an e-mail address at most: the newest 25,000. */
const MAX_PAGES = 100;

/** The customer that an operation works on. */
export const customerId = locator(
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
			hint: 'Looked up first: one more request, or up to 100 per run where the platform’s search does not find addresses',
		},
	],
);

/** Customers by their e-mail address, in any case of letters. */
export const EMAIL: NaturalKey = {
	path: '/customers',
	records: 'customers',
	keys: 'e-mail addresses',
	maxPages: MAX_PAGES,
	plain: (entered) => entered.trim().toLowerCase(),
	keysOf: emailsOf,
};

/** Looks up the customer that is named by an e-mail address. */
export const customerByEmail = lookUpKey({
	parameter: 'customerId',
	mode: 'email',
	field: 'Customer',
	key: EMAIL,
});
