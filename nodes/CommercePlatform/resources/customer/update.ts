import type { EachOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';
import { customerByEmail, customerId } from './customerId';

export const update: EachOperation = {
	kind: 'each',
	scope: 'customers.write',
	reads: { scope: 'customers.read', when: ['By Email'] },
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
		recordOptions('PATCH'),
	],
};
