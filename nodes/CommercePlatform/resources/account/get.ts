import type { Operation } from '../../../shared/declarative/operation';
import { includeMetadata, optionsField } from '../../fields/list';
import { conditionalOptions } from '../../fields/options';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get the account',
		description: 'Get the account of the API key: its credential data and rate limits',
		routing: { request: { method: 'GET', url: '/account' } },
	},
	answer: 'record',
	fields: [optionsField([...conditionalOptions, includeMetadata])],
};
