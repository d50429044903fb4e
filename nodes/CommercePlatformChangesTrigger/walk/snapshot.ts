import { InputError } from '../../shared/rest/errors';
import type { SnapshotPlace } from '../state';
import type { Change } from './change';
import { isRefused, type PageLoop } from './pages';

/** How many records can be compared as a whole. */
const MAX_SNAPSHOT = 10_000;

/** For so long no poll reads the list again after it was found to be too long. ms. */
const TOO_MANY_MS = 86_400_000;

/**
 * Reads a whole list and compares it with the last reading. Stock levels need this: the API document gives their list
 * no `updated_since`, and their `updated_at` is set by whoever writes them, not by the platform ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
export async function walkSnapshot(loop: PageLoop): Promise<true> {
	const { taken, tooManyUntilMs = 0 } = loop.state.place as SnapshotPlace;
	if (loop.limits.nowMs < tooManyUntilMs) throw tooMany();
	const levels = await readWhole(loop);
	for (const level of levels.values())
		if (taken) loop.addIfChanged(level);
		else loop.markAsEmitted(level);
	loop.state = { ...loop.state, place: { kind: 'snapshot', taken: true } };
	return true;
}

/**
 * Reads the levels, by their keys. If two pages show the same level, the later page counts. If a cursor is refused,
 * reads all of them once more.
 */
async function readWhole(loop: PageLoop, isAgain = false): Promise<Map<string, Change>> {
	const levels = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!loop.limits.hasTime())
			throw new InputError(
				'Filters',
				'leave more stock levels than one poll has time to read',
				'None were compared. Set Location ID or SKU, with one trigger for each.',
			);
		const page = await loop.fetch({ cursor }).catch((error: unknown) => {
			if (cursor !== undefined && !isAgain && isRefused(error)) return undefined;
			throw error;
		});
		if (page === undefined) {
			loop.beginPass();
			return await readWhole(loop, true);
		}
		for (const change of page.changes) levels.set(change.key, change);
		if (levels.size > MAX_SNAPSHOT) {
			const place = loop.state.place as SnapshotPlace;
			const tooManyUntilMs = loop.limits.nowMs + TOO_MANY_MS;
			loop.state = { ...loop.state, place: { ...place, tooManyUntilMs } };
			throw tooMany();
		}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return levels;
}

const tooMany = () =>
	new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger. Without other filters, the trigger looks again after a day.',
	);
