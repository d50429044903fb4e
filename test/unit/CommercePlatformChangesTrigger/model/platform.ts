import type { IDataObject } from 'n8n-workflow';

import type { QueryValue } from '../../../../nodes/shared/rest/request';
import { PlatformError } from '../../../../nodes/shared/rest/errors';
import { readChange } from '../../../../nodes/CommercePlatformChangesTrigger/state';
import type {
	ChangesPage,
	ChangesSource,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk';

/** How a platform may behave where the API document leaves it open. */
export interface Habits {
	/** `updated_at` without fractions of a second. */
	wholeSeconds: boolean;
	/** The form of `updated_at` in records. */
	times: 'iso' | 'offset' | 'utc' | 'missing';
	/**
	 * `updated_at` is the time of the record's first version, while the list sorts and filters by that of its last one.
	 */
	headTimes: boolean;
	/** Records return to earlier contents. */
	returns: boolean;
	/** A field differs at every reading. */
	isVolatile: boolean;
	/** How long a cursor lives, ms; below 0, none ever works. */
	cursorLifeMs: number;
	/** The answer to an expired cursor: an error status, or the first page again. */
	expired: number | 'restarts';
	/** An empty page between any two others. */
	emptyPages: boolean;
	/** The last page has a cursor too; it leads to an empty page. */
	endsEmpty: boolean;
	/** The most records per page, even if more are asked for. */
	pageSize: number;
	/** `updated_since` has no effect. */
	ignoresSince?: boolean;
}

interface Version {
	id: string;
	/** Unique; no record shows it. */
	number: number;
	content: number;
	/** By the platform's clock. */
	updatedMs: number;
	/** By true time. */
	visibleMs: number;
}

const REQUEST = { method: 'GET', path: '/orders', host: 'model' } as const;
const refused = (status = 400) => new PlatformError('refused', REQUEST, { status });
const down = () => new Error('The platform is away.');

/** Whether a poll said that the list would never end. */
export const isEndless = (error: unknown): boolean =>
	error instanceof PlatformError && error.problem === 'bad-page';

/** A list of records. Only the test moves its clock. */
export class ModelPlatform {
	nowMs = Date.UTC(2026, 0, 31, 22);
	/** True time, which no clock shows. */
	private trueMs = 0;
	requests = 0;
	/** The request with this number fails. */
	failAt?: number;
	/** Called after each request: events during a walk. */
	between: Array<() => void> = [];
	private epoch = 0;
	private number = 0;
	private versions: Version[] = [];
	/** When each record was last written, by true time, ms. */
	private readonly writtenMs = new Map<string, number>();

	constructor(readonly habits: Habits) {}

	/** Time passes. */
	pass(ms: number): void {
		this.trueMs += ms;
		this.nowMs += ms;
	}

	/** @param lateMs how long after its `updated_at` the change becomes visible */
	write(id: string, lateMs: number): void {
		// If times have fractions, they distinguish the changes of a record.
		if (this.trueMs - (this.writtenMs.get(id) ?? -Infinity) < 2) this.pass(2);
		this.writtenMs.set(id, this.trueMs);
		const number = ++this.number;
		const content = this.habits.returns ? number % 3 : number;
		const updatedMs = this.nowMs;
		const visibleMs = this.trueMs + lateMs;
		this.versions.push({ id, number, content, updatedMs, visibleMs });
	}

	delete(id: string): void {
		this.versions = this.versions.filter((version) => version.id !== id);
	}

	forgetCursors(): void {
		this.epoch++;
	}

	/** What a reader can see now: the latest visible version of each record. */
	visible(): Version[] {
		const latest = new Map<string, Version>();
		for (const version of this.versions)
			if (version.visibleMs <= this.trueMs) latest.set(version.id, version);
		return [...latest.values()];
	}

	/** The version that a record showed. */
	static versionOf(record: IDataObject): Version {
		return shownVersions.get(record)!;
	}

	/** The parts of a version that a reader can see. */
	looksOf(version: Version): string {
		return JSON.stringify([version.content, this.timeOf(version)]);
	}

	get source(): ChangesSource {
		return {
			fetch: async (query) => await Promise.resolve(this.answer(query)),
			endlessError: (hint) => new PlatformError('bad-page', REQUEST, { hint }),
		};
	}

	private answer(query: Record<string, QueryValue>): ChangesPage {
		this.requests++;
		if (this.requests === this.failAt) throw down();
		// A Date header has whole seconds.
		const askedMs = Math.floor(this.nowMs / 1000) * 1000;
		const found = this.list(Date.parse(String(query.updated_since)), query.sort);
		const cursor = this.read(query.cursor);
		const left = this.behind(found, cursor);
		const isEmpty = cursor?.isEmpty === true;
		const size = Math.min(Number(query.limit ?? Infinity), this.habits.pageSize);
		const page = isEmpty ? [] : left.slice(0, size);
		// A record is shown as it was when the page was read, also if it is deleted before the answer arrives.
		const changes = page.map(({ version }) =>
			readChange(this.present(version), { idFields: ['id'] }),
		);
		this.between.shift()?.();
		if (isEmpty) return this.page(askedMs, [], { ...cursor, isEmpty: false });
		const last = page.at(-1);
		const isLast = left.length <= page.length && !this.habits.endsEmpty;
		if (isLast || last === undefined) return this.page(askedMs, changes);
		return this.page(askedMs, changes, { place: last.place, isEmpty: this.habits.emptyPages });
	}

	private page(
		askedMs: number,
		changes: ChangesPage['changes'],
		next?: Omit<Cursor, 'epoch' | 'madeMs'>,
	): ChangesPage {
		return {
			changes,
			nextCursor: next && JSON.stringify({ ...next, epoch: this.epoch, madeMs: this.trueMs }),
			hasMore: next !== undefined,
			askedMs,
		};
	}

	private behind(found: Listed[], cursor: Cursor | undefined): Listed[] {
		if (cursor === undefined) return found;
		return found.filter(({ place }) => compare(place, cursor.place) > 0);
	}

	private list(sinceMs: number, sort: QueryValue): Listed[] {
		const direction = sort === 'updated_at:desc' ? -1 : 1;
		return this.visible()
			.filter((version) => this.habits.ignoresSince || this.shownMs(version) >= sinceMs)
			.map((version): Listed => ({
				version,
				place: [direction * this.shownMs(version), version.id],
			}))
			.sort((a, b) => compare(a.place, b.place));
	}

	private read(cursor: QueryValue): Cursor | undefined {
		if (typeof cursor !== 'string') return undefined;
		const read = JSON.parse(cursor) as Cursor;
		const { cursorLifeMs, expired } = this.habits;
		if (read.epoch === this.epoch && this.trueMs - read.madeMs <= cursorLifeMs) return read;
		if (typeof expired === 'number') throw refused(expired);
		return undefined;
	}

	/** The time by which the list sorts and filters. */
	private shownMs({ updatedMs }: Version): number {
		const ms = Math.floor(updatedMs / 1000) * 1000;
		if (this.habits.wholeSeconds) return ms;
		// Then only a time with a fraction distinguishes versions.
		return this.habits.isVolatile && updatedMs === ms ? ms + 1 : updatedMs;
	}

	/** The time in the record. */
	private timeOf(version: Version): string | undefined {
		const { headTimes, times } = this.habits;
		const first = headTimes ? this.versions.find(({ id }) => id === version.id) : undefined;
		return SHOWN[times](this.shownMs(first ?? version));
	}

	private present(version: Version): IDataObject {
		const { id, content } = version;
		const shown = this.timeOf(version);
		const record: IDataObject = { id, content, ...(shown && { updated_at: shown }) };
		if (this.habits.isVolatile) record.as_of = this.requests;
		shownVersions.set(record, version);
		return record;
	}
}

/** The version that a record showed, for the host, which knows more than a reader. */
const shownVersions = new WeakMap<IDataObject, Version>();

const SHOWN: Record<Habits['times'], (ms: number) => string | undefined> = {
	iso: (ms) => new Date(ms).toISOString(),
	offset: (ms) => new Date(ms + 7_200_000).toISOString().replace('Z', '+02:00'),
	utc: (ms) => new Date(ms).toISOString().slice(0, -1),
	missing: () => undefined,
};

interface Listed {
	version: Version;
	place: Place;
}

interface Cursor {
	place: Place;
	/** Whether it leads to an empty page first. */
	isEmpty: boolean;
	epoch: number;
	/** By true time. */
	madeMs: number;
}

type Place = [atMs: number, id: string];

const compare = ([a, i]: Place, [b, k]: Place): number =>
	a !== b ? a - b : i < k ? -1 : i > k ? 1 : 0;
