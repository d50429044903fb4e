import type { Operation } from '../../../shared/declarative/operation';
import { recordOptions } from '../../fields/list';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get the account',
		description: 'Get the account of the API key: its credential data and rate limits',
		routing: { request: { method: 'GET', url: '/account' } },
	},
	answer: 'record',
	fields: [recordOptions('GET')],
};
