import { hasData, isFilled } from '../api/answer';
import { isObject } from '../values/json';

/** Error bodies are not shown by the API document, so their parts are looked for wherever they may be. */

const REQUEST_ID_KEYS = new Set(['request_id', 'requestId', 'requestID', 'request-id']);
/** Names of an error's code, in the order of preference within one level. */
export const CODE_KEYS = ['code', 'error_code', 'errorCode'];
/** Names under which some platforms have a code, and others something else. */
const WORD_KEYS = ['type', 'error'];
const MESSAGE_KEYS = [
	'message',
	'detail',
	'error_description',
	'error_message',
	'errorMessage',
	'title',
];
const MAX_DEPTH = 6;
/** Members of a list that are looked at. */
const MAX_MEMBERS = 50;
const MAX_MESSAGE_LENGTH = 500;
/** A longer text is not a code or an identifier. Characters. */
export const MAX_NAME_LENGTH = 200;

/** Code-like: one word as programs use them, e.g. `INVALID_STATE_TRANSITION` or `order.not_found`. */
const CODE = /^[A-Za-z][\w.:/-]*$/;

/**
 * Texts that say nothing beyond the status: the status itself, HTTP's reason phrases of one word as HTTP writes
 * them, the word that it is an error, and the `type` of RFC 9457 where it is left open.
 */
const NO_CODE =
	/^([1-5]\d\d|Conflict|Forbidden|Gone|Locked|Unauthorized|error|Error|ERROR|about:blank)$/;

/**
 * Finds the request identifier (API document, "Errors", 3) in an answer: in the body at any level, else in
 * the headers.
 *
 * @param headers with lower-case names
 */
export function findRequestId(body: unknown, headers: Record<string, string>): string | undefined {
	const id =
		find(body, (object) => firstText(object, REQUEST_ID_KEYS)) ??
		headers['x-request-id'] ??
		Object.entries(headers).find(([name]) => name.endsWith('request-id'))?.[1];
	return id === undefined ? undefined : cut(id, MAX_NAME_LENGTH);
}

/**
 * The platform's own error code, e.g. `INVALID_STATE_TRANSITION`, at any level, the outermost first: under one of the
 * names that APIs use for it, or a code of the API document under `type` or `error`; else another word there that
 * looks like a code; else an address there (RFC 9457).
 */
export function findErrorCode(body: unknown): string | undefined {
	const code =
		find(
			body,
			(object) =>
				firstText(object, CODE_KEYS, saysMore) ??
				firstText(
					object,
					WORD_KEYS,
					(text) => saysMore(text) && documentedCode(text) !== undefined,
				),
		) ??
		find(body, (object) => firstText(object, WORD_KEYS, isWord)) ??
		find(body, (object) => firstText(object, WORD_KEYS, isCode));
	return code === undefined ? undefined : cut(code, MAX_NAME_LENGTH);
}

/** The platform's own words about the error, cut to a readable length. */
export function findErrorMessage(body: unknown): string | undefined {
	const text =
		find(body, (object) => firstText(object, MESSAGE_KEYS)) ??
		(isObject(body) && typeof body.error === 'string' ? body.error : undefined);
	return text === undefined ? undefined : cut(text, MAX_MESSAGE_LENGTH);
}

const saysMore = (text: string): boolean => !NO_CODE.test(text);

const isCode = (text: string): boolean => CODE.test(text) && saysMore(text);

const isWord = (text: string): boolean => isCode(text) && !isAddress(text);

function firstText(
	object: Record<string, unknown>,
	keys: Iterable<string>,
	takes: (text: string) => boolean = () => true,
): string | undefined {
	for (const key of keys) {
		const value = object[key];
		if (typeof value === 'string' && value !== '' && takes(value.slice(0, MAX_NAME_LENGTH)))
			return value;
	}
	return undefined;
}

/** Breadth first, so that the outermost match wins. */
function find(
	body: unknown,
	look: (object: Record<string, unknown>) => string | undefined,
): string | undefined {
	let level: unknown[] = [body];
	for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
		const next: unknown[] = [];
		for (const value of level) {
			const found = isObject(value) ? look(value) : undefined;
			if (found !== undefined) return found;
			if (typeof value !== 'object' || value === null) continue;
			for (const inner of Object.values(value).slice(0, MAX_MEMBERS)) next.push(inner);
		}
		level = next;
	}
	return undefined;
}

function cut(text: string, length: number): string {
	return text.length <= length ? text : `${text.slice(0, length)}…`;
}

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
const PLAIN_MESSAGE_KEYS = ['message', 'detail', 'error_description'];
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
	if (anyFilled(body, PLAIN_MESSAGE_KEYS)) return true;
	const others = Object.keys(body).filter((key) => !NEUTRAL.has(key) && !/request.?id/i.test(key));
	return others.length === 0 && findRequestId(body, {}) !== undefined;
}

/** An HTTP status of an error, or the word for one beside what it is about. */
function hasErrorStatus(body: Body): boolean {
	if (STATUS_KEYS.some((key) => typeof body[key] === 'number' && signOf(body[key]) === 'error'))
		return true;
	const isFailure = [...STATUS_KEYS, 'type'].some((key) => FAILURE.test(textOf(body[key]) ?? ''));
	return isFailure && anyFilled(body, [...PLAIN_MESSAGE_KEYS, ...CODE_KEYS, 'title']);
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

/** The codes that the API document shows ("Errors"). */
const DOCUMENTED = ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_STATE_TRANSITION'] as const;

export type DocumentedCode = (typeof DOCUMENTED)[number];

/** `invalid-state.transition` and `InvalidStateTransition` are the same code. */
const loosely = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

const BY_LOOSE_NAME = new Map(DOCUMENTED.map((code) => [loosely(code), code]));

/** The code of the API document that a platform means, however it writes it; undefined where it means none of them. */
export const documentedCode = (code: string | undefined): DocumentedCode | undefined =>
	code === undefined ? undefined : BY_LOOSE_NAME.get(loosely(code));

/** Whether a code is the address of a kind of error, as RFC 9457 has under `type`. */
export const isAddress = (code: string): boolean => /^(urn:|about:|tag:|\w+:\/\/)/i.test(code);

/**
 * Whether a refusal with 409 is of one of the kinds for which the API document gives that status ("Errors"). A platform
 * may give no code, or the address of one: then it is the kind that the resource has.
 */
export function isKindOf409(
	kind: DocumentedCode,
	{ status, code }: { status?: number; code?: string },
): boolean {
	if (status !== 409) return false;
	return code === undefined || isAddress(code) || documentedCode(code) === kind;
}
