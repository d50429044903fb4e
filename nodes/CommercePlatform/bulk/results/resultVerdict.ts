import type { IDataObject } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId } from '../../../shared/errors/errorBody';
import { isObject } from '../../../shared/values/json';
import { indexIn, recordIn } from './resultRecord';
import type { OperationError, OperationResult, ResultEntry } from './resultTypes';

/** Words that a result may have for how it ended; the document shows none. */
const WORDS: Record<string, 'done' | 'failed' | 'pending'> = {
	ok: 'done',
	success: 'done',
	successful: 'done',
	succeeded: 'done',
	created: 'done',
	updated: 'done',
	upserted: 'done',
	unchanged: 'done',
	completed: 'done',
	done: 'done',
	error: 'failed',
	failed: 'failed',
	failure: 'failed',
	invalid: 'failed',
	rejected: 'failed',
	refused: 'failed',
	conflict: 'failed',
	not_found: 'failed',
	accepted: 'pending',
	pending: 'pending',
	queued: 'pending',
	processing: 'pending',
};

const STATUS_KEYS = ['status', 'status_code', 'statusCode', 'http_status', 'code'] as const;
const WORD_KEYS = ['status', 'result', 'outcome', 'state'] as const;
const FLAG_KEYS = ['success', 'ok'] as const;
const ERROR_KEYS = ['error', 'errors'] as const;

/** HTTP: accepted, and not done yet. */
const ACCEPTED = 202;

/**
 * Reads what one result says. It is done only if something says so and nothing says otherwise.
 *
 * @param wholeSucceeded whether the answer as a whole is a success and not partial: then a result that names
 *   its operation and no error is one
 */
export function verdictOf(
	{ value, listSays }: ResultEntry,
	wholeSucceeded: boolean,
): OperationResult {
	const result = isObject(value) ? value : { status: value as IDataObject[string] };
	const signs = new Set(signsOf(result));
	if (listSays !== undefined) signs.add(listSays);
	const error = errorIn(result);
	if (error !== undefined) signs.add('failed');
	const record = isObject(value) ? recordIn(value) : undefined;
	if (signs.has('done') && signs.has('failed'))
		return notConfirmed('its result says both that it succeeded and that it failed');
	if (signs.has('failed')) return { kind: 'failed', error: errorOf(result, error) };
	if (signs.has('pending'))
		return notConfirmed('the platform has accepted it, but not finished it yet');
	if (signs.has('done') || record !== undefined) return { kind: 'done', record };
	if (wholeSucceeded && namesOperation(value) && wordOf(result) === undefined)
		return { kind: 'done' };
	return notConfirmed('its result says neither that it succeeded nor that it failed');
}

function signsOf(result: IDataObject): Array<'done' | 'failed' | 'pending'> {
	const signs: Array<'done' | 'failed' | 'pending'> = [];
	const status = statusOf(result);
	if (status !== undefined)
		signs.push(status >= 400 ? 'failed' : status === ACCEPTED ? 'pending' : 'done');
	for (const key of WORD_KEYS) {
		const word: unknown = result[key];
		const sign = typeof word === 'string' ? WORDS[word.trim().toLowerCase()] : undefined;
		if (sign !== undefined) signs.push(sign);
	}
	for (const key of FLAG_KEYS) {
		if (result[key] === true) signs.push('done');
		if (result[key] === false) signs.push('failed');
	}
	return signs;
}

/** An HTTP status, as a number or as digits. */
function statusOf(result: IDataObject): number | undefined {
	for (const key of STATUS_KEYS) {
		const given: unknown = result[key];
		const status = typeof given === 'string' && /^\d{3}$/.test(given) ? Number(given) : given;
		if (typeof status === 'number' && status >= 200 && status < 600) return status;
	}
	return undefined;
}

function namesOperation(value: unknown): boolean {
	return isObject(value) && (typeof value.sku === 'string' || indexIn(value) !== undefined);
}

/** A word in the place of a verdict that is not known. */
function wordOf(result: IDataObject): string | undefined {
	const word = WORD_KEYS.map((key) => result[key]).find((one) => typeof one === 'string');
	return word as string | undefined;
}

/** What stands under `error` or `errors`, unless it is empty. */
function errorIn(result: IDataObject): unknown {
	for (const key of ERROR_KEYS) {
		const error: unknown = result[key];
		if (error === undefined || error === null || error === false || error === '') continue;
		if (Array.isArray(error) && error.length === 0) continue;
		if (isObject(error) && Object.keys(error).length === 0) continue;
		return error;
	}
	return undefined;
}

function errorOf(result: IDataObject, error: unknown): OperationError {
	const body = error === undefined ? result : error;
	const first: unknown = Array.isArray(body) ? body[0] : body;
	return {
		status: statusOf(result) ?? (isObject(first) ? statusOf(first) : undefined),
		code: findErrorCode(body) ?? findErrorCode(result),
		message:
			typeof first === 'string' ? first : (findErrorMessage(body) ?? findErrorMessage(result)),
		requestId: findRequestId(result, {}),
	};
}

function notConfirmed(reason: string): OperationResult {
	return { kind: 'notConfirmed', reason };
}
