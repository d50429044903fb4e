import { isObject } from '../values/json';
import { saysNothing } from '../values/readers';
import type { ProblemDetails } from './errors';

/** Error bodies are not shown by the API document, so their parts are looked for wherever they may be. */

const REQUEST_ID_KEYS = ['request_id', 'requestId', 'requestID', 'request-id'];
/** Names of an error's code, in the order of preference within one level. */
const CODE_KEYS = ['code', 'error_code', 'errorCode'];
/** Names under which some platforms have a code, and others something else. */
const WORD_KEYS = ['error', 'type'];
const MESSAGE_KEYS =
	'message detail error_description error_message errorMessage msg reason title'.split(' ');
const MAX_DEPTH = 6;
/** Members of a list that are looked at. */
const MAX_MEMBERS = 50;
const MAX_MESSAGE_LENGTH = 500;
/** A longer text is not a code or an identifier. Characters. */
const MAX_NAME_LENGTH = 200;

/** Code-like: one word as programs use them, e.g. `INVALID_STATE_TRANSITION` or `order.not_found`. */
const CODE = /^[A-Za-z][\w.:/-]*$/;

/**
 * Texts that say nothing beyond the status: the status itself, HTTP's reason phrases of one word as HTTP writes
 * them, the word that it is an error, and the `type` of RFC 9457 where it is left open.
 */
const NO_CODE =
	/^([1-5]\d\d|Conflict|Forbidden|Gone|Locked|Unauthorized|error|Error|ERROR|about:blank)$/;

/**
 * Whether the body of an answer with success is an error all the same: it holds no data, no record with an ID and no
 * results of a batch, which speak for themselves, but an `error`, `errors`, or the word that it did not succeed.
 */
export function isErrorBody(body: unknown): boolean {
	if (!isObject(body) || [body.data, body.id, body.results].some(isFilled)) return false;
	return [body.success, body.ok].includes(false) || [body.error, body.errors].some(isFilled);
}

const isFilled = (value: unknown): boolean => value !== false && !saysNothing(value);

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
	return cut(id, MAX_NAME_LENGTH);
}

/**
 * The platform's own error code, e.g. `INVALID_STATE_TRANSITION`, at any level, the outermost first: under one of the
 * names that APIs use for it, or a code of the API document under `error` or `type`, beside which a record may have a
 * code of its own; else what looks like a code there, addresses (RFC 9457) last.
 */
export function findErrorCode(body: unknown): string | undefined {
	const word = (takes: (text: string) => boolean) =>
		find(body, (object) => firstText(object, WORD_KEYS, takes));
	const isDocumented = (text: string) => documentedCode(text) !== undefined && saysMore(text);
	const code =
		find(
			body,
			(object) =>
				firstText(object, CODE_KEYS, saysMore) ?? firstText(object, WORD_KEYS, isDocumented),
		) ??
		word((text) => isCode(text) && !isAddress(text)) ??
		word(isCode);
	return cut(code, MAX_NAME_LENGTH);
}

/** The platform's own words about the error, cut to a readable length, without the full stop at their end. */
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
	takes: (text: string) => boolean = () => true,
): string | undefined {
	const isTaken = (value: unknown) =>
		typeof value === 'string' && value !== '' && takes(value.slice(0, MAX_NAME_LENGTH));
	return keys.map((key) => object[key]).find(isTaken) as string | undefined;
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
			const inside = isObject(value) ? look(value) : undefined;
			if (inside !== undefined) return inside;
			if (typeof value !== 'object' || value === null) continue;
			for (const inner of Object.values(value).slice(0, MAX_MEMBERS)) next.push(inner);
		}
		level = next;
	}
	return undefined;
}

const cut = (text: string | undefined, length: number): string | undefined =>
	text && text.length > length ? `${text.slice(0, length)}…` : text;

/** The codes that the API document shows ("Errors"). */
const DOCUMENTED = ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_STATE_TRANSITION'] as const;

export type DocumentedCode = (typeof DOCUMENTED)[number];

/**
 * The code of the API document that a platform means, however it writes it: `invalid-state.transition` and
 * `InvalidStateTransition` are the same; undefined if it means none of them.
 */
export function documentedCode(code: string | undefined): DocumentedCode | undefined {
	const loosely = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
	return code === undefined
		? undefined
		: DOCUMENTED.find((documented) => loosely(documented) === loosely(code));
}

/**
 * Whether a refusal says that there is no such endpoint (501), or none for this account yet: nothing was done, and
 * trying again helps nobody.
 */
export const isInDevelopment = ({ status, code = '' }: ProblemDetails): boolean =>
	status === 501 || /^in.?development$/i.test(code);

/** Whether a code is the address of a kind of error, as RFC 9457 has under `type`. */
export const isAddress = (code: string): boolean => /^(urn:|about:|tag:|\w+:\/\/)/i.test(code);

/**
 * Whether a refusal with 409 is of one of the kinds for which the API document gives that status ("Errors"). A platform
 * may give no code, or the address of one: then it is the kind that the resource has.
 */
export function isKindOf409(
	kind: DocumentedCode,
	{ status, code }: Pick<ProblemDetails, 'status' | 'code'>,
): boolean {
	if (status !== 409) return false;
	return code === undefined || isAddress(code) || documentedCode(code) === kind;
}
