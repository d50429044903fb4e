import { simplify } from '../../../shared/fields';
import { simplifyCustomer } from '../../../shared/model/records';
import type { EachOperation, Resource } from '../../run/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { customerByEmail, customerId } from './customerId';
import { getAll } from './getAll';

const create: EachOperation = {
	kind: 'each',
	scope: 'customers.write',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a customer',
		description: 'Create a customer; marketing consent is written only if you set it',
		routing: { request: { method: 'POST', url: '/customers' } },
	},
	fields: [...freeBody('the customer', true, 'searchCustomerFields'), ...recordOptions('POST')],
};

const get: EachOperation = {
	kind: 'each',
	scope: 'customers.read',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a customer',
		description: 'Get one customer',
		routing: { request: { method: 'GET', url: '/customers/{customerId}' } },
	},
	run: async (call) => await call.record(await customerByEmail(call)),
	simplify: simplifyCustomer,
	fields: [customerId, simplify, ...recordOptions('GET')],
};

const update: EachOperation = {
	kind: 'each',
	scope: 'customers.write',
	reads: { scope: 'customers.read', when: ['Email'] },
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update a customer',
		description: 'Change fields of a customer; what is not entered stays as it is',
		routing: { request: { method: 'PATCH', url: '/customers/{customerId}' } },
	},
	run: async (call) => await call.record(await customerByEmail(call)),
	fields: [
		customerId,
		...freeBody('the customer', true, 'searchCustomerFields'),
		...recordOptions('PATCH'),
	],
};

export const customer: Resource = {
	name: 'Customer',
	value: 'customer',
	description: 'Customers of the shop; their marketing consent must be respected',
	noun: 'customer',
	operations: [create, get, getAll, update],
};
