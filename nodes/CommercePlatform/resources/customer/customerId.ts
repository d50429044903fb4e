import { locator } from '../../fields/locator';

/** The customer that an operation works on. */
export const customerId = locator({
	displayName: 'Customer',
	name: 'customerId',
	what: 'a customer',
	search: 'searchCustomers',
	example: 'cust_1001',
});
