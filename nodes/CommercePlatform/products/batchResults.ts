import type { IDataObject } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId } from '../../shared/rest/errorBody';
import type { ProblemDetails } from '../../shared/rest/errors';
import {
	isEmptyOrZero,
	isTrial,
	type Sign,
	signsOf,
	signsOfRecord,
	snakeCase,
	statusNumber,
	wrappersIn,
} from '../../shared/shop/verdict';
import { isObject } from '../../shared/values/json';
import { describe, wholeOf } from '../../shared/values/readers';
import type { BulkItem } from '../runner/bulkItem';
import { type Entry, entriesIn, operationPositions, productIn } from './batchEntries';
import type { UpsertResult } from './products';

/** What became of one operation of a batch. */
export type OperationResult =
	/**
	 * Written. `record` is the product, if the answer shows it; `result` says what was done to it, if the answer does.
	 */
	| { kind: 'done'; record?: IDataObject; result?: UpsertResult }
	| { kind: 'failed'; details: ProblemDetails }
	/** It may or may not be written: the answer does not say it clearly. */
	| { kind: 'notConfirmed'; reason: string };

/** A result, and whether its entry itself says that the operation was done. */
type ReadResult = OperationResult & { hasVerdict?: boolean };

/**
 * Reads what became of each operation from the answer to a batch. The document promises "per-item results" and shows no
 * body.
 *
 * - An entry with a verdict (a status, a flag, an error) is done or failed. Its other fields are data.
 * - An entry without a verdict is done if it shows the product with its ID, and no code, message or reason.
 * - An operation is not confirmed if its entry is missing, comes twice or says both. Nor is it if its entry has no
 *   verdict, and the answer counts failures that no entry shows.
 *
 * @param items as they were sent, all of different SKUs
 * @param body as parsed; undefined if there was none
 * @returns a result for each item, in the same order
 */
export function readBatchResults(items: readonly BulkItem[], body: unknown): OperationResult[] {
	const entries = entriesIn(body, items);
	const positions = operationPositions(entries, items);
	const entriesByPosition = items.map((): Entry[] => []);
	for (const [entryIndex, position] of positions.entries())
		if (position !== undefined) entriesByPosition[position].push(entries[entryIndex]);
	const results = entriesByPosition.map(resultOfOperation);
	const doubts = doubtsBeside(body, results);
	return results.map(({ hasVerdict, ...result }) => {
		if (result.kind !== 'done') return result;
		const doubt = doubts.againstAll ?? (hasVerdict ? undefined : doubts.againstThoseWithoutVerdict);
		return doubt === undefined ? result : notConfirmed(`the answer has ${fieldText(doubt)}`);
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

/** Names of fields that explain why something was not done. Beside a verdict they are data. */
const REMARK =
	/^(?:(?:status|error|result|response)_)?(?:code|messages?|msg|text|reasons?|details?|cause|explanation|issues?|problems?|validations?)$/;

/** Names of fields that tell what prevented a write. */
const OBSTACLE =
	/^(?:conflicts?|duplicate|duplicate_of|blocked|locked|missing|missing_fields|validation_(?:messages|results?)|not_[a-z]+)$/;

/** States of a product: the document's (“States and transitions”), and those that other shops have. */
const PRODUCT_STATE =
	/^(?:draft|published|active|inactive|archived|enabled|disabled|hidden|visible|live|unlisted|public|private)$/i;

/** Reads what one entry says. */
function resultOf({ value: entry, listSigns }: Entry): ReadResult {
	if (!isObject(entry)) return notConfirmed(`its result is only ${describe(entry)}`);
	const product = productIn(entry);
	const parts = wrappersIn(entry, (object) => object === product);
	const entrySigns = [...listSigns, ...parts.flatMap(signsOf)];
	const hasVerdict = entrySigns.some(({ verdict }) => verdict === 'done' || verdict === 'failed');
	// If nothing else has a verdict, the product's fields are read like the entry's own.
	const innerProduct = product === undefined || product === entry ? {} : product;
	const productSigns = hasVerdict ? signsOfRecord(innerProduct) : signsOf(innerProduct);
	// A word that is not understood is the shop's own state of the product, so it is data.
	const signs = [...entrySigns, ...productSigns.filter(({ verdict }) => verdict !== 'unclear')];
	const done = signs.find(({ verdict }) => verdict === 'done');
	const failed = signs.find(({ verdict }) => verdict === 'failed');
	const waiting = signs.find(({ verdict }) => verdict === 'waiting');
	if (done !== undefined) {
		const contradiction = failed ?? waiting;
		if (contradiction !== undefined)
			return notConfirmed(`its result has ${fieldText(done)} and ${fieldText(contradiction)}`);
		return { kind: 'done', record: product, result: upsertResultOf(entrySigns), hasVerdict };
	}
	if (failed !== undefined) return { kind: 'failed', details: detailsOf(entry, signs) };
	const unclearSign = signs.find(
		({ value, verdict }) =>
			verdict === 'unclear' && product !== entry && !PRODUCT_STATE.test(String(value)),
	);
	const doubt = waiting ?? unclearSign ?? parts.flatMap(remarksIn)[0];
	if (doubt !== undefined) return notConfirmed(`its result has ${fieldText(doubt)}`);
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

/** What an entry says was done to its product. The status 201 means created (RFC 9110, 9.3.4). */
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

/** What the platform says about an operation that it did not do. */
function detailsOf(entry: IDataObject, signs: readonly Sign[]): ProblemDetails {
	const isReason = ({ name, value, verdict }: Sign) =>
		verdict === 'failed' && (typeof value === 'object' || /err|reason|violation/i.test(name));
	const reason = signs.find(isReason)?.value;
	const [firstReason] = [reason].flat();
	const statuses = [
		...signs.map(({ value }) => value),
		isObject(firstReason) ? firstReason.status : undefined,
	];
	const message = typeof firstReason === 'string' ? firstReason : findErrorMessage(reason);
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
 * Finds what the answer says, outside its entries, against the operations that are called done. Once an entry has
 * failed, an error outside may be about that entry, so it does not count against the others.
 *
 * @returns what speaks against all of them, and what speaks only against those without a verdict of their own
 */
function doubtsBeside(
	body: unknown,
	results: readonly OperationResult[],
): { againstAll?: Sign; againstThoseWithoutVerdict?: Pick<Sign, 'name' | 'value'> } {
	if (!isObject(body)) return {};
	const failures = results.filter(({ kind }) => kind === 'failed').length;
	const parts = wrappersIn(body, (object) => productIn(object) !== undefined);
	const signs = parts.flatMap(signsOf);
	const isRefusal = ({ verdict, count }: Sign) => verdict === 'failed' && count === undefined;
	const isUnexplained = ({ verdict, count = 0 }: Sign) =>
		(verdict === 'waiting' && failures === 0) || count > failures;
	const countsTooFew = ({ name, value }: { name: string; value: unknown }) =>
		DONE_COUNT.test(snakeCase(name)) && (wholeOf(value) ?? Infinity) < results.length - failures;
	return {
		againstAll: signs.find((sign) => isRefusal(sign) && (isTrial(sign) || failures === 0)),
		againstThoseWithoutVerdict:
			signs.find(isUnexplained) ?? parts.flatMap(fieldsOf).find(countsTooFew),
	};
}

const fieldsOf = (part: IDataObject) =>
	Object.entries(part).map(([name, value]) => ({ name, value }));

const fieldText = ({ name, value }: { name: string; value: unknown }) =>
	`“${name}”: ${describe(value)}`;

const notConfirmed = (reason: string) => ({ kind: 'notConfirmed', reason }) as const;
