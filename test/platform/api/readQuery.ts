import { parseQuery, type Query } from './query';
import { invalid } from '../shop/refusal';
import type { Dialect } from '../dialects/dialect';
import type { Operation } from './contract';

type Reading = 'taken' | 'ignored' | 'refused';

interface Rule {
	parameter: string;
	/** Absent = on every list. */
	operationId?: string;
	reading(dialect: Dialect): Reading;
}

/** Query parameters whose effect is open. */
const RULES: readonly Rule[] = [
	{ parameter: 'sort', reading: ({ sort }) => sort },
	{
		parameter: 'updated_since',
		operationId: 'listInventoryLevels',
		reading: ({ inventoryUpdatedSince: reading }) => (reading === 'honoured' ? 'taken' : reading),
	},
];

/**
 * The query as this dialect understands it: what it ignores is left out.
 *
 * @throws Refusal INVALID_PARAMETER.
 */
export function readQuery(target: string, operation: Operation, dialect: Dialect): Query {
	const query: Record<string, string> = { ...parseQuery(target, operation) };
	for (const { parameter, operationId = operation.id, reading } of RULES) {
		if (!(parameter in query) || operationId !== operation.id) continue;
		const taken = reading(dialect);
		if (taken === 'refused') throw invalid(`${parameter} is not taken by this list`);
		if (taken === 'ignored') delete query[parameter];
	}
	return query;
}
