import { isObject } from '../../../shared/values/json';
import { skuKey } from '../productWrite';
import { findResults, type FoundResults } from './findResults';
import { placeResults, type PlacedResults } from './placeResults';
import type { OperationResult } from './resultTypes';
import { verdictOf } from './resultVerdict';

/** The answer tells of items that failed among others that did not (API document, "Errors"). */
const PARTIAL_SUCCESS = 207;

/** How an answer may call the number of operations that succeeded. */
const COUNT_KEYS = ['succeeded', 'success_count', 'succeeded_count'] as const;

const NO_RESULT: OperationResult = {
	kind: 'notConfirmed',
	reason: 'the answer has no result for it',
};

/**
 * Reads the answer to a batch: what became of each operation. The document promises "per-item results; 207
 * with per-item errors on partial success when supported" and shows no body, so every usual form is read. An
 * operation whose result is missing or has more than one reading is not confirmed, never done.
 *
 * @param skus of the operations, in the order in which they were sent, all different
 * @param status of the answer, below 400
 * @param body as parsed; undefined where there was none
 * @returns a result for each operation, in the same order
 */
export function readBatchResults(
	skus: readonly string[],
	status: number,
	body: unknown,
): OperationResult[] {
	const known = new Set(skus.map(skuKey));
	const found = findResults(body, (text) => known.has(skuKey(text)));
	const wholeSucceeded = status < 300 && status !== PARTIAL_SUCCESS;
	const results = placeResults(skus, withSingle(found, skus, body)).map((placed) =>
		resultOf(placed, wholeSucceeded),
	);
	return withCounted(results, body);
}

/**
 * An answer may name only what failed, and count what succeeded. Where the count is that of all the others, they
 * are done.
 */
function withCounted(results: OperationResult[], body: unknown): OperationResult[] {
	const failed = results.filter(({ kind }) => kind === 'failed').length;
	const unnamed = results.filter((result) => result === NO_RESULT).length;
	const isCounted = unnamed > 0 && countIn(body) === unnamed && failed + unnamed === results.length;
	return isCounted
		? results.map((result) => (result === NO_RESULT ? { kind: 'done' } : result))
		: results;
}

/** How many operations succeeded, where the answer counts them. */
function countIn(body: unknown): number | undefined {
	for (const holder of isObject(body) ? [body, body.data, body.summary, body.meta] : []) {
		if (!isObject(holder)) continue;
		const count = COUNT_KEYS.map((key) => holder[key]).find((one) => typeof one === 'number');
		if (count !== undefined) return count as number;
	}
	return undefined;
}

/** One operation may be answered by the one result itself, as any other write is. */
function withSingle(found: FoundResults, skus: readonly string[], body: unknown): FoundResults {
	const hasResults = found.entries.length > 0 || found.isOneList;
	if (hasResults || skus.length !== 1 || !isObject(body)) return found;
	const value: unknown = isObject(body.data) && body.error === undefined ? body.data : body;
	return isObject(value) && Object.keys(value).length > 0
		? { entries: [{ value }], isOneList: true }
		: found;
}

function resultOf({ entries, contradicted }: PlacedResults, whole: boolean): OperationResult {
	if (contradicted) return unclear('the answer contradicts itself about it');
	if (entries.length === 0) return NO_RESULT;
	const results = entries.map((entry) => verdictOf(entry, whole));
	const [first] = results;
	return results.every(({ kind }) => kind === first.kind)
		? first
		: unclear('the answer has different results for it');
}

function unclear(reason: string): OperationResult {
	return { kind: 'notConfirmed', reason };
}
