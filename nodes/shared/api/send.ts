import { randomUUID } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { readRetryAfter } from './budget';
import { CancelledError, pause } from './clock';
import type { Connection } from './connection';
import { findErrorCode, findErrorMessage, findRequestId } from './errorBody';
import { checkHeaderValue, encodeText, expandPath } from './path';
import { PlatformError, type Problem, type ProblemDetails } from './platformError';
import {
	CREDENTIAL,
	type PlatformRequest,
	type PlatformResponse,
	type QueryValue,
} from './request';
import { judge, type Outcome, type Verdict } from './retry';

/** No answer of this API comes near it: a page of 250 records is well under 2 MB. Characters. */
const MAX_ANSWER_LENGTH = 50 * 1024 * 1024;

/** One attempt: how it ended for the retry rules, and what it brought. */
interface Attempt {
	outcome: Outcome;
	response?: PlatformResponse;
	problem?: Problem;
	networkCode?: string;
	location?: string;
}

/**
 * Sends one request until it succeeded or failed for good: in a slot of the key's lane, within the key's
 * budget, repeated where that can help. The only place of this package that sends.
 *
 * @returns the platform's answer, status below 400
 * @throws UnsafeValueError before anything was sent, when an id or header value cannot be sent safely
 * @throws PlatformError when the request failed for good
 * @throws CancelledError when the execution was cancelled
 */
export async function send(
	connection: Connection,
	request: PlatformRequest,
): Promise<PlatformResponse> {
	const options = requestOptions(connection, request);
	const { clock, signal } = connection;
	let waitedMs = 0;
	/** An earlier attempt may have reached the platform although its answer did not reach us. */
	let mayBeApplied = false;
	for (let attempt = 1; ; attempt++) {
		const result = await attemptOnce(connection, request, options);
		if (signal?.aborted) throw new CancelledError();
		const { outcome, response } = result;
		if (response?.status === 404 && request.method === 'DELETE' && mayBeApplied) return response;
		const verdict: Verdict =
			result.problem !== undefined && outcome.kind === 'answer'
				? { kind: 'give-up', reason: 'final' }
				: judge(outcome, attempt, waitedMs, connection.options, clock.now(), clock.random());
		if (verdict.kind === 'done' && response !== undefined) return response;
		if (verdict.kind === 'retry') {
			mayBeApplied ||= outcome.kind !== 'answer' || outcome.status >= 500;
			holdLane(connection, outcome);
			waitedMs += verdict.afterMs;
			await pause(clock, verdict.afterMs, signal);
			continue;
		}
		const retryAfterMs = verdict.kind === 'give-up' ? verdict.retryAfterMs : undefined;
		throw failed(connection, request, result, { attempts: attempt, retryAfterMs });
	}
}

/** The lane's other requests would meet the same 429, so they wait as well. */
function holdLane(connection: Connection, outcome: Outcome): void {
	if (outcome.kind !== 'answer' || outcome.status !== 429) return;
	const nowMs = connection.clock.now();
	const waitMs = readRetryAfter(outcome.headers['retry-after'], nowMs);
	if (waitMs !== undefined) connection.lane.pace.holdUntil(nowMs + waitMs);
}

