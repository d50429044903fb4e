import { createHash } from 'node:crypto';
import { Cursors } from './cursor';
import { isGivenWhole, MAX_LIMIT, type Query } from './query';
import { select, type Chosen, type ListSpec } from './select';
import { invalid } from '../shop/refusal';
import type { Place } from '../shop/collection';
import type { Dialect } from '../dialects/dialect';
import type { Answer } from './call';

const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;
/** Page size: 1..250, default 25 (Limits). */
const DEFAULT_LIMIT = 25;
const SHORT_PAGE = 3;

/** A page that a client asks for: its walk, its size, and the place after which it begins. */
type WantedPage = { walk: string; limit: number; after?: Place };

/** Makes pages of lists: `{ data, pagination: { limit, next_cursor, has_more } }`. */
export class PageMaker {
	private readonly cursors: Cursors;
	/** The last pages that were made, so that walking an unchanged shop again costs nothing. Bounded. */
	private readonly cached = new Map<string, Answer>();
	private characters = 0;
	private cachedDialect?: Dialect;

	constructor(private readonly dialect: () => Dialect) {
		this.cursors = new Cursors(() => this.dialect().cursors === 'anyCharacters');
	}

	/**
	 * One page of a list, or the whole list if the platform does not paginate it.
	 *
	 * @throws Refusal INVALID_PARAMETER for a cursor, status or sort that does not exist
	 */
	page<T extends object>(spec: ListSpec<T>, query: Query): Answer {
		const dialect = this.dialect();
		if (isGivenWhole(spec.name, dialect)) return this.wholeList(spec, query);
		const askedLimit = Number(query.limit ?? DEFAULT_LIMIT);
		const limit = dialect.pageFill === 'short' ? Math.min(askedLimit, SHORT_PAGE) : askedLimit;
		const { version } = spec.collection;
		const until = dialect.cursorWalk === 'untilChange' ? `@${version}` : '';
		const walk = `${spec.name}?${canonical(query)}${until}`;
		const { cursor } = query;
		if (cursor !== undefined && dialect.pageFill === 'emptyBetween') {
			const place = this.cursors.find(emptyBefore(walk), cursor);
			if (place !== undefined) return page([], limit, this.cursors.make(walk, place));
		}
		const after = cursor === undefined ? spec.start : this.cursors.read(walk, cursor);
		if (dialect !== this.cachedDialect) this.cached.clear();
		this.cachedDialect = dialect;
		const cacheKey = `${version} ${limit} ${JSON.stringify(after)} ${cursor === undefined} ${walk}`;
		const cachedPage = this.cached.get(cacheKey);
		if (cachedPage) return cachedPage;
		const newPage = this.makePage(spec, query, { walk, limit, after });
		this.cache(cacheKey, newPage);
		return newPage;
	}

	private cache(name: string, made: Answer): void {
		if (this.characters > MAX_CACHED_CHARACTERS) {
			this.cached.clear();
			this.characters = 0;
		}
		this.cached.set(name, made);
		this.characters += made.text?.length ?? 0;
	}

	private wholeList<T extends object>(spec: ListSpec<T>, query: Query): Answer {
		const chosen = this.choose(spec, query, spec.start, Infinity);
		const records = chosen.map(({ value }) => spec.present(value));
		return page(records, Math.min(MAX_LIMIT, Math.max(1, chosen.length)), null);
	}

	private choose<T extends object>(
		spec: ListSpec<T>,
		query: Query,
		after: Place | undefined,
		count: number,
	): Array<Chosen<T>> {
		const { status } = query;
		if (status !== undefined && !spec.statuses.includes(status)) {
			throw invalid(`status must be ${spec.statuses.join(', ') || 'not given for this list'}`);
		}
		return select(spec, {
			...parseSort(spec, query.sort ?? defaultSort(spec, this.dialect())),
			createdFrom: timeOf(query.created_since),
			createdUntil: timeOf(query.created_until),
			updatedFrom: timeOf(query.updated_since),
			after,
			count,
		});
	}

	private makePage<T extends object>(
		spec: ListSpec<T>,
		query: Query,
		{ walk, limit, after }: WantedPage,
	): Answer {
		const { cursorWalk, pageFill } = this.dialect();
		const isByPosition = cursorWalk === 'position';
		const skipped = isByPosition && query.cursor !== undefined && after ? after[1] : 0;
		const start = isByPosition ? spec.start : after;
		const chosen = this.choose(spec, query, start, skipped + limit + 1);
		const records = chosen.slice(skipped, skipped + limit);
		const hasMore = chosen.length > skipped + limit;
		const place: Place | undefined = isByPosition ? [0, skipped + limit] : records.at(-1)?.place;
		const next = pageFill === 'emptyBetween' ? emptyBefore(walk) : walk;
		return page(
			records.map(({ value }) => spec.present(value)),
			limit,
			hasMore && place !== undefined ? this.cursors.make(next, place) : null,
		);
	}
}

const timeOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

/** The walk of a cursor whose page is empty. */
const emptyBefore = (walk: string): string => `${walk} empty`;

/** The API document does not show the default order of lists (`listOrder`), except for the event stream. */
const defaultSort = (spec: { name: string }, { listOrder }: Dialect): string =>
	listOrder === 'newestFirst' && spec.name !== 'events' ? 'created_at:desc' : 'created_at:asc';

/** A strong ETag of a body. */
export const etagOf = (text: string): string =>
	`"${createHash('sha1').update(text).digest('base64url')}"`;

function page(data: readonly unknown[], limit: number, next_cursor: string | null): Answer {
	const has_more = next_cursor !== null;
	const text = JSON.stringify({ data, pagination: { limit, next_cursor, has_more } });
	return { status: 200, text, etag: etagOf(text) };
}

/** The query without limit and cursor, as one text: it stays the same during a walk. */
const canonical = ({ limit: _limit, cursor: _cursor, ...query }: Query): string =>
	Object.keys(query)
		.sort()
		.map((name) => `${name}=${query[name]}`)
		.join('&');

const SORT_FORM = /^([a-z_]+):(asc|desc)$/;

function parseSort<T extends object>({ sorts }: ListSpec<T>, sort: string) {
	const [, field, direction] = SORT_FORM.exec(sort) ?? [];
	const key = Object.hasOwn(sorts, field ?? '') ? sorts[field] : undefined;
	if (key === undefined) {
		throw invalid(`sort must be <field>:<asc or desc> with ${Object.keys(sorts).join(', ')}`);
	}
	return { key, descending: direction === 'desc' };
}
