import type { IHttpRequestOptions } from 'n8n-workflow';

import { inexactNumbers, parseExactly } from '../values/json';
import { hasData, readBudget, recordOf, type BudgetReading } from './answer';
import type { Clock } from './clock';
import type { Scrubber } from './credential';
import { findRequestId, isErrorBody } from '../errors/errorBody';
import { CREDENTIAL, type PlatformContext, type PlatformResponse } from './request';

/** A page of 250 full products comes to a few MB; what is parsed takes many times its text. Bytes, unpacked. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the attempts of a client share. */
export interface AttemptContext {
	context: PlatformContext;
	clock: Clock;
	scrub: Scrubber;
	/** Fails when nothing comes for this time, ms. Until the answer begins, n8n's own timeout watches. */
	idleMs: number;
	/** Fails when it takes longer in all, ms. */
	deadlineMs: number;
	/** Ends the attempt when the execution is cancelled. */
	signal?: AbortSignal;
}

/** How one attempt ended. */
export interface Outcome {
	/** The answer; undefined where none came, it was cut off, or it was not in time. */
	response?: PlatformResponse;
	/** What the answer told of the key's budget. */
	budget: BudgetReading;
	/** Why there is no answer, or none that can be used. */
	problem?:
		| 'unreachable'
		| 'timeout'
		| 'redirect'
		| 'too-large'
		| 'not-json'
		| 'broken-json'
		| 'error-body';
	/** The system's word for why there is no answer. */
	networkCode?: string;
	/** Where a redirect points, origin only. */
	location?: string;
}

/**
 * Sends a request once and reads the answer. Never throws: whatever happens is an outcome.
 *
 * @param options as `httpOptions` makes them
 * @param forReturn whether parts of the answer are to be sent back as they are
 */
export async function attemptOnce(
	attempt: AttemptContext,
	options: IHttpRequestOptions,
	forReturn = false,
): Promise<Outcome> {
	let answer: Answer;
	try {
		answer = await exchange(attempt, options);
	} catch (error) {
		return unanswered(error);
	}
	const isWritten = options.method !== 'GET' && answer.status >= 200 && answer.status < 300;
	// A write that was answered with success is done, even if the rest of the answer got lost.
	if (answer.problem === 'cut-off' && !isWritten) return unanswered(answer.error);
	const { scrub, clock } = attempt;
	for (const [name, value] of Object.entries(answer.headers))
		answer.headers[name] = scrub.header(value);
	const body = parseBody(answer, scrub);
	const budget = readBudget(answer.headers, clock.now());
	const outcome = judge(answer, body, budget, isWritten, String(options.url));
	if (forReturn && outcome.response !== undefined)
		outcome.response.inexact = inexactNumbers(answer.text);
	return outcome;
}

/** Parses the text of an answer, and notes where it is no JSON. */
function parseBody(answer: Answer, scrub: Scrubber): unknown {
	if (answer.problem !== undefined || answer.text.trim() === '') return undefined;
	try {
		return parseExactly(scrub.json(answer.text));
	} catch {
		answer.problem = 'broken';
		return undefined;
	}
}

function judge(
	{ status, headers, problem }: Answer,
	body: unknown,
	budget: BudgetReading,
	isWritten: boolean,
	url: string,
): Outcome {
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
	if (status >= 300 && status < 400 && status !== 304)
		return { response, budget, problem: 'redirect', location: originOf(headers.location, url) };
	if (saysError && status !== 207) return { response, budget, problem: 'error-body' };
	if (problem === undefined) return { response, budget };
	const saysJson = (headers['content-type'] ?? '').includes('json');
	if (isWritten && (saysJson || problem !== 'broken')) response.incomplete = true;
	else if (problem === 'too-large') return { response, budget, problem };
	else if (status < 300)
		return { response, budget, problem: saysJson ? 'broken-json' : 'not-json' };
	return { response, budget };
}

/** An answer that was read whole. */
export type Answered = Outcome & { response: PlatformResponse; problem?: undefined };

/** Whether there is nothing further to do: the platform did what was asked for. */
export function isDone(outcome: Outcome): outcome is Answered {
	return outcome.problem === undefined && (outcome.response?.status ?? 0) < 400;
}

/** Whether the platform answered 429: the minute's or the day's budget is exceeded. */
export const isTooManyRequests = (outcome: Outcome): boolean =>
	outcome.problem === undefined && outcome.response?.status === 429;

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

