import type { IDataObject } from 'n8n-workflow';

import { documentedCode, findErrorCode, findErrorMessage, findRequestId } from '../rest/errorBody';
import type { ProblemDetails } from '../rest/errors';
import { isListOfObjects, isObject, objectsIn, snakeName } from '../values/json';
import { addTo, oncePerName } from '../values/maps';
import { describe, saysNothing, wholeOf } from '../values/readers';

/**
 * Reads what an answer with a success status says about its write. The API document shows neither error bodies nor the
 * results of batches and jobs, so one rule counts for a record, an entry of a batch and a job: an error, `success:
 * false`, a status of 400 or more or a refusing word is failed; an ID, a 2xx or a word of success is done; neither is
 * not confirmed. A record's own status is data, except for refunds, fulfillments and adjustments, and in a list of
 * results, where it may be the result.
 */
type Verdict = 'done' | 'failed' | undefined;

const FAILED_WORD =
	/^(?:fail(?:ed|ure)?|error(?:ed|s)?|declined|rejected|invalid|refused|denied|aborted|skipped|not_\w+|\w+_with_errors)$/;
/** A refund or fulfillment in such a state did not happen. */
const WITHDRAWN_WORD = /^(?:cancell?ed|void(?:ed)?|\w+_declined)$/;
const DONE_WORD =
	/^(?:ok|success\w*|succeeded|created|updated|upserted|unchanged|not_modified|no_?op|done|completed?|processed|saved)$/;

const STATUS_FIELD =
	/^(?:http_|refund_|fulfillment_)?(?:status|status_code|code|result|outcome|state)$/;
const ERROR_FIELD =
	/^(?:(?:(?:batch|field|has|operation|request|user|validation|write)_)?errors?|violations|problems|(?:error|failure)_(?:code|message|reason))$/;
/** In a record these are data: `last_payment_error`, `feed_errors`. */
const FURTHER_ERROR_FIELD = /_errors?$/;
const SUCCESS_FIELD = /^(?:is_)?(?:success(?:ful)?|ok)$/;

/** What a field is about. */
const fieldMeaning = oncePerName((field) => {
	const name = snakeName(field);
	if (ERROR_FIELD.test(name)) return 'error';
	if (FURTHER_ERROR_FIELD.test(name)) return 'furtherError';
	if (SUCCESS_FIELD.test(name)) return 'success';
	return STATUS_FIELD.test(name) ? 'status' : undefined;
});

/**
 * What fields say about a write.
 *
 * @param isData whether they are a record, so that its status is data
 * @param isAction whether that record's status says whether it happened
 */
function verdictOf(fields: IDataObject, isData = false, isAction = false): Verdict {
	let verdict: Verdict;
	const hasOtherErrors = !isAction && (isData || isRecord(fields));
	for (const [field, value] of Object.entries(fields)) {
		const meaning = fieldMeaning(field);
		const saysError = meaning === 'error' || (meaning === 'furtherError' && !hasOtherErrors);
		if (saysError && typeof value !== 'number' && !isEmpty(value)) return 'failed';
		if (meaning === 'success') {
			if (/^(?:false|0)$/.test(String(value))) return 'failed';
			if (/^(?:true|1)$/.test(String(value))) verdict = 'done';
		}
		if (meaning !== 'status' || (isData && !isAction) || saysNothing(value)) continue;
		const status = statusNumber(value) ?? 0;
		const word = snakeName(String(value));
		if (DONE_WORD.test(word) || (status >= 200 && status < 300) || status === 304) verdict = 'done';
		else if (status >= 400 || FAILED_WORD.test(word) || documentedCode(String(value)) !== undefined)
			return 'failed';
		else if (isAction && isData && WITHDRAWN_WORD.test(word)) return 'failed';
	}
	return verdict;
}

/** The HTTP status that a value is or begins with: 201, `201`, `201 Created`. */
const statusNumber = (value: unknown): number | undefined =>
	wholeOf(/^(?:HTTP\S*\s)?\s*([1-5]\d\d)(?![\w-])/.exec(String(value).slice(0, 20))?.[1]);

/** Whether an error field holds no error. */
const isEmpty = (value: unknown): boolean =>
	value === false ||
	value === 0 ||
	saysNothing(value) ||
	(typeof value === 'object' && Object.values(value ?? {}).every(isEmpty));

