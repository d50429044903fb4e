import type { Resource } from '../engine/operation';
import { recordOptions } from '../fields/options';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [
		{
			kind: 'record',
			scope: undefined,
			option: {
				name: 'Get',
				value: 'get',
				action: 'Get the account',
				description: 'Get the account of the API key: its credential data and rate limits',
				routing: { request: { method: 'GET', url: '/account' } },
			},
			fields: [recordOptions('GET')],
		},
	],
};
