import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseExactly, parseForReturn } from '../values/json';
import { settled } from '../errors/errors';
import { type BudgetReading, hasData, readBudget, recordOf } from './answer';
import type { AttemptLimits, AttemptWatch } from './clock';
import type { Scrubber } from './credential';
import { findRequestId, isErrorBody } from '../errors/errorBody';
import { CREDENTIAL, type PlatformContext, type PlatformResponse } from './request';

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

/** No answer of this API comes near it: a page of 250 records is well under 2 MB. Bytes, unpacked. */
export const MAX_ANSWER_BYTES = 50 * 1024 * 1024;

/** What one attempt needs beside the request. */
export interface ExchangeContext {
	context: PlatformContext;
	watch: AttemptWatch;
	limits: AttemptLimits;
	/** Ends the attempt when the execution is cancelled. */
	signal?: AbortSignal;
}

/** An answer as it came. */
export interface RawAnswer {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	/** The body's text; where it could not be read to its end, the reason. */
	body: { text: string } | { failed: 'too-large' | 'cut-off'; error?: unknown };
}

/** Thrown where an attempt was ended from here. */
class AbortedError extends Error {
	readonly code = 'ERR_CANCELED';
}

/** Thrown where an attempt took too long. */
export class DeadlineError extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Sends a request by n8n's helper and reads the answer as a stream, so that no more than the maximal length is
 * ever held, however little was sent for it (compression). An attempt that takes too long is given up, and its
 * connection is closed.
 *
 * @param options as `httpOptions` makes them
 * @throws whatever n8n's helper throws before the answer begins, DeadlineError
 */
export async function exchange(
	{ context, watch, limits, signal }: ExchangeContext,
	options: IHttpRequestOptions,
): Promise<RawAnswer> {
	const controller = new AbortController();
	let abort = () => controller.abort();
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => {
			controller.abort();
			reject(new AbortedError());
		};
	});
	let late = false;
	const watched = watch.start(limits, () => {
		late = true;
		abort();
	});
	signal?.addEventListener('abort', abort, { once: true });
	const answer = answerOf(context, options, controller.signal, watched.progress);
	try {
		// An n8n that does not hand the signal on keeps its connection, but not the slot.
		const raw = await Promise.race([answer, aborted]);
		// The rest is not wanted.
		if ('failed' in raw.body) abort();
		return raw;
	} catch (error) {
		answer.catch(() => undefined);
		throw late ? new DeadlineError() : error;
	} finally {
		signal?.removeEventListener('abort', abort);
		watched.end();
	}
}

async function answerOf(
	context: PlatformContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
	progress: () => void,
): Promise<RawAnswer> {
	const { statusCode, headers, body } = await call(context, options, signal);
	progress();
	const read = await readBody(body, progress);
	return { status: statusCode, headers: lowerCase(headers), body: read };
}

interface FullResponse {
	statusCode: number;
	headers?: Record<string, unknown>;
	body: unknown;
}

async function call(
	context: PlatformContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<FullResponse> {
	// n8n's helper takes the signal of its `this`, where that has one, in place of the request's own.
	const self = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as PlatformContext;
	// It also changes what it is given, and every attempt must send the same.
	const request = { ...options, headers: { ...options.headers }, abortSignal: signal };
	const { httpRequestWithAuthentication } = context.helpers;
	return (await httpRequestWithAuthentication.call(self, CREDENTIAL, request)) as FullResponse;
}

function lowerCase(given: Record<string, unknown> = {}): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(given)) {
		if (value !== undefined && value !== null) headers[name.toLowerCase()] = String(value);
	}
	return headers;
}

/** The part of Node's streams that reading needs. */
interface AnswerStream {
	readonly destroyed: boolean;
	on(event: 'data', take: (chunk: Buffer | string) => void): unknown;
	on(event: 'end' | 'close', take: () => void): unknown;
	on(event: 'error', take: (error: unknown) => void): unknown;
	destroy(): unknown;
}

async function readBody(body: unknown, progress: () => void): Promise<RawAnswer['body']> {
	if (!isStream(body)) return { text: typeof body === 'string' ? body : '' };
	if (body.destroyed) return { failed: 'cut-off' };
	// Events, since an async iterator costs as much as all the rest of a small answer.
	return await new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		body.on('data', (chunk) => {
			const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
			bytes += piece.length;
			if (bytes > MAX_ANSWER_BYTES) {
				resolve({ failed: 'too-large' });
				body.destroy();
				return;
			}
			chunks.push(piece);
			progress();
		});
		body.on('end', () => resolve({ text: textOf(chunks) }));
		body.on('error', (error) => resolve({ failed: 'cut-off', error }));
		body.on('close', () => resolve({ failed: 'cut-off' }));
	});
}

/** A byte order mark is not part of the text. */
function textOf(chunks: Buffer[]): string {
	const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
	return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function isStream(body: unknown): body is AnswerStream {
	return typeof body === 'object' && body !== null && 'on' in body && 'destroyed' in body;
}
