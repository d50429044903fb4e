import { parameterNames } from './parameters';
import { MAX_LIMIT, parseQuery, type Query } from './query';
import { UNPAID_WORDS } from './shaping/orders';
import { invalid, Refusal } from '../shop/refusal';
import type { Dialect } from '../dialects/dialect';
import type { Operation } from './contract';

type Values = Record<string, string>;

/** Changes what one query parameter means. @throws Refusal. */
type QueryStage = (query: Values, operation: Operation, dialect: Dialect) => void;

function take(query: Values, name: string, reading: 'taken' | 'ignored' | 'refused'): void {
	if (!(name in query)) return;
	if (reading === 'refused') throw invalid(`${name} is not taken by this list`);
	if (reading === 'ignored') delete query[name];
}

const sort: QueryStage = (query, _operation, dialect) => take(query, 'sort', dialect.sort);

const inventoryUpdatedSince: QueryStage = (query, { id }, { inventoryUpdatedSince: reading }) => {
	if (id !== 'listInventoryLevels') return;
	take(query, 'updated_since', reading === 'honoured' ? 'taken' : reading);
};

const skuSearch: QueryStage = (query, { id }, dialect) => {
	if (id !== 'listProducts' || dialect.skuSearch === 'exact' || query.sku === undefined) return;
	if (dialect.skuSearch === 'words') query.q ??= query.sku;
	delete query.sku;
};

const limitTooLarge: QueryStage = (query, _operation, dialect) => {
	const isTooLarge = /^\d{1,9}$/.test(query.limit ?? '') && Number(query.limit) > MAX_LIMIT;
	if (isTooLarge && dialect.limitTooLarge === 'capped') query.limit = String(MAX_LIMIT);
};

const orderWords: QueryStage = (query, { id }, dialect) => {
	if (id !== 'listOrders' || query.status === undefined) return;
	const unpaid = UNPAID_WORDS[dialect.orderWords];
	if (query.status === unpaid) query.status = 'created';
	else if (query.status === 'created') throw invalid(`status must be ${unpaid} or another one`);
};

const wholeCatalog: QueryStage = (query, { id }, dialect) => {
	if (id !== 'listProducts' || dialect.wholeCatalog === 'capped') return;
	if (Object.keys(query).length > 0) return;
	throw new Refusal('LISTING_TOO_LARGE', 'The whole catalog is not listed without limit or cursor');
};

const STAGES: readonly QueryStage[] = [
	sort,
	inventoryUpdatedSince,
	skuSearch,
	limitTooLarge,
	orderWords,
	wholeCatalog,
];

/**
 * The query as this dialect understands it: what it ignores is left out.
 *
 * @throws Refusal INVALID_PARAMETER or LISTING_TOO_LARGE.
 */
export function readQuery(target: string, operation: Operation, dialect: Dialect): Query {
	const query: Values = { ...parseQuery(target, parameterNames(operation, dialect)) };
	for (const stage of STAGES) stage(query, operation, dialect);
	return query;
}
