import type { Keys } from './keys';

/** Where the next request goes on. Times in Unix ms. */
export type Place = ListPlace | StreamPlace | SnapshotPlace;

/** In a list by `updated_since`. */
export interface ListPlace {
	kind: 'list';
	/** Everything that changed before this time has been emitted. A whole second. */
	sinceMs: number;
	/** In the first walk: what changed before this time is remembered and not emitted. */
	fromMs?: number;
	/** Of a walk that is not finished: its next page. */
	cursor?: string;
	/** Of a walk that is not finished: the platform's time when it began. */
	startedMs?: number;
	/** Of a walk that is not finished: its name, which is the revision in which it began. */
	walk?: number;
	/** Of a walk that is not finished: the pages read. */
	pages?: number;
}

/** In the event stream. */
export interface StreamPlace {
	kind: 'stream';
	/** The last event that was read; undefined before the first. */
	afterEventId?: string;
	/** Events read up to there. */
	read: number;
	/** Events before this time are passed over, because the trigger was to begin there. */
	fromMs?: number;
	/** The user chose that time. Then an event that does not tell its time is an error. */
	isChosen?: boolean;
}

/** In a list that is compared as a whole. */
export interface SnapshotPlace {
	kind: 'snapshot';
	/** False before the first comparison, which emits nothing. */
	taken: boolean;
}

/** What was handed to n8n, and is not yet known to have become an execution. */
export interface Emission {
	id: number;
	/** The process that handed it over. Only that one can learn how it ended. */
	process: string;
	/** By this machine's clock, Unix ms. */
	handedOverMs: number;
	/** Where to go on from to read it again. */
	before: Place;
	keys: Keys;
}

/** What a state belongs to. A state that belongs to something else is never used. */
export interface Subject {
	workflowId: string;
	/** The credential's address. */
	account: string;
	watch: string;
	/** As they are sent. */
	filters: string;
}

/** Everything that the trigger remembers. It is never changed in place. */
export interface ChangesState {
	subject: Subject;
	/** Grows with every poll: of two states of one subject, the higher is the newer. */
	revision: number;
	place: Place;
	/** Versions that were emitted and became executions. */
	seen: Keys;
	/** The oldest first. */
	emissions: readonly Emission[];
	/** The platform's clock and this machine's at the latest walk, Unix ms. */
	clocks?: Clocks;
	/** The newest `updated_at` read so far, Unix ms; for a platform that does not tell its time. */
	newestMs?: number;
	/** True where the platform refused to sort. */
	unsorted?: true;
	/** The ETag of an answer in which nothing was new, and the query that it belongs to. */
	etag?: { query: string; value: string };
}

/** Two clocks, read at once. Unix ms. */
export interface Clocks {
	platformMs: number;
	/** Only ever compared with itself, as a stopwatch. */
	localMs: number;
}
