import { etagOf } from './conditional';
import { Cursors, type Place } from './cursor';
import { PageCache } from './pageCache';
import { parseLimit, parseTime, type Query } from './query';
import { select, type ListSpec } from './select';
import { invalid } from '../shop/refusal';
import type { Answer } from './call';

/** Makes pages of lists: `{ data, pagination: { limit, next_cursor, has_more } }`. */
export class PageMaker {
	private readonly cursors = new Cursors();
	private readonly cache = new PageCache();

	/**
	 * One page of a list.
	 *
	 * @param variant whatever else the presentation depends on (e.g. masking), for the cache.
	 * @throws Refusal INVALID_PARAMETER for a limit, cursor, time, status or sort that is none.
	 */
	page<T extends object>(spec: ListSpec<T>, query: Query, variant = ''): Answer {
		const limit = parseLimit(query.limit);
		const walk = `${spec.name}?${canonical(query)}`;
		const after =
			query.cursor === undefined ? spec.start?.(query) : this.cursors.read(walk, query.cursor);
		const name = `${spec.collection.version} ${limit} ${JSON.stringify(after)} ${variant} ${walk}`;
		const known = this.cache.get(name);
		if (known) return known;
		const page = this.make(spec, query, { walk, limit, after });
		this.cache.set(name, page);
		return page;
	}

	clear(): void {
		this.cache.clear();
	}

	private make<T extends object>(
		spec: ListSpec<T>,
		query: Query,
		{ walk, limit, after }: { walk: string; limit: number; after: Place | undefined },
	): Answer {
		requireStatus(spec, query.status);
		const chosen = select(spec, {
			sort: parseSort(spec, query.sort),
			createdFrom: parseTime('created_since', query.created_since),
			createdUntil: parseTime('created_until', query.created_until),
			updatedFrom: parseTime('updated_since', query.updated_since),
			query,
			after,
			count: limit + 1,
		});
		const has_more = chosen.length > limit;
		const records = has_more ? chosen.slice(0, limit) : chosen;
		const last = records[records.length - 1];
		const text = JSON.stringify({
			data: records.map(({ value }) => spec.present(value)),
			pagination: {
				limit,
				next_cursor: has_more ? this.cursors.make(walk, last.place) : null,
				has_more,
			},
		});
		return { status: 200, text, etag: etagOf(text) };
	}
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

function parseSort<T extends object>(spec: ListSpec<T>, sort: string | undefined) {
	const [, field, direction] = SORT_FORM.exec(sort ?? 'created_at:asc') ?? [];
	const key = Object.hasOwn(spec.sorts, field ?? '') ? spec.sorts[field] : undefined;
	if (key === undefined) {
		throw invalid(`sort must be <field>:<asc or desc> with ${Object.keys(spec.sorts).join(', ')}`);
	}
	return { key, descending: direction === 'desc' };
}
