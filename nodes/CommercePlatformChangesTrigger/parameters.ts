import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { QueryValue } from '../shared/api/request';
import { toUtcIso } from '../shared/values/dates';
import type { DecimalForm } from '../shared/values/money';
import { decimalFormOf } from '../shared/fields/decimalAmounts';
import { LIST_FILTERS } from '../shared/fields/listFilters';
import { boolean, oneOf, text, wholeNumber } from '../shared/values/readers';
import { WATCHES, WATCH_NAMES, type Watch, type WatchName } from './watches';

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
}

/** How items look. */
export interface OutputOptions {
	simplify: boolean;
	decimals: DecimalForm;
	addChangeKey: boolean;
}

/** @throws InputError */
export function readParameters(context: IPollFunctions): ChangesParameters {
	const name = oneOf('Watch', context.getNodeParameter('watch', 'order') ?? 'order', WATCH_NAMES);
	const watch: Watch = WATCHES[name];
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	const { startFrom, overlap, maxPages, keepDailyBudget } = options;
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
