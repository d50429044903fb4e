import {
	choice,
	type Choices,
	collection,
	type Field,
	notice,
	numberField,
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
	'Go on at an earlier page’s next_cursor, or at the cursor of an error, with the same filters and sort',
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
		...sort,
		...(isSimplified ? [simplify] : []),
		...optionsField([...(takesQuery ? walkOptions(outputs) : []), ...options]),
	];
};

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
