import { Cursors } from '../../platform/api/cursor';
import { graphql } from './vendure';
import { Refusal, type Json } from './values';

export type Query = Record<string, string | undefined>;

const LONGEST_PAGE = 250;
const SHORTEST_TIME_MS = 1;

/** What can be sorted by: the document's names and the engine's. */
const SORTED: Record<string, Record<string, string>> = {
	orders: { code: 'code', order_placed_at: 'orderPlacedAt', total_with_tax: 'totalWithTax' },
	products: { title: 'name', handle: 'slug' },
	customers: { last_name: 'lastName', email_address: 'emailAddress' },
	collections: { name: 'name', position: 'position' },
};

const invalid = (message: string): Refusal => new Refusal(400, 'INVALID_PARAMETER', message);

/** The page size that a query asks for. @throws Refusal if the document does not allow it ("Limits") */
export function pageSize({ limit = '25' }: Query): number {
	const size = Number(limit);
	if (Number.isInteger(size) && size >= 1 && size <= LONGEST_PAGE) return size;
	throw invalid(`limit must be 1 to ${LONGEST_PAGE}`);
}

/** One page in the document's form. @param next where the next page begins, if there is one */
export const page = (data: unknown[], limit: number, next?: string) => ({
	data,
	pagination: { limit, next_cursor: next ?? null, has_more: next !== undefined },
});

const cursors = new Cursors();

/** A page of a list of the engine, through its own filters, sorting and offset. */
export async function list<T>(
	{ name, type, fields }: { name: string; type: string; fields: string },
	query: Query,
	filter: Json,
	record: (entry: T) => Json,
) {
	const limit = pageSize(query);
	const signature = JSON.stringify([name, filter, query.sort]);
	const place = query.cursor === undefined ? [0, 0] : cursors.find(signature, query.cursor);
	if (place === undefined) throw invalid('cursor is not valid for this list');
	const [, skip] = place;
	const options = { skip, take: limit, sort: sorting(name, query.sort), filter };
	const document = `query ($options: ${type}ListOptions) { ${name}(options: $options) { totalItems items { ${fields} } } }`;
	const found = await graphql<Record<string, { totalItems: number; items: T[] }>>(document, {
		options,
	});
	const { totalItems, items } = found[name];
	const end = skip + items.length;
	return page(
		items.map(record),
		limit,
		end < totalItems ? cursors.make(signature, [0, end]) : undefined,
	);
}

function sorting(name: string, sort?: string): Json {
	if (sort === undefined) return { id: 'DESC' };
	const [field, direction] = sort.split(':');
	const dates = { updated_at: 'updatedAt', created_at: 'createdAt' };
	const own = { ...dates, ...SORTED[name] }[field];
	if (own === undefined || !/^(asc|desc)$/.test(direction)) throw invalid(`cannot sort by ${sort}`);
	// The engine sorts by the ID first, if it is named as well.
	return { [own]: direction.toUpperCase() };
}

/** The engine's filter for the document's common times, which are inclusive. */
export function timeFilter(query: Query): Json {
	const at = (name: string, shiftMs: number) => {
		const ms = Date.parse(query[name] ?? '');
		if (Number.isNaN(ms)) throw invalid(`${name} must be ISO 8601`);
		return new Date(ms + shiftMs).toISOString();
	};
	const after = (name: string) => ({ after: at(name, -SHORTEST_TIME_MS) });
	const all: Json[] = [];
	if (query.updated_since) all.push({ updatedAt: after('updated_since') });
	if (query.created_since) all.push({ createdAt: after('created_since') });
	if (query.created_until)
		all.push({ createdAt: { before: at('created_until', SHORTEST_TIME_MS) } });
	return all.length === 0 ? {} : { _and: all };
}

/** A search in any of these fields. */
export const anyContains = (fields: string[], text?: string): Json =>
	text === undefined ? {} : { _or: fields.map((field) => ({ [field]: { contains: text } })) };

/** @throws Refusal if a query has a word for a state that the resource does not have */
export function oneOf(name: string, value: string, allowed: string[]): string {
	if (allowed.includes(value)) return value;
	throw invalid(`unknown ${name} ${value}; allowed: ${allowed.join(', ')}`);
}
