import { isObject } from '../isObject';
import { documentedCode, isAddress } from '../model/errorCodes';
import { hasData, isFilled } from './answer';
import { CODE_KEYS, findRequestId, MAX_NAME_LENGTH } from './errorBody';

/**
 * Errors that were answered with a status of success. The API document shows neither how an error looks nor how the
 * answers of many writes do, so only what no record has makes an error: a write that was done must not fail.
 */

type Body = Record<string, unknown>;

/** The IDs that a record has of its own; an error may well name another record's. */
const OWN_IDS = ['id', 'job_id', 'jobId', 'event_id', 'refund_id', 'fulfillment_id'];

/** What only records, lists and results of batches hold (API document, "Resources"), without `_` and in lower case. */
const CONTENT = new Set(
	'handle variants categories total totals lineitems merchantnote paymentsummary trackingnumber carrier items quantity delta amount events secret credential ratelimits payload event pagination results operations createdat'.split(
		' ',
	),
);

const STATUS_KEYS = ['status', 'statusCode', 'status_code'];
const MESSAGE_KEYS = ['message', 'detail', 'error_description'];
const ERROR_MESSAGE_KEYS = ['error_message', 'errorMessage'];

/** Names that say nothing about whether it is a record; each may stand beside a code and a request ID. */
const NEUTRAL = new Set([...CODE_KEYS, ...STATUS_KEYS, 'type', 'timestamp', 'meta']);

/** The last word of a code or a state that says that something was done, or will be. */
const DONE = new Set(
	'ok success successful succeeded done accepted canceled cancelled completed created deleted fulfilled pending processed processing queued refunded saved scheduled sent started updated'.split(
		' ',
	),
);

/** With one of these before it, such a word says the contrary. */
const NOT_DONE = new Set(['already', 'cannot', 'failed', 'never', 'no', 'not']);

/** An error in place of a state, as a word or a status in digits. `failed` is the state of a record. */
const FAILURE = /^(error|fail|[45]\d\d)$/i;

/**
 * Whether the body of an answer with success is an error after all: it holds no data and no record, but an `error`,
 * `errors`, the word that it did not succeed, or what else only an error has.
 */
export function isErrorBody(body: unknown): boolean {
	if (!isObject(body) || hasData(body) || OWN_IDS.some((key) => isFilled(body[key]))) return false;
	// Of a batch each operation speaks for itself.
	if (isFilled(body.results)) return false;
	if (isFilled(body.error) || isFilled(body.errors)) return true;
	if (body.success === false || body.ok === false) return true;
	if (CODE_KEYS.some((key) => documentedCode(textOf(body[key])) !== undefined)) return true;
	if (saysDone(body) || Object.keys(body).some(isContent)) return false;
	return hasErrorCode(body) || hasErrorStatus(body) || isProblem(body);
}

/** A code that is no success, with words or as all that the body says beside a request ID. */
function hasErrorCode(body: Body): boolean {
	if (anyFilled(body, ERROR_MESSAGE_KEYS)) return true;
	if (!CODE_KEYS.some((key) => signOf(body[key]) === 'error')) return false;
	if (anyFilled(body, MESSAGE_KEYS)) return true;
	const others = Object.keys(body).filter((key) => !NEUTRAL.has(key) && !/request.?id/i.test(key));
	return others.length === 0 && findRequestId(body, {}) !== undefined;
}

/** An HTTP status of an error, or the word for one beside what it is about. */
function hasErrorStatus(body: Body): boolean {
	if (STATUS_KEYS.some((key) => typeof body[key] === 'number' && signOf(body[key]) === 'error'))
		return true;
	const isFailure = [...STATUS_KEYS, 'type'].some((key) => FAILURE.test(textOf(body[key]) ?? ''));
	return isFailure && anyFilled(body, [...MESSAGE_KEYS, ...CODE_KEYS, 'title']);
}

/** RFC 9457. */
const isProblem = ({ type, title, detail }: Body): boolean =>
	isAddress(textOf(type) ?? '') && (isFilled(title) || isFilled(detail));

function saysDone(body: Body): boolean {
	if (body.success === true || body.ok === true) return true;
	return [...CODE_KEYS, ...STATUS_KEYS].some((key) => signOf(body[key]) === 'done');
}

/** What a code or status says by itself: 0 and 2xx are common for success. */
function signOf(value: unknown): 'done' | 'error' | undefined {
	const text = typeof value === 'number' ? String(value) : (textOf(value) ?? '').trim();
	if (/^\d+$/.test(text)) {
		if (/^(0+|2\d\d)$/.test(text)) return 'done';
		return /^[45]\d\d$/.test(text) ? 'error' : undefined;
	}
	const words =
		text
			.replace(/([a-z])([A-Z])/g, '$1 $2')
			.toLowerCase()
			.match(/[a-z]+/g) ?? [];
	if (words.length === 0) return undefined;
	const isDone = DONE.has(words[words.length - 1]) && !words.some((word) => NOT_DONE.has(word));
	return isDone ? 'done' : 'error';
}

/** A text, as far as it can be a code or a state. */
const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' ? value.slice(0, MAX_NAME_LENGTH) : undefined;

const anyFilled = (body: Body, keys: readonly string[]): boolean =>
	keys.some((key) => isFilled(body[key]));

const isContent = (key: string): boolean => CONTENT.has(key.replaceAll('_', '').toLowerCase());
