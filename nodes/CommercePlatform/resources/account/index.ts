import type { Resource } from '../../engine/operation';
import { get } from './get';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account and the rate limits of the API key',
	noun: 'account',
	operations: [get],
};
