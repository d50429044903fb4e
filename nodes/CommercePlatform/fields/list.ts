import type { INodeProperties } from 'n8n-workflow';

import type { PlatformMethod } from '../../shared/api/request';
import { dryRun } from './bulk';
import { furtherQuery } from './furtherQuery';
import {
	conditionalOptions,
	everyRequest,
	ifNoneMatch,
	retryWrites,
	sendingOptions,
} from './options';

/** How many records: Return All or Limit (API document, "Pagination rules"). */
const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	hint: 'One request for each 250 records',
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

const listOptions: INodeProperties[] = [
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description:
			'Stop after this many pages of up to 250 records, even if there are more. Each page is one request.',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 250,
		description:
			'How many records to ask for with one request. The platform gives up to 250, more by contract only.',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		placeholder: 'e.g. eyJwIjoxfQ',
		description:
			'Go on from here instead of from the beginning: the next_cursor of an earlier page, or the cursor that an error message names. Filters and sort must be the same as then, and where the message names a sort, set that one.',
	},
];

/** A further choice of the option Output. */
export interface OutputChoice {
	name: string;
	value: string;
	description: string;
}

function output(more: OutputChoice[]): INodeProperties {
	const choices: OutputChoice[] = [
		{
			name: 'Pages',
			value: 'pages',
			description: 'One item a page, with data and pagination; for very long lists',
		},
		{ name: 'Records', value: 'records', description: 'One item a record' },
		...more,
	];
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: choices.sort((a, b) => a.name.localeCompare(b.name)),
		default: 'records',
		description: 'What each output item is',
	};
}

/**
 * The fields of every Get Many: how many, which, and how.
 *
 * @param filters of this list, in alphabetical order; none where the API document names none
 * @param more what this list has beside: Simplify, and further options
 */
export function listFields(
	filters: INodeProperties[],
	more: {
		simplify?: INodeProperties;
		options?: INodeProperties[];
		outputs?: OutputChoice[];
	} = {},
): INodeProperties[] {
	const filterFields: INodeProperties[] =
		filters.length === 0
			? []
			: [
					{
						displayName: 'Filters',
						name: 'filters',
						type: 'collection',
						placeholder: 'Add Filter',
						default: {},
						description: 'Return only the records that match',
						options: filters,
					},
				];
	return [
		returnAll,
		limit,
		...filterFields,
		...(more.simplify === undefined ? [] : [more.simplify]),
		optionsField([
			...listOptions,
			output(more.outputs ?? []),
			furtherQuery,
			ifNoneMatch,
			...sendingOptions('GET'),
			includeMetadata,
			...(more.options ?? []),
		]),
	];
}

const includeMetadata: INodeProperties = {
	displayName: 'Include Response Metadata',
	name: 'includeMetadata',
	type: 'boolean',
	default: false,
	description:
		'Whether to add “_meta” to each item: ETag, Cache-Control, request ID, and what is left of the rate limit',
};

/** The options of an operation on one record. */
export function recordOptions(
	method: PlatformMethod,
	more: INodeProperties[] = [],
): INodeProperties {
	const sending = method === 'GET' ? conditionalOptions : [...sendingOptions(method), dryRun];
	return optionsField([...sending, includeMetadata, ...more]);
}

/** The options of an operation that sends several writes, for which no one key could stand. */
export function sequenceOptions(): INodeProperties {
	return optionsField([...everyRequest, retryWrites, dryRun, includeMetadata]);
}

/** The options of an operation that takes all items at once. */
export function batchOptions(more: INodeProperties[]): INodeProperties {
	return optionsField([...everyRequest, retryWrites, dryRun, ...more]);
}

/** The Options collection, its options in alphabetical order. */
function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		description: 'How the request is sent and what is returned',
		options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** What a long list that is read again and again could be done with. */
export const CHANGES_TRIGGER =
	'To learn only of what has changed, use the Commerce Platform Changes Trigger.';
