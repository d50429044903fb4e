import type { Resource } from '../run/operation';
import { each } from './operation';

const get = each({
	request: 'GET /account',
	name: 'Get',
	value: 'get',
	action: 'Get the account',
	description: 'Get the account of the API key: its credential data and rate limits',
});

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [get],
};
