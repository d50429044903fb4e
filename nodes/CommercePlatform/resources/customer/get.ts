import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';
import { simplify } from '../../../shared/fields/simplify';
import { customerByEmail, customerId } from './customerId';
import { simplifyCustomer } from '../../../shared/model/simplifyCustomer';

export const get: EachOperation = {
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
	fields: [customerId, simplify, recordOptions('GET')],
};
