import type { IDataObject } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId } from '../../shared/errors/errorBody';
import type { ProblemDetails } from '../../shared/errors/errors';
import {
	isEmptyOrZero,
	isTrial,
	type Sign,
	signsOf,
	signsOfRecord,
	snakeCase,
	statusNumber,
	wrappersIn,
} from '../../shared/errors/verdict';
import { isObject } from '../../shared/values/json';
import { describe, wholeOf } from '../../shared/values/readers';
import type { BulkItem } from '../run/bulkItem';
import { type Entry, entriesIn, operationPositions, productIn } from './batchEntries';
import type { UpsertResult } from './products';

/** What became of one operation of a batch. */
export type OperationResult =
	/** Written. `record` is the product, where the answer shows it, and `result` where it is known. */
	| { kind: 'done'; record?: IDataObject; result?: UpsertResult }
	| { kind: 'failed'; details: ProblemDetails }
	/** It may be written or not: the answer does not say it in a way that has one reading. */
	| { kind: 'notConfirmed'; reason: string };

/** A result, and whether its entry says by itself that the operation was done. */
type ReadResult = OperationResult & { hasVerdict?: boolean };

/**
 * Reads the answer to a batch: what became of each operation. The document promises "per-item results" and shows no
 * body.
 *
 * - An entry with a verdict (a status, a flag, an error) is done or failed; what stands beside it is data.
 * - An entry without one is done where it shows the product with its ID, and no code, message or reason.
 * - Not confirmed is an operation whose entry is missing, comes twice, or says both; and one without a verdict of its
 *   own, where the answer counts failures that no entry shows.
 *
 * @param items as they were sent, all of different SKUs
 * @param body as parsed; undefined if there was none
 * @returns a result for each item, in the same order
 */
export function readBatchResults(items: readonly BulkItem[], body: unknown): OperationResult[] {
	const entries = entriesIn(body, items);
	const places = operationPositions(entries, items);
	const entriesOf = items.map((): Entry[] => []);
	for (const [order, place] of places.entries())
		if (place !== undefined) entriesOf[place].push(entries[order]);
	const results = entriesOf.map(resultOfOperation);
	const doubts = doubtsBeside(body, results);
	return results.map(({ hasVerdict, ...result }) => {
		if (result.kind !== 'done') return result;
		const doubt = doubts.ofAll ?? (hasVerdict ? undefined : doubts.withoutVerdict);
		return doubt === undefined ? result : notConfirmed(`the answer has ${naming(doubt)}`);
	});
}

function resultOfOperation(entries: readonly Entry[]): ReadResult {
	if (entries.length === 0) return notConfirmed('the answer has no result for it');
	const results = entries.map(resultOf);
	const failure = results.find(({ kind }) => kind === 'failed');
	if (results.length === 1 || results.every(({ kind }) => kind === 'failed'))
		return failure ?? results[0];
	return notConfirmed('the answer has several results for it');
}

/** Names of what explains why something was not done. Beside a verdict they are data. */
const REMARK =
	/^(?:(?:status|error|result|response)_)?(?:code|messages?|msg|text|reasons?|details?|cause|explanation|issues?|problems?|validations?)$/;

/** Names of what stood in the way. */
const OBSTACLE =
	/^(?:conflicts?|duplicate|duplicate_of|blocked|locked|missing|missing_fields|validation_(?:messages|results?)|not_[a-z]+)$/;

/** States of a product: the document's (“States and transitions”), and those that other shops have. */
const PRODUCT_STATE =
	/^(?:draft|published|active|inactive|archived|enabled|disabled|hidden|visible|live|unlisted|public|private)$/i;

/** Reads what one entry says. */
function resultOf({ value: entry, listed }: Entry): ReadResult {
	if (!isObject(entry)) return notConfirmed(`its result is only ${describe(entry)}`);
	const product = productIn(entry);
	const parts = wrappersIn(entry, (object) => object === product);
	const entrySigns = [...listed, ...parts.flatMap(signsOf)];
	const hasVerdict = entrySigns.some(({ verdict }) => verdict === 'done' || verdict === 'failed');
	// Where nothing else has a verdict, the product is all that speaks.
	const inner = product === undefined || product === entry ? {} : product;
	const productSigns = hasVerdict ? signsOfRecord(inner) : signsOf(inner);
	// The state of a product in a word of the shop's own is data.
	const signs = [...entrySigns, ...productSigns.filter(({ verdict }) => verdict !== 'unclear')];
	const done = signs.find(({ verdict }) => verdict === 'done');
	const failed = signs.find(({ verdict }) => verdict === 'failed');
	const waiting = signs.find(({ verdict }) => verdict === 'waiting');
	if (done !== undefined) {
		const against = failed ?? waiting;
		if (against !== undefined)
			return notConfirmed(`its result has ${naming(done)} and ${naming(against)}`);
		return { kind: 'done', record: product, result: upsertResultOf(entrySigns), hasVerdict };
	}
	if (failed !== undefined) return { kind: 'failed', details: detailsOf(entry, signs) };
	const unclearSign = signs.find(
		({ value, verdict }) =>
			verdict === 'unclear' && product !== entry && !PRODUCT_STATE.test(String(value)),
	);
	const doubt = waiting ?? unclearSign ?? parts.flatMap(remarksIn)[0];
	if (doubt !== undefined) return notConfirmed(`its result has ${naming(doubt)}`);
	const hasId = [...parts, product ?? {}].some(hasProductId);
	if (hasId) return { kind: 'done', record: product };
	return notConfirmed(`its result is only ${describe(entry)}`);
}

