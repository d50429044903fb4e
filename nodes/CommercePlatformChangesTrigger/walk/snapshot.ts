import { InputError } from '../../shared/errors/errors';
import type { ChangesState, SnapshotPlace } from '../state';
import type { PageLoop, Query, SourcePage, Walk } from './pages';

/** Records that can be compared as a whole; the key of each is remembered. */
const MAX_SNAPSHOT = 10_000;

/**
 * Reads a list whole and compares it with what it was. For stock levels: the API document gives their list no
 * `updated_since`, and their `updated_at` is the writer's, not the platform's ("Inventory level").
 *
 * It reads all pages in one poll, whatever Max Pages per Poll says: half a list cannot be compared.
 */
export class SnapshotWalk implements Walk {
	readonly isWhole = true;
	private readonly taken: boolean;
	private readonly present = new Map<string, number>();
	private cursor?: string;
	private isSame = false;

	constructor(
		private readonly state: ChangesState,
		private readonly loop: PageLoop,
	) {
		this.taken = (state.place as SnapshotPlace).taken;
	}

	query(): Query {
		return { cursor: this.cursor };
	}

	readAgain(): void {
		this.cursor = undefined;
		this.present.clear();
	}

	take(page: SourcePage): boolean {
		this.isSame = page.notModified === true;
		const readAtMs = page.asked.platformMs ?? page.asked.localMs;
		for (const record of page.records) {
			const change = { ...this.loop.versionOf(record, page), atMs: readAtMs };
			this.present.set(change.key, readAtMs);
			if (this.taken) this.loop.add(change);
		}
		checkSize(this.present.size);
		this.cursor = page.nextCursor;
		return this.cursor !== undefined;
	}

	/** Forgets the versions that are no more: a level that goes back to an earlier quantity is a change as well. */
	end(complete: boolean): ChangesState {
		const { state, present } = this;
		if (!complete) this.loop.changes.length = 0;
		if (!complete || this.isSame) return state;
		const pending = new Set(state.emissions.flatMap(({ keys }) => [...keys.keys()]));
		const isSeen = (key: string) => (this.taken ? state.seen.has(key) : !pending.has(key));
		const emissions = state.emissions.map((emission) => ({
			...emission,
			keys: new Map([...emission.keys].filter(([key]) => present.has(key))),
		}));
		const seen = new Map([...present].filter(([key]) => isSeen(key)));
		return { ...state, seen, emissions, place: { kind: 'snapshot', taken: true } };
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
