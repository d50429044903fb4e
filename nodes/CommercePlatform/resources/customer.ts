import { simplifyCustomer } from '../../shared/shop/records';
import type { Resource } from '../runner/operation';
import { filters } from '../fields/filters';
import { freeBody } from '../fields/freeBody';
import { CHANGES_TRIGGER } from '../fields/options';
import { create, getMany, getOne, update } from './makeOperation';
import { CUSTOMERS } from './recordNames';

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
			simplify: simplifyCustomer,
			fields: filters(['updated_since']),
		}),
		update(CUSTOMERS, { fields: customerFields }),
	],
};
