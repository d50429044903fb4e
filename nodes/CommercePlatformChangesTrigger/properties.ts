import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ErrorContext } from '../shared/errors/texts';
import { decimalAmounts, LIST_FILTERS, simplify, type ListFilter } from '../shared/fields';
import { simplifyCustomer, simplifyOrder } from '../shared/model/records';
import type { Place } from './state';
import type { Identity } from './walk/change';

/** What can be watched, and how. */
export interface Watch {
	/** What users see. */
	option: { name: string; description: string };
	path: `/${string}`;
	/** By time, behind the last one, or by comparing the whole list. */
	kind: Place['kind'];
	identity: Identity;
	/** Those that the API document gives for the list ("Endpoints"); time is the trigger's own matter. */
	filters: ListFilter[];
	errors: ErrorContext;
	simplify?(record: IDataObject): IDataObject;
}

/** A list by `updated_since`. */
const changesOf = (
	name: string,
	path: `/${string}`,
	filters: ListFilter[],
	simplified?: Watch['simplify'],
): Watch => ({
	option: { name, description: `${name}s that were created or changed` },
	path,
	kind: 'list',
	identity: { idFields: ['id'] },
	filters,
	errors: { noun: name.toLowerCase() },
	simplify: simplified,
});

const COMMON: ListFilter[] = ['created_since', 'created_until', 'q', 'sku', 'status'];

type WatchName = 'customer' | 'event' | 'inventory' | 'order' | 'product';

/** In alphabetical order, as n8n wants options. */
export const WATCHES: Record<WatchName, Watch> = {
	customer: changesOf('Customer', '/customers', [], simplifyCustomer),
	event: {
		option: {
			name: 'Event Stream',
			description: 'Everything that happened, in order; a contracted enterprise feature',
		},
		path: '/events',
		kind: 'stream',
		identity: { idFields: ['event_id'], immutable: true },
		filters: ['after_event_id'],
		errors: {
			noun: 'event',
			permission:
				'The event stream is a contracted enterprise feature. Without it, watch orders, products or customers instead.',
		},
	},
	inventory: {
		option: {
			name: 'Inventory',
			description: 'Stock levels that changed; the list is read whole and compared',
		},
		path: '/inventory/levels',
		kind: 'snapshot',
		identity: { idFields: ['sku', 'location_id'] },
		filters: ['location_id', 'sku'],
		errors: { noun: 'stock level' },
	},
	order: changesOf('Order', '/orders', COMMON, simplifyOrder),
	product: changesOf('Product', '/products', COMMON),
};

export const WATCH_NAMES = Object.keys(WATCHES) as WatchName[];

const notice = (
	name: string,
	displayName: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'notice', default: '', ...more });

function filtersOf(name: WatchName): INodeProperties[] {
	const { filters } = WATCHES[name];
	if (filters.length === 0) return [];
	const shown = filters.map((filter) => LIST_FILTERS[filter]);
	return [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Watch only what matches. After a change, the trigger goes on from where it is.',
			displayOptions: { show: { watch: [name] } },
			options: shown.sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}

/** Options that are whole numbers: the name, the least, the default and the most, and the description. */
export const NUMBERS = {
	keepDailyBudget: [
		'Keep Daily Budget (%)',
		[0, 20, 100],
		'Wait until the next UTC day when less than this share of the API key’s daily requests is left, then go on',
	],
	maxPages: [
		'Max Pages per Poll',
		[1, 10, 40],
		'Stop after this many pages of up to 250 records; the next poll goes on there. Inventory is always read whole.',
	],
	overlap: [
		'Overlap (Seconds)',
		[10, 120, 86_400],
		'How far each poll looks back behind the one before, for changes that become visible late. What was emitted is not emitted again.',
	],
} satisfies Record<string, [string, [number, number, number], string]>;

/** What a restart of n8n makes of the last handover. */
export const AFTER_RESTART = ['again', 'goOn'] as const;

const numberOptions = Object.entries(NUMBERS).map(
	([name, [displayName, [minValue, byDefault, maxValue], description]]): INodeProperties => ({
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue, maxValue },
		default: byDefault,
		description,
	}),
);

const options: INodeProperties[] = [
	{
		displayName: 'Add Change Key',
		name: 'addChangeKey',
		type: 'boolean',
		default: true,
		description:
			'Whether to add “changeKey”, made of ID and version: the same for the same change, to tell repeats',
	},
	decimalAmounts,
	{
		displayName: 'After a Restart',
		name: 'afterRestart',
		type: 'options',
		options: [
			{
				name: 'Give the Last Changes Again',
				value: 'again',
				description: 'Nothing is lost: n8n may have ended before it made an execution of them',
			},
			{
				name: 'Go On',
				value: 'goOn',
				description: 'Nothing comes twice; what n8n lost when it ended is lost',
			},
		],
		default: 'again',
		description:
			'What to do with changes given last before n8n ended. With n8n’s durable cursors they are neither lost nor given again.',
	},
	...numberOptions,
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'dateTime',
		default: '',
		description:
			'Begin with what changed at this time, oldest first, up to Max Pages per Poll. Without it, only what changes from now on counts.',
	},
];

/** The node's parameters; n8n adds the poll times by itself. */
export const properties: INodeProperties[] = [
	notice(
		'intervalNotice',
		'Poll every 5 to 15 minutes. For changes within seconds, use the Commerce Platform Trigger beside it, in a workflow of its own.',
	),
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		noDataExpression: true,
		options: WATCH_NAMES.map((value) => ({ value, ...WATCHES[value].option })),
		default: 'order',
		description: 'What starts the workflow when it changes',
	},
	notice(
		'inventoryNotice',
		'The platform cannot list changed stock levels only, so each poll reads all that match the filters, 250 with one request and at most 10,000.',
		{ displayOptions: { show: { watch: ['inventory'] } } },
	),
	...WATCH_NAMES.flatMap(filtersOf),
	{
		...simplify,
		displayOptions: { show: { watch: WATCH_NAMES.filter((name) => WATCHES[name].simplify) } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	},
];
