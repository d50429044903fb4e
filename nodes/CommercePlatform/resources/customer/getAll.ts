import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/input/inputError';
import { optionalText, saysNothing, searchedText } from '../../../shared/input/readers';
import { recordsNamed } from '../../engine/naturalKey';
import type { ListOperation, OperationCall } from '../../engine/operation';
import { filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields } from '../../fields/list';
import { simplify } from '../../../shared/fields/simplify';
import { EMAIL } from './customerId';
import { simplifyCustomer } from '../../../shared/model/simplifyCustomer';

/** It is no parameter of the list: the API document names none for it. */
const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada@example.com',
	description:
		'Only customers with this e-mail address. One more request, or up to 100 a run (a page of 250 customers each) where the platform’s search does not find addresses.',
};

/** The customers of the filter Email, where it is set. */
async function byEmail(call: OperationCall): Promise<IDataObject[] | undefined> {
	const { email: entered, updated_since: since } = call.item.parameter(
		'filters',
		{},
	) as IDataObject;
	const wanted = optionalText('Email', entered);
	if (wanted === undefined) return undefined;
	if (!saysNothing(since))
		throw new InputError('Email', 'cannot be combined with “Updated Since”', 'Use one of the two.');
	return (await recordsNamed(call, EMAIL, searchedText('Email', wanted))).records;
}

export const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'customers.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many customers',
		description: 'Get a list of customers',
		routing: { request: { method: 'GET', url: '/customers' } },
	},
	find: byEmail,
	simplify: simplifyCustomer,
	fields: listFields([email, ...filters(['updated_since'])], { simplify }),
};
