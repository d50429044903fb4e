import { isEventName } from '../shared/model/events';

/** What the user selected, as far as it can be used. */
export interface Selection {
	/** Distinct names, sorted. */
	events: string[];
	/** Texts that cannot be event names. */
	misshapen: string[];
}

/**
 * Reads the two parameters that select events.
 *
 * @param chosen value of `events`
 * @param others value of the option `otherEvents`; both a list of names, or names separated by commas, spaces or
 *   lines, as expressions may give either
 */
export function readSelection(chosen: unknown, others: unknown): Selection {
	const names = [...namesIn(chosen), ...namesIn(others)].filter((name) => name !== '');
	const distinct = [...new Set(names)].sort();
	return {
		events: distinct.filter(isEventName),
		misshapen: distinct.filter((name) => !isEventName(name)),
	};
}

function namesIn(value: unknown): string[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return value.map((name) => String(name).trim());
	return typeof value === 'string' ? value.split(/[\s,;]+/) : [String(value)];
}
