import type { IDataObject } from 'n8n-workflow';

import type { QueryValue } from '../../shared/api/request';
import { isKnown } from '../state/settle';
import type { ChangesState, Place } from '../state/state';
import { readChange, type Change, type Identity } from './change';

/** One page, as far as the walks look at it. */
export interface SourcePage {
	records: IDataObject[];
	/** Leads to the next page; undefined at the end. */
	nextCursor?: string;
	/** Whether the page said by itself whether there are more. */
	paginated: boolean;
	/** The platform's time when it was asked, before it read the page, Unix ms. */
	platformMs?: number;
	/** This machine's time at the same moment, Unix ms. */
	localMs: number;
	/** The platform answered 304: the same as what the ETag stands for. */
	notModified?: true;
	etag?: string;
}

/** What is watched, page by page. */
export interface PageSource {
	/**
	 * @param query beside the filters and `limit`
	 * @param etag for If-None-Match
	 */
	fetch(query: Record<string, QueryValue>, etag?: string): Promise<SourcePage>;
	/** Whether the platform refused the query itself, such as a sort or a cursor. */
	refusedQuery(error: unknown): boolean;
	/** An error for a list that would never end. */
	endless(): Error;
	readonly identity: Identity;
	/** This machine's clock, Unix ms. */
	now(): number;
}

/** How far one poll goes. */
export interface PollLimits {
	maxPages: number;
	/** How long after its `updated_at` a record can become visible. ms. */
	overlapMs: number;
	/** False when the time that n8n gives a poll is nearly over. */
	goOn(): boolean;
}

/** What one poll found. */
export interface Step {
	/** With the new place; what was found is not yet in it. */
	state: ChangesState;
	/** Where to go on from to read the same once more. */
	before: Place;
	changes: Change[];
	/** False where more is left for the next poll. */
	complete: boolean;
	/** What stopped the walk. What was found before it counts all the same. */
	error?: unknown;
}

/** One emission holds at most this many records, and the rest of a page. */
const MAX_EMISSION = 10_000;

/** Collects what is new. */
export class Collector {
	readonly changes: Change[] = [];
	/** What counts as seen without having been emitted. */
	readonly passedOver = new Map<string, number>();
	private readonly taken = new Set<string>();

	constructor(
		private readonly state: ChangesState,
		private readonly identity: Identity,
	) {}

	/** @param readAtMs the platform's time, Unix ms */
	read(record: IDataObject, readAtMs: number): Change {
		return readChange(record, this.identity, readAtMs);
	}

	get isFull(): boolean {
		return this.changes.length >= MAX_EMISSION;
	}

	/** Takes a version unless it was emitted before. */
	add(change: Change): void {
		if (this.taken.has(change.key) || isKnown(this.state, change.key)) return;
		this.taken.add(change.key);
		this.changes.push(change);
	}

	passOver({ key, atMs }: Change): void {
		this.passedOver.set(key, atMs);
	}
}
