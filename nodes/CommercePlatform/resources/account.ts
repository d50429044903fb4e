import type { EachOperation, Resource } from '../run/operation';
import { recordOptions } from '../fields/options';

const get: EachOperation = {
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

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [get],
};
