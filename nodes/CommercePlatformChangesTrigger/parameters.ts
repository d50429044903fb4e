import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import type { QueryValue } from '../shared/rest/request';
import type { ErrorContext } from '../shared/rest/texts';
import {
	choice,
	collection,
	decimalAmounts,
	decimalFormOf,
	type Field,
	notice,
	numberField,
	shownWhen,
	simplify,
	timeField,
} from '../shared/values/fields';
import {
	LIST_FILTERS,
	type ListFilter,
	readFilter,
	RESOURCES,
	type ShopResource,
} from '../shared/shop/resources';
import { toUtcIso } from '../shared/values/dates';
import { isObject } from '../shared/values/json';
import { boolean, oneOf, saysNothing, wholeNumber } from '../shared/values/readers';
import type { Identity, Place } from './state';

/** What can be watched, and how. */
interface Watch {
	/** What users see. */
	shown: [name: string, description: string];
	resource: ShopResource;
	/** How it is read: a list by time, a stream from the last event on, a snapshot by comparing the whole list. */
	kind: Place['kind'];
	identity: Identity;
	/** Those of the list, but for the one by time that the trigger sets itself. */
	filters: readonly ListFilter[];
	errors: ErrorContext;
}

/** What is watched in a list by `updated_since`. */
const listWatch = (name: string, resource: ShopResource): Watch => ({
	shown: [name, `${name}s that were created or changed`],
	resource,
	kind: 'list',
	identity: { idFields: ['id'] },
	filters: resource.filters.filter((filter) => filter !== 'updated_since'),
	errors: { noun: name.toLowerCase() },
});

type WatchName = 'customer' | 'event' | 'inventory' | 'order' | 'product';

/** In alphabetical order, because n8n wants options so. */
export const WATCHES: Record<WatchName, Watch> = {
	customer: listWatch('Customer', RESOURCES.customer),
	event: {
		shown: ['Event Stream', 'Everything that happened, in order (Enterprise plan only)'],
		resource: RESOURCES.event,
		kind: 'stream',
		identity: { idFields: ['event_id'], versionFields: [] },
		filters: RESOURCES.event.filters,
		errors: {
			noun: 'event',
			permission:
				'The event stream is on the Enterprise plan only. Without it, watch orders, products or customers instead.',
		},
	},
	inventory: {
		shown: [
			'Inventory',
			'Stock levels that changed. Each poll reads all that match the filters, 250 per request, 10,000 at most.',
		],
		resource: RESOURCES.inventory,
		kind: 'snapshot',
		identity: { idFields: ['sku', 'location_id'], versionFields: ['quantity', 'updated_at'] },
		filters: RESOURCES.inventory.filters,
		errors: { noun: 'stock level' },
	},
	order: listWatch('Order', RESOURCES.order),
	product: listWatch('Product', RESOURCES.product),
};

const WATCH_NAMES = Object.keys(WATCHES) as WatchName[];

const filtersOf = (name: WatchName): Field[] =>
	shownWhen(
		'watch',
		[name],
		collection(
			'Filters',
			'filters',
			'Add Filter',
			WATCHES[name].filters.map((filter) => LIST_FILTERS[filter]),
			'Watch only what matches. If you change it, the trigger continues where it is.',
		),
	);

/** The options that are whole numbers: label, the least, default and greatest value, and description. */
const NUMBERS = {
	keepDailyBudget: [
		'Keep Daily Budget (%)',
		[0, 0, 100],
		'Wait for the next UTC day when less than this share of the API key’s daily requests is left',
	],
	maxPages: [
		'Max Pages per Poll',
		[1, 10, 40],
		'Stop after this many pages with changes, 250 records each; the next poll continues. Inventory is always read whole.',
	],
	overlap: [
		'Overlap (Seconds)',
		[10, 120, 86_400],
		'How far each poll looks back, for changes that become visible late. What was returned is not returned again.',
	],
} satisfies Record<string, [string, [number, number, number], string]>;

