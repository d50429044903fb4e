import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Connection } from './connection';
import { findRequestId } from './errorBody';
import type { Problem } from './platformError';
import { CREDENTIAL, type PlatformResponse } from './request';
import type { Outcome } from './retry';

/** No answer of this API comes near it: a page of 250 records is well under 2 MB. Characters. */
const MAX_ANSWER_LENGTH = 50 * 1024 * 1024;

/** One attempt: how it ended for the retry rules, and what it brought. */
export interface Attempt {
	outcome: Outcome;
	response?: PlatformResponse;
	problem?: Problem;
	networkCode?: string;
	location?: string;
}

/**
 * Sends a request once and reads the answer. Never throws: whatever happens is an outcome.
 *
 * @param options as `requestOptions` makes them
 */
export async function attemptOnce(
	connection: Connection,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	try {
		return readAnswer(connection, await exchange(connection, options));
	} catch (error) {
		return brokenOff(error);
	}
}

interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	text: string;
}

async function exchange(connection: Connection, options: IHttpRequestOptions): Promise<RawAnswer> {
	const { context } = connection;
	// n8n's helper changes what it is given, and every attempt must send the same.
	const answer = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
		...options,
		headers: { ...options.headers },
	})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(answer.headers ?? {})) {
		if (value !== undefined && value !== null) headers[name.toLowerCase()] = String(value);
	}
	const { body } = answer;
	const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
	return { status: answer.statusCode, headers, text };
}

function readAnswer(connection: Connection, { status, headers, text }: RawAnswer): Attempt {
	const outcome: Outcome = { kind: 'answer', status, headers };
	if (text.length > MAX_ANSWER_LENGTH) return { outcome, problem: 'too-large' };
	const parsed = parseJson(text);
	const requestId = findRequestId(status < 400 ? undefined : parsed.value, headers);
	const response: PlatformResponse = { status, headers, body: parsed.value, requestId };
	if (status >= 300 && status < 400 && status !== 304) {
		const location = originOf(headers.location, connection.baseUrl);
		return { outcome, response, problem: 'redirect', location };
	}
	if (status < 300 && parsed.broken) {
		return (headers['content-type'] ?? '').includes('json')
			? { outcome: { kind: 'broken-answer', status, headers }, response, problem: 'broken-json' }
			: { outcome, response, problem: 'not-json' };
	}
	return { outcome, response };
}

function parseJson(text: string): { value: unknown; broken: boolean } {
	if (text.trim() === '') return { value: undefined, broken: false };
	try {
		return { value: JSON.parse(text) as unknown, broken: false };
	} catch {
		return { value: undefined, broken: true };
	}
}

function brokenOff(error: unknown): Attempt {
	const code = networkCodeOf(error);
	// Node's word for a body that is longer than any text can be.
	if (code === 'ERR_STRING_TOO_LONG') {
		return { outcome: { kind: 'answer', status: 200, headers: {} }, problem: 'too-large' };
	}
	return { outcome: { kind: 'no-answer', code }, networkCode: code };
}

/** n8n wraps connection errors; the system's own code is at the bottom. */
function networkCodeOf(error: unknown): string | undefined {
	for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
		inner = inner.cause;
	}
	return undefined;
}

function originOf(location: string | undefined, baseUrl: string): string | undefined {
	if (location === undefined || !URL.canParse(location, baseUrl)) return undefined;
	return new URL(location, baseUrl).origin;
}
