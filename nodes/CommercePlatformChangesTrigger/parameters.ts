import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { QueryValue } from '../shared/api/request';
import { decimalFormOf, LIST_FILTERS } from '../shared/fields';
import { toUtcIso } from '../shared/values/dates';
import { withDecimals } from '../shared/values/money';
import { boolean, oneOf, saysNothing, text, wholeNumber } from '../shared/values/readers';
import { AFTER_RESTART, NUMBERS, WATCH_NAMES, WATCHES, type Watch } from './properties';
import { changeKeyOf, type Change } from './walk/change';

/** What the user has set, read and checked. */
export type ChangesParameters = ReturnType<typeof readParameters>;

/** @throws InputError */
export function readParameters(context: IPollFunctions) {
	const name = oneOf('Watch', context.getNodeParameter('watch', 'order') ?? 'order', WATCH_NAMES);
	const watch: Watch = WATCHES[name];
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	const { startFrom, afterRestart, addChangeKey } = options;
	const number = (option: keyof typeof NUMBERS) => {
		const [label, [min, byDefault, max]] = NUMBERS[option];
		return wholeNumber(label, options[option] ?? byDefault, min, max);
	};
	const simplify =
		watch.simplify !== undefined &&
		boolean('Simplify', context.getNodeParameter('simplify', true) ?? true);
	return {
		name,
		watch,
		/** As they are sent. */
		filters: readFilters(context, watch),
		simplify: simplify ? watch.simplify : undefined,
		decimals: decimalFormOf(options, simplify ? 'number' : 'off'),
		addChangeKey: boolean('Add Change Key', addChangeKey ?? false),
		/** Unix ms; undefined for "from now on". */
		startFromMs: saysNothing(startFrom)
			? undefined
			: Date.parse(toUtcIso('Start From', startFrom, context.getTimezone())),
		overlapMs: number('overlap') * 1000,
		maxPages: number('maxPages'),
		keepDailyBudgetPercent: number('keepDailyBudget'),
		/** What a restart of n8n makes of the last handover. */
		afterRestart: oneOf('After a Restart', afterRestart, AFTER_RESTART),
	};
}

function readFilters(context: IPollFunctions, watch: Watch): Record<string, QueryValue> {
	if (watch.filters.length === 0) return {};
	const set = (context.getNodeParameter('filters', {}) ?? {}) as IDataObject;
	const filters: Record<string, QueryValue> = {};
	// In one order, so that the same filters make the same query.
	for (const name of [...watch.filters].sort()) {
		const value = set[name];
		if (saysNothing(value)) continue;
		const { displayName, type } = LIST_FILTERS[name];
		filters[name] =
			type === 'dateTime'
				? toUtcIso(displayName, value, context.getTimezone())
				: text(displayName, value);
	}
	return filters;
}

/** Changes as items: as Get Many gives them, and with their keys where that is wanted. */
export function toItems(
	changes: readonly Change[],
	{ simplify, decimals, addChangeKey }: ChangesParameters,
): INodeExecutionData[] {
	return changes.map((change) => {
		const json: IDataObject = withDecimals(simplify?.(change.record) ?? change.record, decimals);
		return { json: addChangeKey ? { ...json, changeKey: changeKeyOf(change) } : json };
	});
}