const numberOptions = Object.entries(NUMBERS).map(
	([name, [label, [min, byDefault, max], description]]) =>
		numberField(label, name, description, { default: byDefault, min, max }),
);

const pollOptions = [
	decimalAmounts,
	choice(
		'After a Restart',
		'afterRestart',
		{
			again: [
				'Repeat the Last Changes',
				'Nothing is lost, but the last changes come twice if n8n had made an execution of them',
			],
			goOn: ['Go On', 'Nothing comes twice, but changes in progress during a crash are lost'],
		},
		'Whether the last changes before n8n ended come again. With n8n’s durable cursors nothing is lost or repeated.',
	),
	...numberOptions,
	timeField(
		'Start From',
		'startFrom',
		'Begin with what changed since this time, oldest first. Without it, only what changes from now on counts. Inventory ignores it.',
	),
];

/** The node's parameters; n8n adds the poll times by itself. */
export const pollProperties: INodeProperties[] = [
	notice(
		'intervalNotice',
		'Poll every 5 to 15 minutes. For changes within seconds, use the Commerce Platform Trigger in another workflow.',
	),
	choice(
		'Watch',
		'watch',
		Object.fromEntries(WATCH_NAMES.map((name) => [name, WATCHES[name].shown])),
		'What starts the workflow when it changes',
		{ noDataExpression: true, default: 'order' },
	),
	...WATCH_NAMES.filter((name) => WATCHES[name].filters.length > 0).flatMap(filtersOf),
	...shownWhen(
		'watch',
		WATCH_NAMES.filter((name) => WATCHES[name].resource.simplify),
		simplify,
	),
	collection('Options', 'options', 'Add Option', pollOptions),
];

/** What the user has set, read and checked. */
export type ChangesParameters = ReturnType<typeof readPollParameters>;

/** Reads and checks what the user has set. @throws InputError */
export function readPollParameters(context: IPollFunctions) {
	const name = oneOf('Watch', context.getNodeParameter('watch', 'order') ?? 'order', WATCH_NAMES);
	const watch = WATCHES[name];
	const entered = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	const number = (option: keyof typeof NUMBERS) => {
		const [label, [min, byDefault, max]] = NUMBERS[option];
		return wholeNumber(label, entered[option] ?? byDefault, min, max);
	};
	const isSimple =
		watch.resource.simplify !== undefined &&
		boolean('Simplify', context.getNodeParameter('simplify', true) ?? true);
	return {
		name,
		watch,
		filters: readFilters(context, watch),
		simplify: isSimple ? watch.resource.simplify : undefined,
		decimals: decimalFormOf(entered, isSimple ? 'number' : 'off'),
		/** Unix ms; undefined for "from now on". */
		startFromMs: saysNothing(entered.startFrom)
			? undefined
			: Date.parse(toUtcIso('Start From', entered.startFrom, context.getTimezone())),
		overlapMs: number('overlap') * 1000,
		maxPages: number('maxPages'),
		keepDailyBudgetPercent: number('keepDailyBudget'),
		/** Whether the last emission is made again after a restart of n8n. */
		afterRestart: oneOf('After a Restart', entered.afterRestart, ['again', 'goOn']),
	};
}

/**
 * Reads the filters as they are sent, always in one order, so that equal filters make equal queries.
 *
 * @throws InputError, also if the expression of a filter returns nothing
 */
function readFilters(context: IPollFunctions, watch: Watch): Record<string, QueryValue> {
	const entered = (context.getNodeParameter('filters', {}) ?? {}) as IDataObject;
	const asTyped: unknown = context.getNode().parameters.filters;
	const filters: Record<string, QueryValue> = {};
	for (const name of watch.filters) {
		const isExpression = () => isObject(asTyped) && String(asTyped[name]).startsWith('=');
		const value = readFilter(name, entered[name], context.getTimezone(), isExpression);
		if (value !== undefined) filters[name] = value;
	}
	return filters;
}
