import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { PlatformMethod } from '../../shared/api/request';
import { choice, collection, notice, numberField, textField, toggle } from './build';
import type { Field, Item } from './field';
import { furtherQuery } from './filters';

/** How fast requests go and how long they wait. */
const everyRequest: Field[] = [
	numberField(
		'Keep Daily Budget (%)',
		'keepDailyBudget',
		'Stop when less than this share of the API key’s daily requests is left, so that other integrations can still work',
		{ default: 20, min: 0, max: 100 },
	),
	numberField(
		'Keep Minute Budget (%)',
		'keepMinuteBudget',
		'Wait for the next minute when less than this share of its requests is left. The platform notifies the shop’s owners at 20 %.',
		{ default: 20, min: 0, max: 100 },
	),
	numberField(
		'Max Requests at Once',
		'maxRequestsAtOnce',
		'How many requests may be under way at the same time, counted over all nodes that use the same API key in this n8n process',
		{ default: 4, min: 1, max: 10 },
	),
	numberField(
		'Max Retry Wait (Seconds)',
		'maxRetryWait',
		'How long one request may wait in total for retries after rate limits and passing faults before it fails',
		{ default: 120, min: 0, max: 86_400 },
	),
];

const idempotencyKey = textField(
	'Idempotency Key',
	'idempotencyKey',
	'A key of your own for this write, up to 255 printable ASCII characters. Never use one key for two different writes.',
	{ example: 'order-1001-note' },
);

/** Whether a write is repeated whose first attempt may have been applied. */
const retryWrites = choice(
	'Retry Writes',
	'retryWrites',
	{
		automatic: ['Automatic', 'Like reads, always under the same Idempotency-Key'],
		never: ['Never', 'One attempt only'],
		whenSurelyNotApplied: [
			'Only When Surely Not Applied',
			'After a rate limit, or where no connection came about',
		],
	},
	'Whether a write is sent again after a passing fault',
);

/** Asks only for what has changed (API document, "Pagination rules", 5). */
const ifNoneMatch = textField(
	'Known ETag',
	'ifNoneMatch',
	'The ETag of the version that you already have. If nothing has changed, the item says “notModified” instead of repeating the record.',
	{ example: '"33a64df5"' },
);

const includeMetadata = toggle(
	'Include Response Metadata',
	'includeMetadata',
	'Whether to add “_meta” to each item: ETag, Cache-Control, request ID, and what is left of the rate limit',
);

/** Shows what would be sent. */
export const dryRun = toggle(
	'Dry Run',
	'dryRun',
	'Whether to write nothing, and show what would be written and how many requests it takes',
);

/** Leaves out what would change nothing. */
export const onlyIfChanged = toggle(
	'Only If Changed',
	'onlyIfChanged',
	'Whether to read first, and skip what has these values already: a request per item, or one walk through the list for many',
);

const optionsField = (options: Field[]): Field =>
	collection('Options', 'options', 'Add Option', 'What is sent and what is returned', options);

const requestsField = (more: Field[]): Field =>
	collection('Requests', 'requests', 'Add Setting', 'How requests are sent and repeated', [
		...everyRequest,
		...more,
	]);

/** What the user chose under Options and under Requests; their names differ. */
export const optionsOf = (item: Pick<Item, 'parameter'>): IDataObject => ({
	...(item.parameter('options', {}) as IDataObject),
	...(item.parameter('requests', {}) as IDataObject),
});

/** The options of an operation on one record. */
export const recordOptions = (method: PlatformMethod, more: Field[] = []): Field[] =>
	method === 'GET'
		? [optionsField([includeMetadata, ...more]), requestsField([ifNoneMatch])]
		: writeOptions([idempotencyKey, includeMetadata, ...more]);

/** The options of an operation that sends several writes, for which no one key could stand. */
export const sequenceOptions = (): Field[] => writeOptions([includeMetadata]);

/** The options of an operation that takes all items at once. */
export const batchOptions = (more: Field[]): Field[] => writeOptions(more);

const writeOptions = (more: Field[]): Field[] => [
	optionsField([dryRun, ...more]),
	requestsField([retryWrites]),
];

/** How many records: Return All or Limit (API document, "Pagination rules"). */
const returnAll = toggle(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
	{ default: false, hint: 'One request for each 250 records' },
);

const limit = numberField('Limit', 'limit', 'Max number of results to return', {
	default: 50,
	min: 1,
	displayOptions: { show: { returnAll: [false] } },
});

const listOptions: Field[] = [
	numberField(
		'Max Pages',
		'maxPages',
		'Stop after this many pages of up to 250 records, even if there are more. Each page is one request.',
		{ default: 10, min: 1 },
	),
	textField(
		'Start Cursor',
		'startCursor',
		'Go on from here: the next_cursor of an earlier page, or the cursor of an error. Keep filters and sort as they were then.',
		{ example: 'eyJwIjoxfQ' },
	),
];

const pageSize = numberField(
	'Page Size',
	'pageSize',
	'How many records to ask for with one request. The platform gives up to 250, more by contract only.',
	{ default: 250, min: 1 },
);

/** A further choice of the option Output. */
export interface OutputChoice {
	name: string;
	value: string;
	description: string;
}

const OUTPUTS: OutputChoice[] = [
	{
		name: 'Pages',
		value: 'pages',
		description: 'One item per page, with data and pagination; for very long lists',
	},
	{ name: 'Records', value: 'records', description: 'One item per record' },
];

const output = (more: OutputChoice[]): Field =>
	choice('Output', 'output', {}, 'What each output item is', {
		options: [...OUTPUTS, ...more].sort((a, b) => a.name.localeCompare(b.name)),
		default: 'records',
	});

/**
 * The fields of every Get Many: how many, which, and how.
 *
 * @param filters of this list; none where the API document names none
 * @param more what this list has beside: Simplify, and further options
 */
export function listFields(
	filters: Field[],
	more: { simplify?: INodeProperties; options?: Field[]; outputs?: OutputChoice[] } = {},
): Field[] {
	const which = collection(
		'Filters',
		'filters',
		'Add Filter',
		'Return only the records that match',
		filters,
	);
	return [
		returnAll,
		limit,
		...(filters.length === 0 ? [] : [which]),
		...(more.simplify === undefined ? [] : [more.simplify]),
		optionsField([
			...listOptions,
			output(more.outputs ?? []),
			furtherQuery,
			includeMetadata,
			...(more.options ?? []),
		]),
		requestsField([ifNoneMatch, pageSize]),
	];
}

/** What a long list that is read again and again could be done with. */
export const CHANGES_TRIGGER =
	'To learn only of what has changed, use the Commerce Platform Changes Trigger.';

/**
 * Says in the panel that the platform may refuse the chosen operation. The list of operations says so too, but it is
 * closed by then.
 *
 * @param meanwhile what to use until it is released, as a sentence
 */
export const developmentNotice = (meanwhile: string): Field =>
	notice('developmentNotice', `In development: the platform may refuse it. ${meanwhile}`);
