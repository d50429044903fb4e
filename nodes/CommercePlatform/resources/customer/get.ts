import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';
import { simplify } from '../../fields/simplify';
import { customerId } from './customerId';
import { simplifyCustomer } from './simplify';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a customer',
		description: 'Get one customer',
		routing: { request: { method: 'GET', url: '/customers/{customerId}' } },
	},
	answer: 'record',
	simplify: simplifyCustomer,
	fields: [customerId, simplify, recordOptions('GET')],
};
