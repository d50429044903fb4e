import type { IDataObject } from 'n8n-workflow';

import type { PlatformMethod } from '../../shared/api/request';
import {
	choice,
	type Choices,
	collection,
	type Field,
	type Item,
	notice,
	numberField,
	simplify,
	textField,
	toggle,
} from '../../shared/fields';
import { furtherQuery } from './filters';

/** How fast requests go and how long they wait. */
const everyRequest: Field[] = [
	numberField(
		'Keep Daily Budget (%)',
		'keepDailyBudget',
		'Stop when less than this share of the key’s daily requests is left, so that other integrations still work',
		{ default: 20, min: 0, max: 100 },
	),
	numberField(
		'Keep Minute Budget (%)',
		'keepMinuteBudget',
		'Wait for the next minute when less than this share is left. At 20 % the platform notifies the owners.',
		{ default: 20, min: 0, max: 100 },
	),
	numberField(
		'Max Requests at Once',
		'maxRequestsAtOnce',
		'How many requests may be under way at once, over all nodes with this API key in this n8n process',
		{ default: 4, min: 1, max: 10 },
	),
	numberField(
		'Max Retry Wait (Seconds)',
		'maxRetryWait',
		'How long one request may wait in total, for rate limits and passing faults, before it fails',
		{ default: 120, min: 0, max: 86_400 },
	),
];

const idempotencyKey = textField(
	'Idempotency Key',
	'idempotencyKey',
	'Your own key for this write, up to 255 printable ASCII characters. Never use one key for two writes.',
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
			'After a rate limit, or when no connection was made',
		],
	},
	'Whether a write is sent again after a passing fault',
);

/** Asks only for what has changed (API document, "Pagination rules", 5). */
const ifNoneMatch = textField(
	'Known ETag',
	'ifNoneMatch',
	'The ETag that you already have. If nothing has changed, the item says “notModified” in place of the record.',
	{ example: '"33a64df5"' },
);

const includeMetadata = toggle(
	'Include Response Metadata',
	'includeMetadata',
	'Whether to add “_meta” to each item: ETag, Cache-Control, request ID, and what is left of the rate limit',
);

/** Shows what would be sent. */
const dryRun = toggle(
	'Dry Run',
	'dryRun',
	'Whether to write nothing, and show what would be written and how many requests it takes',
);

/** Leaves out what would change nothing. */
export const onlyIfChanged = toggle(
	'Only If Changed',
	'onlyIfChanged',
	'Whether to read first, and skip what has these values already: one request per item, or the list once',
);

const optionsField = (options: Field[]): Field =>
	collection('Options', 'options', 'Add Option', options, 'What is sent and what is returned');

const requestsField = (more: Field[]): Field =>
	collection(
		'Requests',
		'requests',
		'Add Setting',
		[...everyRequest, ...more],
		'How requests are sent and repeated',
	);

/** What the user chose under Options and under Requests; their names differ. */
export const optionsOf = (item: Pick<Item, 'parameter'>): IDataObject => ({
	...(item.parameter('options', {}) as IDataObject),
	...(item.parameter('requests', {}) as IDataObject),
});

/** The options of an operation that sends one request for each item. */
export const recordOptions = (method: PlatformMethod, more: Field[]): Field[] =>
	method === 'GET'
		? [optionsField([includeMetadata, ...more]), requestsField([ifNoneMatch])]
		: writeOptions([idempotencyKey, includeMetadata, ...more]);

/** The options of an operation that sends several writes, for which no one key could stand. */
export const sequenceOptions = (): Field[] => writeOptions([includeMetadata]);

/** The options of every write. */
export const writeOptions = (more: Field[]): Field[] => [
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
		'Go on at an earlier page’s next_cursor, or at the cursor of an error, with the same filters and sort',
		{ example: 'eyJwIjoxfQ' },
	),
];

const pageSize = numberField('Page Size', 'pageSize', 'How many records each request asks for', {
	default: 250,
	min: 1,
});

/** What an output item of a list can be. */
const OUTPUTS: Choices = {
	pages: ['Pages', 'One item per page, with data and pagination; for very long lists'],
	records: ['Records', 'One item per record'],
};

/**
 * The fields of every Get Many: how many, which, and how.
 *
 * @param filters of this list; none where the API document names none
 * @param options its own
 * @param outputs further choices of the option Output
 */
export const listFields = (
	filters: Field[],
	isSimplified: boolean,
	options: Field[],
	outputs: Choices,
): Field[] => {
	const allOutputs = Object.fromEntries(Object.entries({ ...OUTPUTS, ...outputs }).sort());
	const which = 'Return only the records that match';
	return [
		returnAll,
		limit,
		...(filters.length === 0
			? []
			: [collection('Filters', 'filters', 'Add Filter', filters, which)]),
		...(isSimplified ? [simplify] : []),
		optionsField([
			...listOptions,
			choice('Output', 'output', allOutputs, 'What each output item is', { default: 'records' }),
			furtherQuery,
			includeMetadata,
			...options,
		]),
		requestsField([ifNoneMatch, pageSize]),
	];
};

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
