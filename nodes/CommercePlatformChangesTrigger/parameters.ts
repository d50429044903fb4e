import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { QueryValue } from '../shared/api/request';
import type { ErrorContext } from '../shared/errors/texts';
import { decimalFormOf, LIST_FILTERS, type ListFilter } from '../shared/fields';
import { simplifyCustomer, simplifyOrder } from '../shared/model/records';
import { toUtcIso } from '../shared/values/dates';
import { type DecimalForm, withDecimals } from '../shared/values/money';
import { boolean, oneOf, text, wholeNumber } from '../shared/values/readers';
import type { Place } from './state';
import { type Change, changeKeyOf, type Identity } from './walk/change';

/** What the user has set, read and checked. */
export interface ChangesParameters {
	name: WatchName;
	watch: Watch;
	/** As they are sent. */
	filters: Record<string, QueryValue>;
	output: OutputOptions;
	/** Unix ms; undefined for "from now on". */
	startFromMs?: number;
	overlapMs: number;
	maxPages: number;
	keepDailyBudgetPercent: number;
	/** What a restart of n8n makes of the last handover. */
	afterRestart: AfterRestart;
}

const AFTER_RESTART = ['again', 'goOn'] as const;
type AfterRestart = (typeof AFTER_RESTART)[number];

/** How items look. */
interface OutputOptions {
	simplify: boolean;
	decimals: DecimalForm;
	addChangeKey: boolean;
}

/** @throws InputError */
export function readParameters(context: IPollFunctions): ChangesParameters {
	const name = oneOf('Watch', context.getNodeParameter('watch', 'order') ?? 'order', WATCH_NAMES);
	const watch: Watch = WATCHES[name];
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	const { startFrom, overlap, maxPages, keepDailyBudget, afterRestart } = options;
	const number = (label: string, value: unknown, byDefault: number, min: number, max: number) =>
		value === undefined ? byDefault : wholeNumber(label, value, min, max);
	const simplify =
		watch.simplify !== undefined &&
		boolean('Simplify', context.getNodeParameter('simplify', true) ?? true);
	return {
		name,
		watch,
		filters: readFilters(context, watch),
		output: {
			simplify,
			decimals: decimalFormOf(options, simplify ? 'number' : 'off'),
			addChangeKey: boolean('Add Change Key', options.addChangeKey ?? false),
		},
		...(isEmpty(startFrom)
			? {}
			: { startFromMs: Date.parse(toUtcIso('Start From', startFrom, context.getTimezone())) }),
		overlapMs: number('Overlap (Seconds)', overlap, 120, 10, 86_400) * 1000,
		maxPages: number('Max Pages per Poll', maxPages, 10, 1, 40),
		afterRestart: oneOf('After a Restart', afterRestart ?? 'again', AFTER_RESTART),
		keepDailyBudgetPercent: number('Keep Daily Budget (%)', keepDailyBudget, 20, 0, 100),
	};
}

function readFilters(context: IPollFunctions, watch: Watch): Record<string, QueryValue> {
	if (watch.filters.length === 0) return {};
	const set = (context.getNodeParameter('filters', {}) ?? {}) as IDataObject;
	const filters: Record<string, QueryValue> = {};
	// In one order, so that the same filters make the same query.
	for (const name of [...watch.filters].sort()) {
		const value = set[name];
		if (isEmpty(value)) continue;
		const { displayName, type } = LIST_FILTERS[name];
		filters[name] =
			type === 'dateTime'
				? toUtcIso(displayName, value, context.getTimezone())
				: text(displayName, value);
	}
	return filters;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Changes as items: as Get Many gives them, and with their keys where that is wanted. */
export function toItems(
	changes: readonly Change[],
	watch: Watch,
	options: OutputOptions,
): INodeExecutionData[] {
	return changes.map((change) => {
		const short =
			options.simplify && watch.simplify ? watch.simplify(change.record) : change.record;
		const json: IDataObject = withDecimals(short, options.decimals);
		return { json: options.addChangeKey ? { ...json, changeKey: changeKeyOf(change) } : json };
	});
}

export type WatchName = 'customer' | 'event' | 'inventory' | 'order' | 'product';

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

const COMMON: ListFilter[] = ['created_since', 'created_until', 'q', 'sku', 'status'];

/** In alphabetical order, as n8n wants options. */
export const WATCHES: Record<WatchName, Watch> = {
	customer: {
		option: { name: 'Customer', description: 'Customers that were created or changed' },
		path: '/customers',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: [],
		errors: { noun: 'customer', scope: 'customers.read' },
		simplify: simplifyCustomer,
	},
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
		errors: { noun: 'stock level', scope: 'inventory.read' },
	},
	order: {
		option: { name: 'Order', description: 'Orders that were created or changed' },
		path: '/orders',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: COMMON,
		errors: { noun: 'order', scope: 'orders.read' },
		simplify: simplifyOrder,
	},
	product: {
		option: { name: 'Product', description: 'Products that were created or changed' },
		path: '/products',
		kind: 'list',
		identity: { idFields: ['id'] },
		filters: COMMON,
		errors: { noun: 'product', scope: 'products.read' },
	},
};

export const WATCH_NAMES = Object.keys(WATCHES) as WatchName[];
