import { invalid } from '../shop/refusal';

/** Query of a request target as single values. */
export type Query = Readonly<Record<string, string>>;

/** Which parameters a list knows, and what becomes of others. */
export interface KnownParameters {
	names: ReadonlySet<string>;
	others: 'refused' | 'ignored';
}

/**
 * Reads the query of a request target strictly: every parameter once, not empty.
 *
 * @throws Refusal INVALID_PARAMETER (Pagination rules 1: offset is rejected with 400).
 */
export function parseQuery(target: string, known: KnownParameters): Query {
	const start = target.indexOf('?');
	if (start < 0) return {};
	const query: Record<string, string> = {};
	for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
		if (name === 'offset') {
			throw invalid('offset is not supported; follow next_cursor of the page before');
		}
		if (!known.names.has(name)) {
			if (known.others === 'ignored') continue;
			throw invalid(`${name} is not a parameter of this endpoint`);
		}
		if (name in query) throw invalid(`${name} is given twice`);
		if (value === '') throw invalid(`${name} is empty`);
		query[name] = value;
	}
	return query;
}

const DEFAULT_LIMIT = 25;
/** Page size: 1..250 (Limits). */
export const MAX_LIMIT = 250;

/** Page size: 1..250, default 25 (Limits). @throws Refusal INVALID_PARAMETER. */
export function parseLimit(value: string | undefined): number {
	if (value === undefined) return DEFAULT_LIMIT;
	const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
	if (limit < 1 || limit > MAX_LIMIT) throw invalid(`limit must be 1 to ${MAX_LIMIT}`);
	return limit;
}

const DATE_FORM = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/** ms of an ISO 8601 time. @throws Refusal INVALID_PARAMETER. */
export function parseTime(name: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const ms = DATE_FORM.test(value) ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(ms))
		throw invalid(`${name} must be an ISO 8601 time such as 2026-01-31T00:00:00Z`);
	return ms;
}
