import { InputError, settled } from '../../shared/errors/errors';
import type { SnapshotPlace } from '../state';
import type { Change } from './change';
import type { PageLoop } from './pages';

/** Records that can be compared as a whole; the key of each is remembered. */
const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
export async function walkSnapshot(loop: PageLoop): Promise<true> {
	const { taken } = loop.state.place as SnapshotPlace;
	const present = await readWhole(loop);
	const { state } = loop;
	if (taken) for (const change of present.values()) loop.add(change);
	const pending = new Set(state.emissions.flatMap(({ keys }) => [...keys.keys()]));
	const isSeen = (key: string) => (taken ? state.seen.has(key) : !pending.has(key));
	// What is no more is forgotten: a level that goes back to an earlier quantity is a change as well.
	const emissions = state.emissions.map((emission) => ({
		...emission,
		keys: new Map([...emission.keys].filter(([key]) => present.has(key))),
	}));
	const kept = [...present.values()].filter(({ key }) => isSeen(key));
	const seen = new Map(kept.map(({ key, atMs }) => [key, atMs]));
	loop.state = { ...state, seen, emissions, place: { kind: 'snapshot', taken: true } };
	return true;
}

async function readWhole(loop: PageLoop): Promise<Map<string, Change>> {
	const present = new Map<string, Change>();
	let cursor: string | undefined;
	do {
		if (!loop.limits.hasTime()) throw loop.source.endless(OUT_OF_TIME);
		const sent = await settled(loop.page({ cursor }));
		if (sent.status === 'rejected') {
			if (!loop.forgives(cursor, sent.reason)) throw sent.reason;
			return await readWhole(loop);
		}
		const { changes, asked, nextCursor } = sent.value;
		const atMs = asked.platformMs ?? asked.localMs;
		for (const change of changes) present.set(change.key, { ...change, atMs });
		checkSize(present.size);
		cursor = nextCursor;
	} while (cursor !== undefined);
	return present;
}

const OUT_OF_TIME = 'did not send the whole list within the time that n8n gives a poll';

function checkSize(size: number): void {
	if (size <= MAX_SNAPSHOT) return;
	throw new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger.',
	);
}
