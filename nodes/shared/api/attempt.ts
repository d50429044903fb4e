import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseExactly, parseForReturn } from '../exactJson';
import { settled } from '../settled';
import { hasData, readBudget, recordOf, type BudgetReading } from './answer';
import type { Scrubber } from './credential';
import { findRequestId } from './errorBody';
import { isErrorBody } from './errorInSuccess';
import { exchange, type ExchangeContext, type RawAnswer } from './exchange';
import type { PlatformResponse } from './request';

/** How one attempt ended. */
export type Outcome =
	/** An answer that was read whole. */
	| { kind: 'answered'; response: PlatformResponse; budget: BudgetReading }
	/** An answer that cannot be used. */
	| {
			kind: 'unusable';
			problem: 'redirect' | 'too-large' | 'not-json' | 'broken-json' | 'error-body';
			response: PlatformResponse;
			budget: BudgetReading;
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
 * @param forReturn whether parts of the answer are to be sent back as they are
 */
export async function attemptOnce(
	context: ExchangeContext,
	options: IHttpRequestOptions,
	scrub: Scrubber,
	nowMs: () => number,
	forReturn = false,
): Promise<Outcome> {
	const result = await settled(exchange(context, options));
	if (result.status === 'rejected') return unanswered(result.reason);
	const { status, headers, body } = result.value;
	for (const [name, value] of Object.entries(headers)) headers[name] = scrub.header(value);
	// A write that was answered with success is done, even if the rest of the answer got lost.
	const isDone = options.method !== 'GET' && status >= 200 && status < 300;
	if ('failed' in body && body.failed === 'cut-off' && !isDone) return unanswered(body.error);
	const scrubbed = 'text' in body ? { text: scrub.json(body.text) } : body;
	const json = readJson(scrubbed, forReturn ? parseForReturn : parseExactly);
	return readAnswer({ status, headers, json }, String(options.url), isDone, nowMs());
}

type ReadAnswer = Pick<RawAnswer, 'status' | 'headers'> & { json: Json };

function readAnswer(raw: ReadAnswer, url: string, isDone: boolean, nowMs: number): Outcome {
	const { status, headers, json } = raw;
	const body = 'value' in json ? json.value : undefined;
	const budget = readBudget(headers, nowMs);
	const saysError = status < 300 && !hasData(body) && isErrorBody(body);
	const response: PlatformResponse = {
		status,
		headers,
		body,
		record: recordOf(body),
		// Looked for only where somebody wants it.
		get requestId() {
			return findRequestId(status >= 400 || saysError ? body : undefined, headers);
		},
		serverTimeMs: budget.serverTimeMs,
	};
	const unusable = (
		problem: Extract<Outcome, { kind: 'unusable' }>['problem'],
		location?: string,
	): Outcome => ({ kind: 'unusable', problem, response, budget, location });
	if (status >= 300 && status < 400 && status !== 304)
		return unusable('redirect', originOf(headers.location, url));
	if ('problem' in json) {
		const saysJson = (headers['content-type'] ?? '').includes('json');
		if (isDone && (saysJson || json.problem !== 'broken')) response.incomplete = true;
		else if (json.problem === 'too-large') return unusable('too-large');
		else if (status < 300) return unusable(saysJson ? 'broken-json' : 'not-json');
	}
	if (saysError && status !== 207) return unusable('error-body');
	return { kind: 'answered', response, budget };
}

type Json = { value: unknown } | { problem: 'too-large' | 'cut-off' | 'broken' };

function readJson(body: RawAnswer['body'], parse: (text: string) => unknown): Json {
	if ('failed' in body) return { problem: body.failed };
	if (body.text.trim() === '') return { value: undefined };
	try {
		return { value: parse(body.text) };
	} catch {
		return { problem: 'broken' };
	}
}

/** An answer that was read whole. */
export type Answered = Outcome & { kind: 'answered' };

/** Whether there is nothing further to do: the platform did what was asked for. */
export function isDone(outcome: Outcome): outcome is Answered {
	return outcome.kind === 'answered' && outcome.response.status < 400;
}

/** Whether the platform answered 429: the minute's or the day's budget is exceeded. */
export function isTooManyRequests(outcome: Outcome): boolean {
	return outcome.kind === 'answered' && outcome.response.status === 429;
}

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

function unanswered(error: unknown): Outcome {
	const networkCode = networkCodeOf(error);
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
