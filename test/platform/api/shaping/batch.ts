import { mix } from '../../shop/random';
import type { By, Dialect } from '../../dialects/dialect';
import type { Fields } from './records';

/** One result of a batch as the contract has it. */
interface Result {
	index: number;
	sku: string;
	status: number;
	data?: Fields;
	error?: { code: string; message: string };
}

const isFailed = ({ status }: Result) => status >= 300;

const STATUSES: By<'batchStatus', (results: readonly Result[]) => number> = {
	multiStatusForErrors: (results) => (results.some(isFailed) ? 207 : 200),
	ok: () => 200,
	multiStatus: () => 207,
};

const ORDERS: By<'batchOrder', (results: Result[]) => Result[]> = {
	asSent: (results) => results,
	reversed: (results) => results.toReversed(),
	mixed: (results) => results.toSorted((a, b) => mix(5, a.index, 1) - mix(5, b.index, 1)),
};

const foreign = ({ index, status }: Result): Result => ({
	index: index + 1_000,
	sku: `NOBODY-${index}`,
	status,
});

const ITEMS: By<'batchItems', (results: Result[]) => Result[] | undefined> = {
	all: (results) => results,
	failures: (results) => results.filter(isFailed),
	fewer: (results) => results.filter(({ index }) => index % 3 !== 2),
	more: (results) => [...results, ...results.slice(0, 2).map(foreign)],
	none: () => [],
	noBody: () => undefined,
};

const KEYS: By<'batchKeys', (result: Result) => Fields> = {
	indexAndSku: ({ index, sku }) => ({ index, sku }),
	sku: ({ sku }) => ({ sku }),
	index: ({ index }) => ({ index }),
	indexFromOne: ({ index }) => ({ index: index + 1 }),
	nothing: () => ({}),
};

const WORDS: Readonly<Record<number, string>> = { 200: 'updated', 201: 'created' };

/** A record would name its operation by the variant's SKU; without keys only its id is left. */
const productOf = ({ data }: Result, { batchKeys }: Dialect): Fields | undefined =>
	data && (batchKeys === 'indexAndSku' || batchKeys === 'sku' ? data : { id: data.id });

const RESULTS: By<'batchResult', (result: Result, dialect: Dialect) => Fields> = {
	status: (result, dialect) => ({
		status: result.status,
		data: productOf(result, dialect),
		error: result.error,
	}),
	words: (result, dialect) => ({
		status: WORDS[result.status] ?? 'failed',
		product: productOf(result, dialect),
		errors: result.error && [result.error],
	}),
	flags: (result) => ({
		success: !isFailed(result),
		id: result.data?.id,
		error: result.error && `${result.error.code}: ${result.error.message}`,
	}),
};

const BODIES: By<'batchBody', (shown: Fields[], all: readonly Result[]) => unknown> = {
	data: (shown) => ({ data: shown }),
	results: (shown) => ({ results: shown }),
	nested: (shown, all) => {
		const failed = all.filter(isFailed).length;
		return { data: { results: shown, succeeded: all.length - failed, failed } };
	},
	bare: (shown) => shown,
};

/** The answer to a batch in the dialect's form (`batch…`). */
export function batchAnswer(
	body: unknown,
	dialect: Dialect,
): { status: number; body: unknown | undefined } {
	const all = (body as { data: Result[] }).data;
	const status = STATUSES[dialect.batchStatus](all);
	const chosen = ITEMS[dialect.batchItems](ORDERS[dialect.batchOrder](all));
	if (!chosen) return { status, body: undefined };
	const shown = chosen.map((result) => ({
		...KEYS[dialect.batchKeys](result),
		...RESULTS[dialect.batchResult](result, dialect),
	}));
	return { status, body: BODIES[dialect.batchBody](shown, all) };
}
