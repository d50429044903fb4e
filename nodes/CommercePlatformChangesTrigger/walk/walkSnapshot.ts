import { InputError } from '../../shared/errors/errors';
import type { ChangesState, Emission, SnapshotPlace } from '../state/state';
import { Collector, type PageSource, type Step } from './step';

/** Records that can be compared as a whole; the key of each is remembered. */
export const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
export async function walkSnapshot(state: ChangesState, source: PageSource): Promise<Step> {
	const collector = new Collector(state, source.identity);
	const place = state.place as SnapshotPlace;
	const present = new Map<string, number>();
	const etag = state.etag?.value;
	let cursor: string | undefined;
	try {
		do {
			const page = await source.fetch({ cursor }, cursor === undefined ? etag : undefined);
			if (page.notModified) return { state, before: place, changes: [], complete: true };
			const readAtMs = page.platformMs ?? source.now();
			for (const record of page.records) {
				const change = { ...collector.read(record, readAtMs), atMs: readAtMs };
				present.set(change.key, readAtMs);
				if (place.taken) collector.add(change);
			}
			checkSize(present.size);
			if (page.nextCursor !== undefined && page.nextCursor === cursor) throw source.endless();
			const isOnlyPage = cursor === undefined && page.nextCursor === undefined;
			state = {
				...state,
				etag: isOnlyPage && page.etag ? { query: '', value: page.etag } : undefined,
			};
			cursor = page.nextCursor;
		} while (cursor !== undefined);
	} catch (error) {
		return {
			state: { ...state, etag: undefined },
			before: place,
			changes: [],
			complete: false,
			error,
		};
	}
	const compared = remember(state, present, place.taken);
	return { state: compared, before: place, changes: collector.changes, complete: true };
}

function checkSize(size: number): void {
	if (size <= MAX_SNAPSHOT) return;
	throw new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger.',
	);
}

/** Forgets the versions that are no more: a level that goes back to an earlier quantity is a change as well. */
function remember(state: ChangesState, present: Map<string, number>, taken: boolean): ChangesState {
	const seen = new Map([...present].filter(([key]) => !taken || state.seen.has(key)));
	const emissions = state.emissions.map((emission): Emission => ({
		...emission,
		keys: new Map([...emission.keys].filter(([key]) => present.has(key))),
	}));
	return { ...state, seen, emissions, place: { kind: 'snapshot', taken: true } };
}
