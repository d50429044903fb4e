import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { optionalText, saysNothing, searchedText } from '../../../shared/values/readers';
import { isObject } from '../../../shared/values/json';
import { recordsNamed } from '../../run/find';
import type { Call, ListOperation } from '../../run/operation';
import { textField } from '../../fields/build';
import { checkFilterGiven, filters } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields, optionsOf } from '../../fields/options';
import { simplify } from '../../../shared/fields';
import { EMAIL } from './customerId';
import { simplifyCustomer } from '../../../shared/model/records';

/** It is no parameter of the list: the API document names none for it. */
const email = textField(
	'Email',
	'email',
	'Only customers with this e-mail address: one more request, or up to 100 per run. No other filter can stand beside it.',
	{ example: 'ada@example.com' },
);

/** The customers of the filter Email, where it is set. */
async function byEmail(call: Call): Promise<IDataObject[] | undefined> {
	const { item } = call;
	const chosen = item.parameter('filters', {}) as IDataObject;
	if (email.name in chosen)
		checkFilterGiven(item.node, email.name, email.displayName, chosen.email);
	const wanted = optionalText('Email', chosen.email);
	if (wanted === undefined) return undefined;
	checkNothingBeside(chosen, optionsOf(item));
	return (await recordsNamed(call, EMAIL, searchedText('Email', wanted))).records;
}

/** Options of a walk through the list: one address is searched in another way, in which they would not count. */
const OF_A_WALK: Record<string, string> = {
	furtherQuery: 'Further Query Parameters',
	ifNoneMatch: 'Known ETag',
	includeMetadata: 'Include Response Metadata',
	maxPages: 'Max Pages',
	pageSize: 'Page Size',
	startCursor: 'Start Cursor',
};

function checkNothingBeside({ updated_since: since }: IDataObject, options: IDataObject): void {
	const names = Object.keys(OF_A_WALK).filter((name) => isSet(options[name]));
	const labels = names.map((name) => OF_A_WALK[name]);
	if (!saysNothing(since)) labels.unshift('Updated Since');
	if (labels.length === 0) return;
	throw new InputError(
		'Email',
		`cannot be combined with “${labels[0]}”`,
		'Nothing was sent. Use one of the two.',
	);
}

/** Rows that were all removed again leave an empty list in their collection. */
const isSet = (option: unknown): boolean =>
	option !== false && !saysNothing(isObject(option) ? Object.values(option).flat() : option);

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
	async *run(call) {
		const records = await byEmail(call);
		if (records === undefined) yield* call.pages();
		else yield { records };
	},
	simplify: simplifyCustomer,
	fields: listFields([email, ...filters(['updated_since'])], { simplify }),
};
