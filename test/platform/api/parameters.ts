import type { Dialect } from '../dialects/dialect';
import type { KnownParameters } from './query';
import type { Operation } from './contract';

/** Common query parameters on list endpoints. */
const COMMON = [
	'limit',
	'cursor',
	'updated_since',
	'created_since',
	'created_until',
	'status',
	'sku',
	'q',
	'sort',
] as const;

/** What the row of each list in the endpoint table names. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
	listCategories: COMMON,
	listProducts: COMMON,
	listOrders: COMMON,
	listInventoryLevels: ['sku', 'location_id'],
	listCustomers: ['updated_since', 'limit', 'cursor'],
	listWebhooks: [],
	listEvents: ['after_event_id', 'limit'],
};

function namesOf({ id, query }: Operation, dialect: Dialect): Iterable<string> {
	if (dialect.unknownParameters === 'asTables') return ROWS[id] ?? query;
	return id === 'listWebhooks' && dialect.webhookList === 'paged' ? COMMON : query;
}

/** The query parameters that an endpoint takes (`unknownParameters`, `webhookList`). */
export const parameterNames = (operation: Operation, dialect: Dialect): KnownParameters => ({
	names: new Set(namesOf(operation, dialect)),
	others: dialect.unknownParameters === 'ignored' ? 'ignored' : 'refused',
});

/** Lists whose answer the endpoint table calls "list", by their names in `ListSpec`. */
const NAMED_LISTS = new Set(['categories', 'inventory', 'webhooks']);

/**
 * Whether a list is given whole: it takes no cursor (GET /webhooks takes no query), or it is an array
 * in which no cursor could stand.
 */
export function isGivenWhole(list: string, dialect: Dialect): boolean {
	if (dialect.listBody === 'bare' && NAMED_LISTS.has(list)) return true;
	if (dialect.unknownParameters === 'asTables') return list === 'webhooks' || list === 'inventory';
	return list === 'webhooks' && dialect.webhookList === 'whole';
}
