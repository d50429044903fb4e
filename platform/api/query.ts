import { shaped } from '../dialects/form';
import { invalid, Refusal } from '../shop/refusal';
import type { Dialect } from '../dialects/dialect';
import type { Operation } from './contract';

/** Query parameters, each with its one value. */
export type Query = Readonly<Record<string, string>>;

/** Common query parameters on list endpoints. */
const COMMON = 'limit cursor updated_since created_since created_until status sku q sort'.split(
	' ',
);

/** Page size: 1..250 (Limits). */
export const MAX_LIMIT = 250;

/** The query parameters that an endpoint takes (`unknownParameters`, `webhookList`). */
function parameterNamesOf({ id, query, row }: Operation, dialect: Dialect): ReadonlySet<string> {
	if (dialect.unknownParameters === 'asTables') return row;
	return id === 'listWebhooks' && dialect.webhookList === 'paged' ? new Set(COMMON) : query;
}

/** Lists whose answer the endpoint table calls "list". */
const NAMED_LISTS = new Set(['categories', 'inventory', 'webhooks']);

/**
 * Whether the platform sends the whole list at once: the list takes no cursor (GET /webhooks takes no query), or its
 * body is a bare array, which has no place for a cursor.
 */
export function isGivenWhole(list: string, dialect: Dialect): boolean {
	if (dialect.listBody === 'bare' && NAMED_LISTS.has(list)) return true;
	if (dialect.unknownParameters === 'asTables') return list === 'webhooks' || list === 'inventory';
	return list === 'webhooks' && dialect.webhookList === 'whole';
}

/**
 * The query as this dialect reads it. Every parameter must come once and not be empty. Parameters that the dialect
 * ignores are left out.
 *
 * @throws Refusal INVALID_PARAMETER (Pagination rules 1: offset is rejected with 400) or LISTING_TOO_LARGE
 */
export function readQuery(target: string, operation: Operation, dialect: Dialect): Query {
	const names = parameterNamesOf(operation, dialect);
	const query: Record<string, string> = {};
	const [, text = ''] = /\?(.*)$/s.exec(target) ?? [];
	for (const [name, value] of new URLSearchParams(text)) {
		if (name === 'offset') {
			throw invalid('offset is not supported; follow next_cursor of the page before');
		}
		if (!names.has(name)) {
			if (dialect.unknownParameters === 'ignored') continue;
			throw invalid(`${name} is not a parameter of this endpoint`);
		}
		if (name in query) throw invalid(`${name} is given twice`);
		if (value === '') throw invalid(`${name} is empty`);
		query[name] = value;
	}
	const sorted = applyReading(query, 'sort', dialect.sort);
	const understood = QUERIES[operation.id]?.(sorted, dialect) ?? sorted;
	const { limit = '1' } = understood;
	if (!/^\d+$/.test(limit)) throw invalid('limit must be a whole number');
	return Number(limit) > MAX_LIMIT && dialect.limitTooLarge === 'capped'
		? { ...understood, limit: String(MAX_LIMIT) }
		: understood;
}

/** How the dialect reads the parameters of particular lists. */
const QUERIES: Readonly<Record<string, (query: Query, dialect: Dialect) => Query>> = {
	listInventoryLevels: (query, dialect) =>
		applyReading(query, 'updated_since', dialect.inventoryUpdatedSince),
	listProducts: (query, { skuSearch, wholeCatalog }) => {
		const { sku, ...rest } = query;
		const isWord = skuSearch === 'words' && sku !== undefined;
		const meant = skuSearch === 'exact' ? query : isWord ? { q: sku, ...rest } : rest;
		if (wholeCatalog === 'capped' || Object.keys(meant).length > 0) return meant;
		throw new Refusal(
			'LISTING_TOO_LARGE',
			'The whole catalog is not listed without limit or cursor',
		);
	},
	listOrders: (query, dialect) => {
		const unpaid = String(shaped('orderWords', { status: 'created' }, dialect).status);
		if (query.status === unpaid) return { ...query, status: 'created' };
		if (query.status !== 'created') return query;
		throw invalid(`status must be ${unpaid} or another one`);
	},
};

function applyReading(
	query: Query,
	name: string,
	reading: Dialect['inventoryUpdatedSince' | 'sort'],
) {
	const { [name]: value, ...rest } = query;
	if (value === undefined || reading === 'taken' || reading === 'honoured') return query;
	if (reading === 'refused') throw invalid(`${name} is not taken by this list`);
	return rest;
}
