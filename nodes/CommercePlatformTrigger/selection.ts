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
 * @param chosen value of `events`, a list of names
 * @param others value of the option `otherEvents`, names separated by commas, spaces or lines
 */
export function readSelection(chosen: unknown, others: unknown): Selection {
	const listed = Array.isArray(chosen) ? chosen.map(String) : [];
	const typed = typeof others === 'string' ? others.split(/[\s,;]+/) : [];
	const names = [...listed, ...typed].map((name) => name.trim()).filter((name) => name !== '');
	const distinct = [...new Set(names)].sort();
	return {
		events: distinct.filter(isEventName),
		misshapen: distinct.filter((name) => !isEventName(name)),
	};
}