const remarksIn = (part: IDataObject) =>
	fieldsOf(part).filter(
		({ name, value }) =>
			!isEmptyOrZero(value) &&
			(REMARK.test(snakeCase(name)) ||
				OBSTACLE.test(snakeCase(name)) ||
				(name === 'type' && /^\w+:/.test(String(value)))),
	);

const hasProductId = (fields: IDataObject): boolean =>
	[fields.id, fields.product_id, fields.productId, fields.resource_id].some(
		(id) => (typeof id === 'string' && id.trim() !== '') || (typeof id === 'number' && id > 0),
	);

/** What the words of an entry say about its product; of statuses 201 is for what was created (RFC 9110, 9.3.4). */
function upsertResultOf(signs: readonly Sign[]): UpsertResult | undefined {
	const words = signs.map(({ name, value }) =>
		value === true || isEmptyOrZero(value) ? snakeCase(name) : snakeCase(String(value)),
	);
	const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
	if (has(/unchanged|not_modified|not_changed|^no_?op|no_change|up_to_date|^304/))
		return 'unchanged';
	if (has(/created|inserted|added/)) return 'created';
	if (has(/updated|modified|changed|replaced|merged|patched|overwritten/)) return 'updated';
	if (has(/^201/)) return 'created';
	return has(/^20[04]/) ? 'updated' : undefined;
}

/** What the platform says of an operation that it did not do. */
function detailsOf(entry: IDataObject, signs: readonly Sign[]): ProblemDetails {
	const isReason = ({ name, value, verdict }: Sign) =>
		verdict === 'failed' && (typeof value === 'object' || /err|reason|violation/i.test(name));
	const reason = signs.find(isReason)?.value;
	const [first] = [reason].flat();
	const statuses = [...signs.map(({ value }) => value), isObject(first) ? first.status : undefined];
	const message = typeof first === 'string' ? first : findErrorMessage(reason);
	return {
		status: statuses.map(statusNumber).find((status) => status !== undefined && status >= 400),
		code: findErrorCode(reason) ?? findErrorCode(entry),
		platformMessage: message ?? findErrorMessage(entry),
		requestId: findRequestId(entry, {}),
	};
}

/** Counts of the operations that were done. */
const DONE_COUNT = /^(?:succeeded|successful|success)(?:_(?:count|items|records|operations))?$/;

/**
 * What stands beside the list, and speaks against the operations in it that are called done. Where an entry is failed,
 * an error or a refusing word may speak of that one.
 *
 * @returns what speaks against all of them, and what does against those without a verdict of their own
 */
function doubtsBeside(
	body: unknown,
	results: readonly OperationResult[],
): { ofAll?: Sign; withoutVerdict?: Pick<Sign, 'name' | 'value'> } {
	if (!isObject(body)) return {};
	const failures = results.filter(({ kind }) => kind === 'failed').length;
	const parts = wrappersIn(body, (object) => productIn(object) !== undefined);
	const signs = parts.flatMap(signsOf);
	const isRefusal = ({ verdict, count }: Sign) => verdict === 'failed' && count === undefined;
	const isOpen = ({ verdict, count = 0 }: Sign) =>
		(verdict === 'waiting' && failures === 0) || count > failures;
	const isTooFew = ({ name, value }: { name: string; value: unknown }) =>
		DONE_COUNT.test(snakeCase(name)) && (wholeOf(value) ?? Infinity) < results.length - failures;
	return {
		ofAll: signs.find((sign) => isRefusal(sign) && (isTrial(sign) || failures === 0)),
		withoutVerdict: signs.find(isOpen) ?? parts.flatMap(fieldsOf).find(isTooFew),
	};
}

const fieldsOf = (part: IDataObject) =>
	Object.entries(part).map(([name, value]) => ({ name, value }));

const naming = ({ name, value }: { name: string; value: unknown }) =>
	`“${name}”: ${describe(value)}`;

const notConfirmed = (reason: string) => ({ kind: 'notConfirmed', reason }) as const;
