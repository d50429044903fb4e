import type { Resource } from '../runner/operation';
import { each } from './makeOperation';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [
		each({
			request: 'GET /account',
			name: 'Get',
			value: 'get',
			action: 'Get account',
			description: 'Get the account of the API key: its credential data and rate limits',
		}),
	],
};
