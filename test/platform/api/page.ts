import { etagOf } from './conditional';
import { Cursors, type Place } from './cursor';
import { dialectText, type Dialect } from '../dialects/dialect';
import { isGivenWhole } from './parameters';
import { PageCache } from './pageCache';
import { MAX_LIMIT, parseLimit, parseTime, type Query } from './query';
import { select, type Chosen, type ListSpec } from './select';
import { invalid } from '../shop/refusal';
import type { Answer } from './call';

/** Makes pages of lists: `{ data, pagination: { limit, next_cursor, has_more } }`. */
export class PageMaker {
	private readonly cursors: Cursors;
	private readonly cache = new PageCache();
	private readonly dialectNames = new WeakMap<Dialect, string>();

	constructor(private readonly dialect: () => Dialect) {
		this.cursors = new Cursors(() => this.dialect().cursors === 'anyCharacters');
	}

	/**
	 * One page of a list, or all of it where it is given whole.
	 *
	 * @throws Refusal INVALID_PARAMETER for a limit, cursor, time, status or sort that is none.
	 */
	page<T extends object>(spec: ListSpec<T>, query: Query): Answer {
		const dialect = this.dialect();
		if (isGivenWhole(spec.name, dialect)) return this.whole(spec, query);
		const limit = pageLimit(parseLimit(query.limit), dialect);
		const until = dialect.cursorWalk === 'untilChange' ? `@${spec.collection.version}` : '';
		const walk = `${spec.name}?${canonical(query)}${until}`;
		const { cursor } = query;
		if (cursor !== undefined && dialect.pageFill === 'emptyBetween') {
			const place = this.cursors.find(emptyBefore(walk), cursor);
			if (place !== undefined) return page([], limit, this.cursors.make(walk, place));
		}
		const after = cursor === undefined ? spec.start?.(query) : this.cursors.read(walk, cursor);
		const version = `${spec.collection.version} ${this.dialectName(dialect)}`;
		const name = `${version} ${limit} ${JSON.stringify(after)} ${cursor === undefined} ${walk}`;
		const known = this.cache.get(name);
		if (known) return known;
		const made = this.make(spec, query, { walk, limit, after });
		this.cache.set(name, made);
		return made;
	}

	clear(): void {
		this.cache.clear();
	}

	private whole<T extends object>(spec: ListSpec<T>, query: Query): Answer {
		const chosen = this.choose(spec, query, { after: spec.start?.(query), count: Infinity });
		const limit = Math.min(MAX_LIMIT, Math.max(1, chosen.length));
		return page(
			chosen.map(({ value }) => spec.present(value)),
			limit,
			null,
		);
	}

	private choose<T extends object>(
		spec: ListSpec<T>,
		query: Query,
		{ after, count }: { after: Place | undefined; count: number },
	): Array<Chosen<T>> {
		requireStatus(spec, query.status);
		return select(spec, {
			sort: parseSort(spec, query.sort ?? defaultSort(spec, this.dialect())),
			createdFrom: parseTime('created_since', query.created_since),
			createdUntil: parseTime('created_until', query.created_until),
			updatedFrom: parseTime('updated_since', query.updated_since),
			query,
			after,
			count,
		});
	}

	private make<T extends object>(
		spec: ListSpec<T>,
		query: Query,
		{ walk, limit, after }: { walk: string; limit: number; after: Place | undefined },
	): Answer {
		const { cursorWalk, pageFill } = this.dialect();
		const isCounted = cursorWalk === 'position';
		const passed = isCounted && query.cursor !== undefined ? Number(after) : 0;
		const start = isCounted ? spec.start?.(query) : after;
		const chosen = this.choose(spec, query, { after: start, count: passed + limit + 1 });
		const records = chosen.slice(passed, passed + limit);
		const has_more = chosen.length > passed + limit;
		const place = isCounted ? passed + limit : records.at(-1)?.place;
		const next = pageFill === 'emptyBetween' ? emptyBefore(walk) : walk;
		return page(
			records.map(({ value }) => spec.present(value)),
			limit,
			has_more && place !== undefined ? this.cursors.make(next, place) : null,
		);
	}

	/** A dialect as text, made once for each. */
	private dialectName(dialect: Dialect): string {
		const name = this.dialectNames.get(dialect) ?? dialectText(dialect);
		this.dialectNames.set(dialect, name);
		return name;
	}
}

const SHORT_PAGE = 3;

const pageLimit = (limit: number, { pageFill }: Dialect): number =>
	pageFill === 'short' ? Math.min(SHORT_PAGE, limit) : limit;

/** The walk of a cursor that leads to an empty page first. */
const emptyBefore = (walk: string): string => `${walk} empty`;

/** The default order of a list is not shown (`listOrder`); the event stream's is. */
const defaultSort = (spec: { name: string }, { listOrder }: Dialect): string =>
	listOrder === 'newestFirst' && spec.name !== 'events' ? 'created_at:desc' : 'created_at:asc';

function page(data: readonly unknown[], limit: number, next_cursor: string | null): Answer {
	const has_more = next_cursor !== null;
	const text = JSON.stringify({ data, pagination: { limit, next_cursor, has_more } });
	return { status: 200, text, etag: etagOf(text) };
}

/** The query that stays the same during a walk, in one spelling. */
function canonical(query: Query): string {
	return Object.keys(query)
		.filter((name) => name !== 'limit' && name !== 'cursor')
		.sort()
		.map((name) => `${name}=${query[name]}`)
		.join('&');
}

function requireStatus<T extends object>(spec: ListSpec<T>, status: string | undefined): void {
	if (status === undefined || spec.statuses.includes(status)) return;
	const allowed = spec.statuses.length > 0 ? spec.statuses.join(', ') : 'not given for this list';
	throw invalid(`status must be ${allowed}`);
}

const SORT_FORM = /^([a-z_]+):(asc|desc)$/;

function parseSort<T extends object>(spec: ListSpec<T>, sort: string) {
	const [, field, direction] = SORT_FORM.exec(sort) ?? [];
	const key = Object.hasOwn(spec.sorts, field ?? '') ? spec.sorts[field] : undefined;
	if (key === undefined) {
		throw invalid(`sort must be <field>:<asc or desc> with ${Object.keys(spec.sorts).join(', ')}`);
	}
	return { key, descending: direction === 'desc' };
}
