import { formOf, shaped, type Fields } from '../../dialects/form';
import { mix } from '../../shop/random';
import type { By, Dialect } from '../../dialects/dialect';

/** One result of a batch, as openapi.yaml has it. */
interface Result {
	index: number;
	sku: string;
	status: number;
	data?: Fields;
	error?: { code: string; message: string };
}

const isFailed = ({ status }: Result) => status >= 300;

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

/** Every field that a dialect may show of a result. */
function factsOf(result: Result, dialect: Dialect): Fields {
	const { index, status, data, error } = result;
	// A whole record names its operation by the variant's SKU, so a dialect without keys shows only the record's id.
	const isNamed = dialect.batchKeys === 'indexAndSku' || dialect.batchKeys === 'sku';
	return {
		...result,
		nth: index + 1,
		id: data?.id,
		product: isNamed ? data : data && { id: data.id },
		success: !isFailed(result),
		word: isFailed(result) ? 'failed' : status === 201 ? 'created' : 'updated',
		errors: error && [error],
		told: error && `${error.code}: ${error.message}`,
	};
}

/** The answer to a batch in the dialect's form (`batch…`). */
export function batchAnswer(body: unknown, dialect: Dialect): { status: number; body: unknown } {
	const results = (body as { data: Result[] }).data;
	const failed = results.filter(isFailed).length;
	const [whole, partial] = formOf<number[]>('batchStatus', dialect)!;
	const chosen = ITEMS[dialect.batchItems](ORDERS[dialect.batchOrder](results));
	const shown = chosen?.map((result) => {
		const facts = factsOf(result, dialect);
		return { ...shaped('batchKeys', facts, dialect), ...shaped('batchResult', facts, dialect) };
	});
	return {
		status: failed > 0 ? partial : whole,
		body:
			shown && shaped('batchBody', { shown, failed, succeeded: results.length - failed }, dialect),
	};
}
