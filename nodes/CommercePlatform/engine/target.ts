import { expandPath, placeholders } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import type { Operation, PlannedItem } from './operation';

/**
 * What a write changes, as it is known before anything is sent: writes to one target go one after the other.
 * What is yet to be looked up has a name of its own, so that it is taken for no other record's ID.
 */
export function targetsOf(
	operation: Operation,
	credentialId: string,
	planned: PlannedItem,
): string[] {
	if (operation.kind === 'all') return [];
	const target = operation.target?.(planned) ?? recordPathOf(planned.request);
	if (target === undefined) return [];
	return [
		`${credentialId} ${needsLookUp(operation, planned) ? `look-up ${loosely(target)}` : target}`,
	];
}

/** A name by its letters and digits alone, since `#1041` and `1041` may be one record. */
const loosely = (target: string): string =>
	decodeURIComponent(target)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The record that a request is about, e.g. `/orders/ord_1` of `/orders/ord_1/cancel`.
 *
 * @returns undefined for a request about none in particular, as a create
 */
export function recordPathOf({ path, pathParams }: PlatformRequest): string | undefined {
	const [name] = placeholders(path);
	if (name === undefined) return undefined;
	const placeholder = `{${name}}`;
	const end = path.indexOf(placeholder) + placeholder.length;
	return expandPath(path.slice(0, end), pathParams);
}

/** Ways to name a record that need no look-up; the last two where no mode was chosen. */
const DIRECT_MODES: readonly unknown[] = ['id', 'list', '', undefined];

export const isDirectMode = (mode: unknown): boolean => DIRECT_MODES.includes(mode);

/** Whether an item names its record by something else than its ID. */
export function needsLookUp({ fields }: Operation, { item }: PlannedItem): boolean {
	return fields.some(
		({ type, name }) => type === 'resourceLocator' && !isDirectMode(item.locatorMode(name)),
	);
}
