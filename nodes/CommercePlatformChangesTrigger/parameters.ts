import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { QueryValue } from '../shared/api/request';
import { toUtcIso } from '../shared/values/dates';
import { withDecimals, type DecimalForm } from '../shared/values/money';
import { decimalFormOf } from '../shared/fields/decimalAmounts';
import { LIST_FILTERS } from '../shared/fields/listFilters';
import { boolean, oneOf, text, wholeNumber } from '../shared/values/readers';
import { changeKeyOf, type Change } from './walk/change';
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
	/** What a restart of n8n makes of the last handover. */
	afterRestart: AfterRestart;
}

export const AFTER_RESTART = ['again', 'goOn'] as const;
export type AfterRestart = (typeof AFTER_RESTART)[number];

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
