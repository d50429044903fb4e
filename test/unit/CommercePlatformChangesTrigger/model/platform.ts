import type { IDataObject } from 'n8n-workflow';

import type { QueryValue } from '../../../../nodes/shared/api/request';
import type {
	PageSource,
	SourcePage,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk/step';

/** How a platform may read what the API document leaves open. */
export interface Habits {
	/** `updated_at` without fractions of a second. */
	wholeSeconds: boolean;
	sort: 'kept' | 'ignored' | 'refused';
	/** Records carry `updated_at`. */
	showsUpdatedAt: boolean;
	/** Answers carry a Date header. */
	tellsTime: boolean;
	pageSize: number;
	offsetZone: boolean;
}

interface Version {
	id: string;
	content: number;
	/** By the platform's clock. */
	updatedMs: number;
	/** By true time. */
	visibleMs: number;
}

class Refused extends Error {}
export class Down extends Error {}

/** A list of records whose clock only its owner moves. */
export class ModelPlatform {
	nowMs = Date.UTC(2026, 0, 31, 22);
	/** This machine's clock, off by hours. */
	localMs = this.nowMs + 3 * 3_600_000;
	/** The time that no clock shows. */
	private trueMs = 0;
	requests = 0;
	/** The request with this number fails. */
	failAt?: number;
	/** Called after each request: what happens while a walk is under way. */
	between: Array<() => void> = [];
	private epoch = 0;
	private content = 0;
	private versions: Version[] = [];

	constructor(readonly habits: Habits) {}

	/** Time goes by, on both clocks. */
	pass(ms: number): void {
		this.trueMs += ms;
		this.nowMs += ms;
		this.localMs += ms;
	}

	/**
	 * One of the clocks jumps: the platform's back, or this machine's ahead. The other directions could hide a
	 * clock that was set back, and from one reading to the next nobody can tell.
	 */
	jump(clock: 'platform' | 'local', ms: number): void {
		if (clock === 'platform') this.nowMs -= ms;
		else this.localMs += ms;
	}

	/** @param lateMs how long after its `updated_at` the change becomes visible */
	write(id: string, lateMs: number): void {
		const visibleMs = this.trueMs + lateMs;
		this.versions.push({ id, content: ++this.content, updatedMs: this.nowMs, visibleMs });
	}

	delete(id: string): void {
		this.versions = this.versions.filter((version) => version.id !== id);
	}

	forgetCursors(): void {
		this.epoch++;
	}

	/** What a reader sees now: the latest visible version of each record. */
	visible(): Version[] {
		const latest = new Map<string, Version>();
		for (const version of this.versions) {
			if (version.visibleMs <= this.trueMs) latest.set(version.id, version);
		}
		return [...latest.values()];
	}

	/** The name of a version, as records carry it. */
	static nameOf(record: IDataObject): string {
		return `${String(record.id)}/${String(record.content)}`;
	}

	get source(): PageSource {
		return {
			fetch: async (query) => await Promise.resolve(this.answer(query)),
			refusedQuery: (error) => error instanceof Refused,
			endless: () => new Error('endless'),
			identity: { idFields: ['id'] },
			now: () => this.localMs,
		};
	}

	private answer(query: Record<string, QueryValue>): SourcePage {
		this.requests++;
		if (this.requests === this.failAt) throw new Down();
		if (query.sort !== undefined && this.habits.sort === 'refused') throw new Refused();
		const platformMs = Math.floor(this.nowMs / 1000) * 1000;
		const found = this.list(Date.parse(String(query.updated_since)), query.sort !== undefined);
		const after = this.placeOf(query.cursor);
		const left = after === undefined ? found : found.filter((one) => compare(one.place, after) > 0);
		const page = left.slice(0, this.habits.pageSize);
		this.between.shift()?.();
		const last = page.at(-1);
		return {
			records: page.map(({ version }) => this.present(version)),
			nextCursor:
				left.length > page.length && last !== undefined
					? JSON.stringify([this.epoch, ...last.place])
					: undefined,
			paginated: true,
			localMs: this.localMs,
			...(this.habits.tellsTime ? { platformMs } : {}),
		};
	}

	private list(sinceMs: number, sorted: boolean): Array<{ version: Version; place: Place }> {
		const byTime = sorted && this.habits.sort === 'kept';
		return this.visible()
			.filter((version) => this.shownMs(version) >= sinceMs)
			.map((version): { version: Version; place: Place } => ({
				version,
				place: [byTime ? this.shownMs(version) : 0, version.id],
			}))
			.sort((a, b) => compare(a.place, b.place));
	}

	private placeOf(cursor: QueryValue): Place | undefined {
		if (typeof cursor !== 'string') return undefined;
		const [epoch, atMs, id] = JSON.parse(cursor) as [number, number, string];
		if (epoch !== this.epoch) throw new Refused();
		return [atMs, id];
	}

	private shownMs({ updatedMs }: Version): number {
		return this.habits.wholeSeconds ? Math.floor(updatedMs / 1000) * 1000 : updatedMs;
	}

	private present(version: Version): IDataObject {
		const { id, content } = version;
		const iso = new Date(this.shownMs(version)).toISOString();
		const shifted = new Date(this.shownMs(version) + 7_200_000).toISOString();
		const updated_at = this.habits.offsetZone ? shifted.replace('Z', '+02:00') : iso;
		return { id, content, ...(this.habits.showsUpdatedAt ? { updated_at } : {}) };
	}
}

type Place = [atMs: number, id: string];

const compare = ([a, i]: Place, [b, k]: Place): number =>
	a !== b ? a - b : i < k ? -1 : i > k ? 1 : 0;
