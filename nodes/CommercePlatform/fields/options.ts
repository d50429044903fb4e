import type { INodeProperties } from 'n8n-workflow';

import {
	choice,
	collection,
	type Field,
	numberField,
	textField,
	toggle,
} from '../../shared/values/fields';

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

/** Tells users who read a long list again and again of a better way. */
export const CHANGES_TRIGGER =
	'To learn only of what has changed, use the Commerce Platform Changes Trigger.';

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
			"The ETag that you already have. If the record, or the first page of the list, is as it was, the item has 'notModified' and no record.",
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
