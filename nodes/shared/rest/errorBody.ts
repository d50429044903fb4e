import { isObject } from '../values/json';
import { saysNothing } from '../values/readers';
import type { ProblemDetails } from './errors';

/** The API document does not show error bodies, so their parts are looked for at every level. */

const REQUEST_ID_KEYS = ['request_id', 'requestId', 'requestID', 'request-id'];
/** Names of the field with an error's code. Within one level, an earlier name is preferred. */
const CODE_KEYS = ['code', 'error_code', 'errorCode'];
/** Some platforms have a code in these fields, others something else. */
const WORD_KEYS = ['error', 'type'];
const MESSAGE_KEYS =
	'message detail error_description error_message errorMessage msg reason title'.split(' ');
const MAX_LEVELS = 6;
/** How many members of each list or object are looked at. */
const MAX_MEMBERS = 50;
const MAX_MESSAGE_LENGTH = 500;
/** A longer text is no code and no identifier. Characters. */
const MAX_CODE_LENGTH = 200;

/** One word, as programs write codes, e.g. `INVALID_STATE_TRANSITION` or `order.not_found`. */
const CODE = /^[A-Za-z][\w.:/-]*$/;

/**
 * Texts that say no more than the status: the status itself, one-word reason phrases as HTTP writes them, the word
 * “error”, and RFC 9457's `type` for no particular kind.
 */
const NO_CODE =
	/^([1-5]\d\d|Conflict|Forbidden|Gone|Locked|Unauthorized|error|Error|ERROR|about:blank)$/;

/**
 * Whether an answer with a success status has an error as its body: an `error`, `errors`, or a flag that says it did
 * not succeed. A body with data, a record with an ID, or results of a batch is no error: these are read by themselves.
 */
export function isErrorBody(body: unknown): boolean {
	if (!isObject(body) || [body.data, body.id, body.results].some(isFilled)) return false;
	return [body.success, body.ok].includes(false) || [body.error, body.errors].some(isFilled);
}

const isFilled = (value: unknown): boolean => value !== false && !saysNothing(value);

/**
 * Finds the request ID (API document, "Errors", 3): in the body at any level, else in the headers.
 *
 * @param headers with lower-case names
 */
export function findRequestId(body: unknown, headers: Record<string, string>): string | undefined {
	const id =
		find(body, (object) => firstText(object, REQUEST_ID_KEYS)) ??
		headers['x-request-id'] ??
		Object.entries(headers).find(([name]) => name.endsWith('request-id'))?.[1];
	return cut(id, MAX_CODE_LENGTH);
}

/**
 * Finds the platform's error code, e.g. `INVALID_STATE_TRANSITION`, at any level, the outermost first. First choice:
 * one of the usual names for a code, or a code of the API document under `error` or `type`; a record in the same body
 * may have a code of its own. Else any word there that looks like a code, addresses (RFC 9457) last.
 */
export function findErrorCode(body: unknown): string | undefined {
	const findWord = (accepts: (text: string) => boolean) =>
		find(body, (object) => firstText(object, WORD_KEYS, accepts));
	const isDocumented = (text: string) => documentedCode(text) !== undefined && saysMore(text);
	const code =
		find(
			body,
			(object) =>
				firstText(object, CODE_KEYS, saysMore) ?? firstText(object, WORD_KEYS, isDocumented),
		) ??
		findWord((text) => isCode(text) && !isAddress(text)) ??
		findWord(isCode);
	return cut(code, MAX_CODE_LENGTH);
}

/** Finds the platform's message about the error, cut to a readable length and without the full stop at its end. */
export function findErrorMessage(body: unknown): string | undefined {
	const text =
		find(body, (object) => firstText(object, MESSAGE_KEYS)) ??
		(isObject(body) && typeof body.error === 'string' ? body.error : undefined);
	return cut(text, MAX_MESSAGE_LENGTH)?.replace(/\.$/, '');
}

const saysMore = (text: string): boolean => !NO_CODE.test(text);

const isCode = (text: string): boolean => CODE.test(text) && saysMore(text);

function firstText(
	object: Record<string, unknown>,
	keys: readonly string[],
	accepts: (text: string) => boolean = () => true,
): string | undefined {
	const isAccepted = (value: unknown) =>
		typeof value === 'string' && value !== '' && accepts(value.slice(0, MAX_CODE_LENGTH));
	return keys.map((key) => object[key]).find(isAccepted) as string | undefined;
}

/** Searches breadth first, so the outermost match wins. */
function find(
	body: unknown,
	look: (object: Record<string, unknown>) => string | undefined,
): string | undefined {
	let level: unknown[] = [body];
	for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
		const next: unknown[] = [];
		for (const value of level) {
			const match = isObject(value) ? look(value) : undefined;
			if (match !== undefined) return match;
			if (typeof value !== 'object' || value === null) continue;
			for (const inner of Object.values(value).slice(0, MAX_MEMBERS)) next.push(inner);
		}
		level = next;
	}
	return undefined;
}

const cut = (text: string | undefined, length: number): string | undefined =>
	text && text.length > length ? `${text.slice(0, length)}…` : text;

/** The error codes that the API document shows ("Errors"). */
const DOCUMENTED_CODES = ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_STATE_TRANSITION'] as const;

type DocumentedCode = (typeof DOCUMENTED_CODES)[number];

/**
 * The code of the API document that a platform means, in any spelling: `invalid-state.transition` and
 * `InvalidStateTransition` are the same. Undefined if it is none of them.
 */
export function documentedCode(code: string | undefined): DocumentedCode | undefined {
	const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
	return code === undefined
		? undefined
		: DOCUMENTED_CODES.find((documented) => lettersOf(documented) === lettersOf(code));
}

/**
 * Whether a refusal says that the endpoint does not exist (501), or not for this account yet. Nothing was done, and
 * trying again does not help.
 */
export const isInDevelopment = ({ status, code = '' }: ProblemDetails): boolean =>
	status === 501 || /^in.?development$/i.test(code);

/**
 * Whether a refusal may say that the endpoint is not there, or not for this account. The API document does not show how
 * the platform says so ("Errors", 1).
 */
export const mayBeNotThere = (details: ProblemDetails): boolean =>
	isInDevelopment(details) || [403, 404, 405, 410].includes(details.status ?? 0);

/** Whether the platform, or a server before it, had a fault. 408 says that the request came too slowly. */
export const isFault = (details: ProblemDetails): boolean => {
	const { status = 0 } = details;
	return (status >= 500 || status === 408) && !isInDevelopment(details);
};

/** Whether a code is the address of a kind of error, as in RFC 9457's `type`. */
const isAddress = (code: string): boolean => /^(urn:|about:|tag:|\w+:\/\/)/i.test(code);

/**
 * Whether a 409 is of one kind that the API document gives that status ("Errors"). If the platform gives no code, or an
 * address as code, every kind fits: the resource decides.
 */
export function isKindOf409(
	kind: DocumentedCode,
	{ status, code }: Pick<ProblemDetails, 'status' | 'code'>,
): boolean {
	if (status !== 409) return false;
	return code === undefined || isAddress(code) || documentedCode(code) === kind;
}
