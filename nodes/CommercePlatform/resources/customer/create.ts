import type { EachOperation } from '../../engine/operation';
import { freeBody } from '../../fields/freeBody';
import { recordOptions } from '../../fields/options';

export const create: EachOperation = {
	kind: 'each',
	scope: 'customers.write',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a customer',
		description: 'Create a customer; marketing consent is written only if you set it',
		routing: { request: { method: 'POST', url: '/customers' } },
	},
	fields: [...freeBody('the customer', true, 'searchCustomerFields'), recordOptions('POST')],
};