function unanswered(error: unknown): Outcome {
	const networkCode = networkCodeOf(error);
	const problem = TIMEOUT_CODES.has(networkCode ?? '') ? 'timeout' : 'unreachable';
	return { budget: {}, problem, networkCode };
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

/** An answer as it came. */
interface Answer {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	text: string;
	/** Why there is no more of it, or why it cannot be read. */
	problem?: 'too-large' | 'cut-off' | 'broken';
	error?: unknown;
}

/**
 * Sends a request by n8n's helper and reads the answer. An attempt that takes too long or is cancelled is given up
 * at once, and its connection is closed.
 *
 * @throws whatever n8n's helper throws before the answer begins, or why the attempt was ended
 */
async function exchange(attempt: AttemptContext, options: IHttpRequestOptions): Promise<Answer> {
	if (attempt.signal?.aborted) throw ended('ERR_CANCELED');
	const watched = watch(attempt);
	try {
		const answer = await new Promise<Answer>((resolve, reject) => {
			const { signal } = watched.controller;
			// An n8n that does not hand the signal on keeps its connection, but not the slot.
			signal.addEventListener('abort', () => reject(signal.reason as Error));
			answerOf(attempt.context, options, watched).then(resolve, reject);
		});
		// The rest is not wanted.
		if (answer.problem === 'too-large') watched.controller.abort();
		return answer;
	} finally {
		watched.end();
	}
}

interface Watched {
	/** Ends the attempt, and closes its connection. */
	controller: AbortController;
	/** A piece of the answer came. */
	progress(): void;
	/** The attempt ended by itself. */
	end(): void;
}

/**
 * Ends an attempt that takes too long or is cancelled. n8n's own timeout sees only a connection on which nothing comes
 * before the answer begins, so an answer that comes byte by byte would hold its slot for ever.
 */
function watch({ clock, idleMs, deadlineMs, signal }: AttemptContext): Watched {
	const controller = new AbortController();
	const endsMs = clock.monotonic() + deadlineMs;
	let idleEndsMs = endsMs;
	let timer: AbortSignal | undefined;
	const cancel = () => controller.abort(ended('ERR_CANCELED'));
	const look = () => {
		const leftMs = Math.min(endsMs, idleEndsMs) - clock.monotonic();
		if (leftMs <= 0) return controller.abort(ended('ETIMEDOUT'));
		timer = clock.timeout(Math.ceil(Math.min(leftMs, idleMs)));
		timer.addEventListener('abort', look);
	};
	look();
	signal?.addEventListener('abort', cancel);
	return {
		controller,
		progress: () => {
			idleEndsMs = clock.monotonic() + idleMs;
		},
		end: () => {
			timer?.removeEventListener('abort', look);
			signal?.removeEventListener('abort', cancel);
		},
	};
}

/** Why an attempt was ended from here, in the system's words. */
const ended = (code: 'ETIMEDOUT' | 'ERR_CANCELED') => Object.assign(new Error(code), { code });

async function answerOf(
	context: PlatformContext,
	options: IHttpRequestOptions,
	{ controller: { signal }, progress }: Watched,
): Promise<Answer> {
	// n8n's helper takes the signal of its `this`, where that has one, in place of the request's own.
	const self: unknown = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	});
	// It also changes what it is given, and every attempt must send the same.
	const request = { ...options, headers: { ...options.headers }, abortSignal: signal };
	const { httpRequestWithAuthentication } = context.helpers;
	const response = (await httpRequestWithAuthentication.call(
		self,
		CREDENTIAL,
		request,
	)) as FullResponse;
	progress();
	const answer: Answer = { status: response.statusCode, headers: {}, text: '' };
	for (const [name, value] of Object.entries(response.headers ?? {})) {
		if (value !== undefined && value !== null) answer.headers[name.toLowerCase()] = String(value);
	}
	await readBody(response.body, answer, progress);
	return answer;
}

interface FullResponse {
	statusCode: number;
	headers?: Record<string, unknown>;
	body: unknown;
}

/** Reads a body piece by piece, so that no more than the bound is ever held, however little was sent for it. */
async function readBody(body: unknown, answer: Answer, progress: () => void): Promise<void> {
	if (!isStream(body)) {
		answer.text = typeof body === 'string' ? body : '';
		return;
	}
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > MAX_ANSWER_BYTES) {
				answer.problem = 'too-large';
				return;
			}
			chunks.push(chunk);
			progress();
		}
	} catch (error) {
		answer.problem = 'cut-off';
		answer.error = error;
		return;
	}
	const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
	// A byte order mark is not part of the text.
	answer.text = all.toString('utf8').replace(/^\uFEFF/, '');
}

const isStream = (body: unknown): body is AsyncIterable<Buffer> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