async function attemptOnce(
	connection: Connection,
	request: PlatformRequest,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	await enterLane(connection, request);
	let headers: Record<string, string> | undefined;
	try {
		const answer = await exchange(connection, options);
		headers = answer.headers;
		return readAnswer(connection, answer);
	} catch (error) {
		return brokenOff(error);
	} finally {
		connection.lane.leave(headers);
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

async function enterLane(connection: Connection, request: PlatformRequest): Promise<void> {
	const { lane, options, clock } = connection;
	const entry = await lane.enter(options.maxInFlight, connection.signal);
	if (entry.kind === 'blocked') {
		throw new PlatformError('budget-spent', wireName(connection, request), {
			status: 429,
			resumeAtMs: entry.untilMs,
			retryAfterMs: entry.untilMs - clock.now(),
		});
	}
	const day = lane.pace.dailyBudget(lane.underWay - 1, clock.now());
	const keep = options.keepDailyBudgetPercent;
	if (keep > 0 && day !== undefined && day.percent < keep) {
		lane.leave();
		throw new PlatformError('budget-kept', wireName(connection, request), {
			resumeAtMs: day.endsAtMs,
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
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
	const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
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

function failed(
	connection: Connection,
	request: PlatformRequest,
	attempt: Attempt,
	more: { attempts: number; retryAfterMs?: number },
): PlatformError {
	const { outcome, response } = attempt;
	const nowMs = connection.clock.now();
	const status = outcome.kind === 'no-answer' ? undefined : outcome.status;
	const problem = attempt.problem ?? problemOf(outcome);
	const message = findErrorMessage(response?.body);
	const code = findErrorCode(response?.body);
	const details: ProblemDetails = {
		...more,
		status,
		code: code === undefined ? undefined : connection.scrub(code),
		requestId: response?.requestId === undefined ? undefined : connection.scrub(response.requestId),
		platformMessage: message === undefined ? undefined : connection.scrub(message),
		timeoutMs: connection.options.timeoutMs,
		networkCode: attempt.networkCode,
		location: attempt.location,
	};
	if (problem === 'budget-spent' && more.retryAfterMs !== undefined) {
		details.resumeAtMs = nowMs + more.retryAfterMs;
		details.day = connection.lane.pace.snapshot().dayRemaining === 0;
		if (more.retryAfterMs > connection.options.maxWaitMs) {
			connection.lane.pace.blockUntil(details.resumeAtMs, nowMs);
		}
	}
	return new PlatformError(problem, wireName(connection, request), details);
}

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

function problemOf(outcome: Outcome): Problem {
	if (outcome.kind === 'no-answer')
		return TIMEOUT_CODES.has(outcome.code ?? '') ? 'timeout' : 'unreachable';
	return outcome.status === 429 ? 'budget-spent' : 'refused';
}

/** n8n wraps connection errors; the system's own code is at the bottom. */
function networkCodeOf(error: unknown): string | undefined {
	for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 5; depth++) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
		inner = inner.cause;
	}
	return undefined;
}

/**
 * Finds whatever makes a request impossible to send, without sending it.
 *
 * @throws UnsafeValueError naming the field
 */
export function checkRequest(request: PlatformRequest): void {
	targetOf(request);
	headersOf(request);
}

function targetOf(request: PlatformRequest): string {
	return `${expandPath(request.path, request.pathParams)}${queryString(request.query)}`;
}

function headersOf(request: PlatformRequest): IDataObject {
	const headers: IDataObject = { Accept: 'application/json' };
	if (request.body !== undefined) headers['Content-Type'] = 'application/json';
	for (const [name, value] of Object.entries(request.headers ?? {})) {
		headers[name] = checkHeaderValue(name, value);
	}
	if (request.method !== 'GET') {
		headers['Idempotency-Key'] = checkHeaderValue(
			'Idempotency-Key',
			request.idempotencyKey ?? randomUUID(),
		);
	}
	return headers;
}

function requestOptions(connection: Connection, request: PlatformRequest): IHttpRequestOptions {
	const { options } = connection;
	return {
		method: request.method,
		url: `${connection.baseUrl}${targetOf(request)}`,
		headers: headersOf(request),
		// Serialised here once, so that every attempt sends the same bytes.
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the API key to wherever it points.
		disableFollowRedirect: true,
		timeout: options.timeoutMs,
		...(options.skipSslCertificateValidation ? { skipSslCertificateValidation: true } : {}),
		...(options.proxy ? { proxy: options.proxy } : {}),
	};
}

function queryString(query: Record<string, QueryValue> = {}): string {
	const pairs = Object.entries(query)
		.filter(([, value]) => value !== undefined && value !== '')
		.map(([name, value]) => `${encodeURIComponent(name)}=${encodeText(name, String(value))}`);
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function originOf(location: string | undefined, baseUrl: string): string | undefined {
	try {
		return location === undefined ? undefined : new URL(location, baseUrl).origin;
	} catch {
		return undefined;
	}
}

function wireName(connection: Connection, request: PlatformRequest) {
	return {
		method: request.method,
		path: request.path,
		pathParams: request.pathParams,
		host: connection.host,
	};
}
