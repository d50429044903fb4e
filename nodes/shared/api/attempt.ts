import type { IHttpRequestOptions } from 'n8n-workflow';

import { readBudget, type BudgetReading } from './budget';
import { findRequestId } from './errorBody';
import { recordOf } from './record';
import { CREDENTIAL, type PlatformContext, type PlatformResponse } from './request';

/** No answer of this API comes near it: a page of 250 records is well under 2 MB. Characters. */
const MAX_ANSWER_LENGTH = 50 * 1024 * 1024;

/** How one attempt ended. */
export type Outcome =
	/** An answer that was read whole. */
	| { kind: 'answered'; response: PlatformResponse; budget: BudgetReading }
	/** An answer that cannot be used. */
	| {
			kind: 'unusable';
			problem: 'redirect' | 'too-large' | 'not-json' | 'broken-json';
			/** Its body is undefined. */
			response?: PlatformResponse;
			budget?: BudgetReading;
			/** Where a redirect points, origin only. */
			location?: string;
	  }
	/** No answer: not reached, cut off, or not in time. */
	| { kind: 'unanswered'; problem: 'unreachable' | 'timeout'; networkCode?: string };

/**
 * Sends a request once and reads the answer. Never throws: whatever happens is an outcome.
 *
 * @param options as `httpOptions` makes them
 * @param nowMs Unix ms, for a Retry-After with a date in an answer that has no date of its own
 */
export async function attemptOnce(
	context: PlatformContext,
	options: IHttpRequestOptions,
	nowMs: () => number,
): Promise<Outcome> {
	try {
		return readAnswer(await exchange(context, options), String(options.url), nowMs());
	} catch (error) {
		return unanswered(error);
	}
}

interface RawAnswer {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	text: string;
}

async function exchange(
	context: PlatformContext,
	options: IHttpRequestOptions,
): Promise<RawAnswer> {
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

function readAnswer({ status, headers, text }: RawAnswer, url: string, nowMs: number): Outcome {
	const budget = readBudget(headers, nowMs);
	const { serverTimeMs } = budget;
	const json = text.length > MAX_ANSWER_LENGTH ? undefined : parseJson(text);
	const body = json?.value;
	const response: PlatformResponse = {
		status,
		headers,
		body,
		record: recordOf(body),
		requestId: findRequestId(status < 400 ? undefined : body, headers),
		serverTimeMs,
	};
	if (json === undefined) return { kind: 'unusable', problem: 'too-large', response, budget };
	if (status >= 300 && status < 400 && status !== 304) {
		const location = originOf(headers.location, url);
		return { kind: 'unusable', problem: 'redirect', response, budget, location };
	}
	if (status < 300 && json.broken) {
		const saysJson = (headers['content-type'] ?? '').includes('json');
		return { kind: 'unusable', problem: saysJson ? 'broken-json' : 'not-json', response, budget };
	}
	return { kind: 'answered', response, budget };
}

function parseJson(text: string): { value: unknown; broken: boolean } {
	if (text.trim() === '') return { value: undefined, broken: false };
	try {
		return { value: JSON.parse(text) as unknown, broken: false };
	} catch {
		return { value: undefined, broken: true };
	}
}

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

function unanswered(error: unknown): Outcome {
	const networkCode = networkCodeOf(error);
	// Node's word for a body that is longer than any text can be.
	if (networkCode === 'ERR_STRING_TOO_LONG') return { kind: 'unusable', problem: 'too-large' };
	const problem = TIMEOUT_CODES.has(networkCode ?? '') ? 'timeout' : 'unreachable';
	return { kind: 'unanswered', problem, networkCode };
}

/** n8n wraps connection errors; the system's own code is at the bottom. */
function networkCodeOf(error: unknown): string | undefined {
	for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
		inner = inner.cause;
	}
	return undefined;
}

function originOf(location: string | undefined, url: string): string | undefined {
	if (location === undefined || !URL.canParse(location, url)) return undefined;
	return new URL(location, url).origin;
}
