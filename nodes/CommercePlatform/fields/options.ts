import type { INodeProperties } from 'n8n-workflow';

import {
	choice,
	type Choices,
	collection,
	type Field,
	notice,
	numberField,
	shownWhen,
	simplify,
	textField,
	toggle,
} from '../../shared/values/fields';
import { furtherQuery } from './filters';

/** The option of writes that can show what they would change. */
export const dryRun = toggle(
	'Dry Run',
	'dryRun',
	'Whether to write nothing, and show what would be written and how many requests it takes',
);

/** The option to leave out writes that would change nothing. */
export const onlyIfChanged = toggle(
	'Only If Changed',
	'onlyIfChanged',
	'Whether to read first, and skip what has these values already: one request per item, or the list once',
);

/** The collection Options, if an operation has any. */
export const optionsField = (options: Field[]): Field[] =>
	options.length === 0
		? []
		: [
				collection(
					'Options',
					'options',
					'Add Option',
					options,
					'What is sent and what is returned',
				),
			];

/** How many records: Return All or Limit (API document, "Pagination rules"). */
const returnAll = toggle(
	'Return All',
	'returnAll',
	'Whether to return all results or only up to a given limit',
	{ default: false },
);

const limit = numberField('Limit', 'limit', 'Max number of results to return', {
	default: 50,
	min: 1,
	displayOptions: { show: { returnAll: [false] } },
});

/** What an output item of a list can be. */
const OUTPUTS: Choices = {
	pages: [
		'Pages',
		'One item per page, with data and pagination; for very long lists. Limit counts records here, too.',
	],
	records: ['Records', 'One item per record'],
};

const startCursor = textField(
	'Start Cursor',
	'startCursor',
	'The next_cursor of an earlier page, or the cursor of an error. Keep filters and sort as they were.',
	{ example: 'eyJwIjoxfQ' },
);

/**
 * The options of lists with query parameters: where to begin, further parameters, and the form of the items.
 *
 * @param outputs further choices of the option Output
 */
const walkOptions = (outputs: Choices): Field[] => [
	choice(
		'Output',
		'output',
		Object.fromEntries(Object.entries({ ...OUTPUTS, ...outputs }).sort()),
		'What each output item is',
		{ default: 'records' },
	),
	startCursor,
	furtherQuery,
];

/** Which records a list gives, and in which form. */
interface ListFields {
	/** The filters that the API document names for this list. */
	filters: Field[];
	sort: Field[];
	isSimplified: boolean;
	/** The list's own options. */
	options: Field[];
	outputs: Choices;
	/** Whether the API document gives the list query parameters. */
	takesQuery: boolean;
}

/** The fields that every Get Many has: how many records, which ones, and in which form. */
export const listFields = ({
	filters,
	sort,
	isSimplified,
	options,
	outputs,
	takesQuery,
}: ListFields): Field[] => {
	const filtersDescription = 'Return only the records that match';
	return [
		returnAll,
		limit,
		...(filters.length === 0
			? []
			: [collection('Filters', 'filters', 'Add Filter', filters, filtersDescription)]),
		...(isSimplified ? [simplify] : []),
		...optionsField([...(takesQuery ? walkOptions(outputs) : []), ...sort, ...options]),
	];
};

/** What an AI tool has in place of Simplify: a model may need other fields, and has little room for all of them. */
export const outputForModels: Field[] = [
	choice(
		'Output',
		'output',
		{
			simplified: ['Simplified', 'The fields that are needed most'],
			raw: ['Raw', 'All fields that the platform returns'],
			selectedFields: ['Selected Fields', 'Only the fields that you name'],
		},
		'Which fields of each record the model gets',
	),
	...shownWhen(
		'output',
		['selectedFields'],
		textField(
			'Fields',
			'selectedFields',
			'Names of the fields, separated by commas; a dot leads into an object or a list',
			{ required: true, example: 'status, total, customer.email' },
		),
	),
];

/** Tells users who read a long list again and again of a better way. */
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

/** Options for the pace, the waits and the retries of requests. The first item's choices count for the whole run. */
const RUN_WIDE_FIELDS: Field[] = [
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
		'How many requests this node may have under way at once. All nodes with one API key together have 10.',
		{ default: 4, min: 1, max: 10 },
	),
	numberField(
		'Max Retry Wait (Seconds)',
		'maxRetryWait',
		'How long one request may wait in total to be sent again, before it fails; 0 makes one attempt',
		{ default: 120, min: 0, max: 86_400 },
	),
	choice(
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
		'Whether a write is sent again after a passing fault. No effect on reads.',
	),
];

/** Operations by their values, over all resources. */
const READS = ['get', 'getAll'];
const OF_ALL_ITEMS = ['importCatalog', 'setPrices', 'upsert'];

/** Hides an option for operations where it would do nothing. */
const hiddenFor = (...operations: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { hide: { '/operation': operations } },
});

const shownFor = (...operations: string[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { '/operation': operations } },
});

/**
 * How requests are sent, chosen once for the node. n8n has a collection of this name for every declarative node: it
 * adds its own options (Batching, Ignore SSL Issues, Proxy, Timeout) when it loads the node, and shows the collection
 * under Settings.
 */
export const requestOptions: Field = collection(
	'Request Options',
	'requestOptions',
	'Add Option',
	[
		...RUN_WIDE_FIELDS,
		textField(
			'Idempotency Key',
			'idempotencyKey',
			'Your own key for the item’s write, up to 255 characters without accents or emoji. Never use one key for two writes.',
			{
				example: 'order-1001-note',
				// Refund has its own field for the key. The others send several writes, and one key cannot stand for all of
				// them.
				...hiddenFor(...READS, ...OF_ALL_ITEMS, 'recreate', 'refund'),
			},
		),
		toggle(
			'Include Response Metadata',
			'includeMetadata',
			"Whether to add '_meta' to each item: ETag, Cache-Control, request ID, and what is left of the rate limit",
			hiddenFor(...OF_ALL_ITEMS),
		),
		// Asks only for what has changed (API document, "Pagination rules", 5).
		textField(
			'Known ETag',
			'ifNoneMatch',
			"The ETag that you already have. If nothing has changed, the item has 'notModified' and no record.",
			{ example: '"33a64df5"', ...shownFor(...READS) },
		),
		numberField(
			'Page Size',
			'pageSize',
			'How many records each request asks for. No effect on webhooks, whose list takes no limit.',
			{ default: 250, min: 1, ...shownFor('getAll') },
		),
		textField(
			'Selected Fields',
			'selectedFields',
			'Returns only these fields of the record. A dot leads into an object or a list. Keeps an AI Agent’s context small.',
			{ example: 'status, total, customer.email', ...shownFor(...READS) },
		),
		toggle(
			'Whole Record',
			'wholeRecord',
			'Whether a write returns all fields of the record instead of a simplified version, as Get does without Simplify',
			shownFor('cancel', 'create', 'fulfill', 'update', 'upsert'),
		),
	],
	'How requests are sent, and what of the answer is returned',
);
