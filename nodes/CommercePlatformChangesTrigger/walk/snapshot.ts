import { InputError } from '../../shared/errors/errors';
import type { ChangesState, Place, SnapshotPlace } from '../state';
import type { PageLoop, Query, SourcePage, Walk } from './pages';

/** Records that can be compared as a whole; the key of each is remembered. */
export const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
export class SnapshotWalk implements Walk {
	readonly isWhole = true;
	readonly before: Place;
	private readonly present = new Map<string, number>();
	private cursor?: string;
	private lostCursor = false;
	/** Of the only page. */
	private etag: ChangesState['etag'];
	private isSame = false;

	constructor(
		private readonly state: ChangesState,
		private readonly loop: PageLoop,
	) {
		this.before = state.place;
	}

	query(): Query {
		return { cursor: this.cursor };
	}

	recover(error: unknown): boolean {
		const { source } = this.loop;
		if (this.cursor === undefined || this.lostCursor || !source.refusedCursor(error)) return false;
		this.lostCursor = true;
		this.cursor = undefined;
		this.present.clear();
		return true;
	}

	take(page: SourcePage): boolean {
		if (page.notModified) {
			this.isSame = true;
			return false;
		}
		const readAtMs = page.asked.platformMs ?? page.asked.localMs;
		for (const record of page.records) {
			const change = { ...this.loop.versionOf(record, page), atMs: readAtMs };
			this.present.set(change.key, readAtMs);
			if (this.taken) this.loop.add(change);
		}
		checkSize(this.present.size);
		const isOnly = this.cursor === undefined && page.nextCursor === undefined;
		const query = JSON.stringify(this.query());
		this.etag = isOnly && page.etag ? { query, value: page.etag } : undefined;
		this.cursor = page.nextCursor;
		return this.cursor !== undefined;
	}

	/** Forgets the versions that are no more: a level that goes back to an earlier quantity is a change as well. */
	end(complete: boolean): ChangesState {
		const { state, present, etag } = this;
		if (this.isSame) return state;
		if (!complete) {
			this.loop.changes.length = 0;
			return { ...state, etag: undefined };
		}
		const pending = new Set(state.emissions.flatMap(({ keys }) => [...keys.keys()]));
		const isSeen = (key: string) => (this.taken ? state.seen.has(key) : !pending.has(key));
		const emissions = state.emissions.map((emission) => ({
			...emission,
			keys: new Map([...emission.keys].filter(([key]) => present.has(key))),
		}));
		const seen = new Map([...present].filter(([key]) => isSeen(key)));
		return { ...state, seen, emissions, place: { kind: 'snapshot', taken: true }, etag };
	}

	private get taken(): boolean {
		return (this.state.place as SnapshotPlace).taken;
	}
}

function checkSize(size: number): void {
	if (size <= MAX_SNAPSHOT) return;
	throw new InputError(
		'Filters',
		`leave more than ${MAX_SNAPSHOT.toLocaleString('en')} stock levels to compare`,
		'Set Location ID or SKU, with one trigger for each, or use the event inventory.changed of the webhook trigger.',
	);
}
