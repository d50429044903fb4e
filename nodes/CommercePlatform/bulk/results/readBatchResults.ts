import { sameSku } from '../batchOperation';
import { findResults, type FoundResults } from './findResults';
import { placeResults, type PlacedResults } from './placeResults';
import { isObject } from './resultRecord';
import type { OperationResult } from './resultTypes';
import { verdictOf } from './resultVerdict';

/** The answer tells of items that failed among others that did not (API document, "Errors"). */
const PARTIAL_SUCCESS = 207;

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
	const known = new Set(skus.map(sameSku));
	const found = findResults(body, (text) => known.has(sameSku(text)));
	const wholeSucceeded = status < 300 && status !== PARTIAL_SUCCESS;
	return placeResults(skus, withSingle(found, skus, body)).map((placed) =>
		resultOf(placed, wholeSucceeded),
	);
}

/** One operation may be answered by the one result itself, as any other write is. */
function withSingle(found: FoundResults, skus: readonly string[], body: unknown): FoundResults {
	if (found.entries.length > 0 || skus.length !== 1 || !isObject(body)) return found;
	const value: unknown = isObject(body.data) && body.error === undefined ? body.data : body;
	return isObject(value) && Object.keys(value).length > 0
		? { entries: [{ value }], isOneList: true }
		: found;
}

function resultOf({ entries, contradicted }: PlacedResults, whole: boolean): OperationResult {
	if (contradicted) return unclear('the answer contradicts itself about it');
	if (entries.length === 0) return unclear('the answer has no result for it');
	const results = entries.map((entry) => verdictOf(entry, whole));
	const [first] = results;
	return results.every(({ kind }) => kind === first.kind)
		? first
		: unclear('the answer has different results for it');
}

function unclear(reason: string): OperationResult {
	return { kind: 'notConfirmed', reason };
}