/** Records have an ID, and a stock level has its location's (API document, "Resources and their fields"). */
const isRecord = ({ id, location_id }: IDataObject): boolean => !saysNothing(id ?? location_id);

/** Writes that make something happen: their record's status says whether it did (API document, "Endpoints"). */
const ACTION = /\/(?:refunds|fulfillments|levels\/adjust|catalog-import)$/;

/** The answer has a result for each of its operations, read by {@link readBatchResults}. */
const BATCH_PATH = /\/products\/batch$/;

/**
 * What an answer's object says of the write. If it is the order that a refund or a fulfillment belongs to, its own status
 * says nothing of them, but `refund_status` does.
 */
function saidOf(fields: IDataObject, path: string): IDataObject {
	if (!path.includes(`/orders/${encodeURIComponent(String(fields.id))}/`)) return fields;
	const prefix = path.endsWith('/refunds') ? 'refund_' : 'fulfillment_';
	const said = Object.entries(fields).filter(
		([field]) => snakeName(field).startsWith(prefix) || fieldMeaning(field) === 'error',
	);
	return Object.fromEntries(said) as IDataObject;
}

/**
 * Whether an answer with a success status says that its write was not done.
 *
 * @param path of the request
 */
export function saysNotDone(body: unknown, path: string, depth = 0): boolean {
	if (BATCH_PATH.test(path)) return false;
	if (isListOfObjects(body)) return body.some((entry) => verdictOfEntry(entry) === 'failed');
	if (!isObject(body)) return false;
	const isAction = ACTION.test(path);
	const said = isAction ? saidOf(body, path) : body;
	if (verdictOf(said, isRecord(body), isAction) === 'failed') return true;
	// What stands inside a record is data.
	if (isRecord(body) || depth > MAX_WRAPPERS) return false;
	return Object.entries(body).some(([name, inner]) =>
		Array.isArray(inner)
			? /^(?:data|results|responses)$/.test(name) && saysNotDone(inner, path)
			: saysNotDone(inner, path, depth + 1),
	);
}

/** The record that an entry of a list shows: in one of its fields, or itself. */
const recordOfEntry = (entry: IDataObject): IDataObject | undefined =>
	[entry.product, entry.data, entry.record, entry.result].find(isObject) ??
	(isRecord(entry) ? entry : undefined);

function verdictOfEntry(entry: IDataObject): Verdict {
	const record = recordOfEntry(entry);
	const own = verdictOf(entry);
	if (
		own === 'failed' ||
		(record && record !== entry && verdictOf(record, isRecord(record)) === 'failed')
	)
		return 'failed';
	if (own === 'done') return 'done';
	const hasRemark = [entry.message, entry.reason, entry.detail].some((remark) => !isEmpty(remark));
	return saysNothing(record?.id) || hasRemark ? undefined : 'done';
}

const RESULT_LISTS = ['results', 'data', 'items', 'operations', 'products', 'entries'];
const MAX_WRAPPERS = 2;

/** The list of results in the answer to a batch, at most two objects deep. */
function resultsIn(body: unknown, depth = 0): IDataObject[] | undefined {
	if (isListOfObjects(body)) return body;
	if (!isObject(body) || depth > MAX_WRAPPERS) return undefined;
	for (const name of RESULT_LISTS) {
		const list = resultsIn(body[name], depth + 1);
		if (list !== undefined) return list;
	}
	return undefined;
}

/** What an upsert did to its product. */
export type UpsertResult = 'created' | 'updated' | 'unchanged';

/** What became of one operation of a batch. */
export type OperationResult =
	/** Written. `record` is the product, if the answer shows it; `result` is what was done to it, if the answer says so. */
	| { kind: 'done'; record?: IDataObject; result?: UpsertResult }
	| { kind: 'failed'; details: ProblemDetails }
	/** It may or may not be written: the answer does not say it clearly. */
	| { kind: 'notConfirmed'; reason: string };

/**
 * Reads what became of each operation from the answer to a batch ("per-item results": API document, "Products"). An
 * entry names its operation by SKU or index; a list without either that is as long as the batch is in its order.
 *
 * @param skus of the operations, in the order in which they were sent, all different
 * @param body as parsed; undefined if there was none
 */
