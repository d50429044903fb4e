import type { EachOperation } from '../../engine/operation';
import { recordOptions } from '../../fields/options';

export const get: EachOperation = {
	kind: 'each',
	scope: undefined,
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get the account',
		description: 'Get the account of the API key: its credential data and rate limits',
		routing: { request: { method: 'GET', url: '/account' } },
	},
	fields: [recordOptions('GET')],
};