export function readBatchResults(skus: readonly string[], body: unknown): OperationResult[] {
	const heads = isObject(body) ? [body, body.data].filter(isObject) : [];
	const refusal = heads.find(
		({ success, committed, dry_run, error }) =>
			success === false ||
			committed === false ||
			dry_run === true ||
			// A number or a list is about some of the operations.
			(typeof error !== 'number' && !Array.isArray(error) && !isEmpty(error)),
	);
	if (refusal !== undefined)
		return skus.map(() => ({ kind: 'failed', details: detailsOf(refusal) }));
	const errors = heads.flatMap((head) => objectsIn(head.errors));
	const entries = resultsIn(body) ?? [];
	const firstIndex = firstIndexOf([...errors, ...entries], skus.length);
	const [errorsByName, entriesByName] = [errors, entries].map(byName);
	const unnamed = entriesByName.get(undefined) ?? [];
	const isInOrder = unnamed.length === skus.length && unnamed.length === entries.length;
	return skus.map((sku, position) => {
		const about = (named: typeof entriesByName) =>
			[sku, firstIndex + position].flatMap((name) => named.get(name) ?? []);
		const [error] = about(errorsByName);
		if (error !== undefined) return { kind: 'failed', details: detailsOf(error) };
		return operationResult(isInOrder ? [entries[position]] : about(entriesByName));
	});
}

/** Entries by what each names: a SKU, or an index; undefined if neither. */
function byName(entries: readonly IDataObject[]) {
	const named = new Map<string | number | undefined, IDataObject[]>();
	for (const entry of entries) addTo(named, skuOfEntry(entry) ?? indexOf(entry), entry);
	return named;
}

function operationResult(entries: readonly IDataObject[]): OperationResult {
	const [entry] = entries;
	if (entry === undefined)
		return { kind: 'notConfirmed', reason: 'the answer has no result for it' };
	if (entries.length > 1)
		return { kind: 'notConfirmed', reason: 'the answer has several results for it' };
	const verdict = verdictOfEntry(entry);
	if (verdict === 'failed') return { kind: 'failed', details: detailsOf(entry) };
	if (verdict === 'done')
		return { kind: 'done', record: recordOfEntry(entry), result: upsertResultOf(entry) };
	return { kind: 'notConfirmed', reason: `its result is only ${describe(entry)}` };
}

/** Whether indexes count from 0 or from 1, as the first or the last shows; NaN if neither is there: nobody can tell. */
function firstIndexOf(entries: readonly IDataObject[], operations: number): number {
	const indexes = entries.map(indexOf);
	if (indexes.includes(0)) return 0;
	return indexes.includes(operations) ? 1 : Number.NaN;
}

const indexOf = ({ index, position }: IDataObject): number | undefined =>
	wholeOf(index ?? position);

/** The SKU that an entry names: its own, or that of its operation or product. */
function skuOfEntry(entry: IDataObject): string | undefined {
	const holders = [entry, entry.operation, entry.product, entry.data, entry.record].filter(
		isObject,
	);
	const variants = holders.flatMap((holder) => objectsIn(holder.variants));
	const sku = [...holders, ...variants]
		.map((holder) => holder.sku ?? holder.SKU)
		.find((value) => !saysNothing(value));
	return sku === undefined ? undefined : String(sku);
}

/** What an entry says was done to its product. The status 201 means created (RFC 9110, 9.3.4). */
function upsertResultOf(entry: IDataObject): UpsertResult | undefined {
	const words = Object.entries(entry)
		.filter(([name]) => STATUS_FIELD.test(snakeName(name)) || ['op', 'action'].includes(name))
		.map(([, value]) => snakeName(String(value)));
	const result = (['unchanged', 'created', 'updated'] as const).find((word) =>
		words.includes(word),
	);
	if (result !== undefined) return result;
	if (words.some((word) => word.startsWith('201'))) return 'created';
	return words.some((word) => /^20[04]/.test(word)) ? 'updated' : undefined;
}

/** What the platform says about an operation that it did not do. */
function detailsOf(entry: IDataObject): ProblemDetails {
	const [reason] = [entry.error ?? entry.errors].flat();
	const statuses = [entry.status, entry.status_code, entry.code];
	return {
		status: statuses.map(statusNumber).find((status) => status !== undefined && status >= 400),
		code: findErrorCode(reason) ?? findErrorCode(entry),
		platformMessage:
			(typeof reason === 'string' ? reason : findErrorMessage(reason)) ?? findErrorMessage(entry),
		requestId: findRequestId(entry, {}),
	};
}
