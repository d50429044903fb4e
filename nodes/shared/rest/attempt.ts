import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withCancelSignal } from '../n8n';
import { isObject } from '../values/json';
import type { Clock } from './clock';
import type { Scrubber } from './credential';
import { findErrorCode, findErrorMessage, findRequestId, isErrorBody } from './errorBody';
import type { Problem, ProblemDetails } from './errors';
import { unanswered } from './network';
import { readBudget } from './limiter';
import {
	CREDENTIAL,
	type Outcome,
	type PlatformContext,
	type PlatformResponse,
	type Service,
} from './request';

/**
 * The largest answer that is read, in bytes, unpacked. A page of 250 full products has a few MB, and takes several
 * times as much memory once it is parsed.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the attempts of a client share. */
interface AttemptContext extends Pick<Service, 'saysNotDone'> {
	context: PlatformContext;
	/** n8n's helper sends with it. Otherwise the helper would read it from n8n's database for every request. */
	credential: IDataObject;
	clock: Clock;
	scrub: Scrubber;
	/** An attempt fails if it takes longer, ms. n8n's own timeout only watches until the answer begins. */
	deadlineMs: number;
	/** Aborts when the execution is cancelled: all attempts end. */
	signal?: AbortSignal;
	/** Aborts when the client's time for all its requests is over: all attempts end. */
	timeUp?: AbortSignal;
}

/** Sends each request once and reads the answer. */
export class Attempts {
	/** n8n's context, but with the credential that was read when the run began. */
	private readonly context: PlatformContext;

	constructor(private readonly shared: AttemptContext) {
		this.context = Object.create(shared.context, {
			getCredentials: { value: async () => await Promise.resolve(shared.credential) },
		}) as PlatformContext;
	}

	/**
	 * Sends a request once and reads the answer. Never throws: every failure is an outcome.
	 *
	 * @param options as `httpOptions` makes them
	 */
	async send(options: IHttpRequestOptions): Promise<Outcome> {
		const { clock, deadlineMs, signal, timeUp } = this.shared;
		const endings = [clock.timeout(deadlineMs), signal, timeUp].filter(
			(each) => each !== undefined,
		);
		/** Closes the connection, if n8n passes the signal on. */
		const controller = new AbortController();
		return await new Promise((resolve) => {
			const end = (outcome: Outcome) => {
				for (const ending of endings) ending.removeEventListener('abort', giveUp);
				resolve(outcome);
			};
			// Frees the caller's slot, even if n8n keeps the connection open.
			const giveUp = () => {
				const code = signal?.aborted ? 'ERR_CANCELED' : 'ETIMEDOUT';
				const error = Object.assign(new Error(), { code });
				controller.abort(error);
				end(unanswered(error, options));
			};
			for (const ending of endings) ending.addEventListener('abort', giveUp);
			void this.exchange(options, controller)
				.catch((error: unknown) => unanswered(error, options))
				.then(end);
		});
	}

	/**
	 * Sends a request and reads the body piece by piece. Reading stops at the size limit: a small compressed body may
	 * unpack to a huge one.
	 */
	private async exchange(
		options: IHttpRequestOptions,
		controller: AbortController,
	): Promise<Outcome> {
		const { clock, scrub, saysNotDone } = this.shared;
		const abortSignal = controller.signal;
		const helperContext = withCancelSignal(this.context, abortSignal);
		// n8n changes the options it is given, but every attempt must send the same.
		const request = { ...options, headers: { ...options.headers }, abortSignal };
		const { httpRequestWithAuthentication: send } = this.context.helpers;
		const response = (await send.call(helperContext, CREDENTIAL, request)) as {
			statusCode: number;
			headers?: Record<string, unknown>;
			body?: AsyncIterable<Buffer> | Buffer[];
		};
		const answer: Answer = { status: response.statusCode, headers: {}, text: '' };
		for (const [name, value] of Object.entries(response.headers ?? {}))
			if (value !== undefined && value !== null)
				answer.headers[name.toLowerCase()] = scrub.header(String(value));
		const chunks: Buffer[] = [];
		let bytes = 0;
		try {
			for await (const chunk of response.body ?? []) {
				chunks.push(chunk);
				bytes += chunk.length;
				if (bytes > MAX_ANSWER_BYTES) break;
			}
			if (bytes > MAX_ANSWER_BYTES) {
				answer.fault = 'too-large';
				// Stops the rest of the answer.
				controller.abort();
			} else {
				const bytesRead = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
				// JSON is UTF-8 (RFC 8259, 8.1); a byte order mark is not part of the text.
				answer.text = new TextDecoder().decode(bytesRead);
			}
		} catch (error) {
			answer.fault = 'cut-off';
			answer.error = error;
		}
		return outcomeOf(answer, options, { saysNotDone, scrub, nowMs: clock.now() });
	}
}

/** An answer as it arrived. */
interface Answer {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	text: string;
	/** Why it is not whole, or cannot be read. */
	fault?: 'too-large' | 'cut-off' | 'broken';
	error?: unknown;
}

/**
 * Reads an answer: its record, its budget, and whether it is what was asked for.
 *
 * @param request method and address
 * @param saysNotDone see `Service`
 * @param nowMs Unix ms
 */
export function outcomeOf(
	answer: Answer,
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'proxy'>,
	{ saysNotDone, scrub, nowMs }: Pick<Service, 'saysNotDone'> & { scrub: Scrubber; nowMs: number },
): Outcome {
	const { status, headers } = answer;
	const isWritten = request.method !== 'GET' && status >= 200 && status < 300;
	// A write that was answered with success is done, even if the rest of the answer got lost.
	if (answer.fault === 'cut-off' && !isWritten) return unanswered(answer.error, request);
	const body = parseBody(answer, scrub);
	const budget = readBudget(status, headers, nowMs);
	const isRefused = isWritten && saysNotDone(body, new URL(request.url).pathname);
	const problem = isRefused ? 'error-body' : problemOf(answer, body, isWritten);
	const requestId = findRequestId(problem === undefined ? undefined : body, headers);
	const { serverTimeMs } = budget;
	const record = recordInBody(body);
	const response: PlatformResponse = { status, headers, body, record, requestId, serverTimeMs };
	if (problem === undefined) return { response, budget, details: {} };
	const scrubbed = (text: string | undefined) => text && scrub.message(text);
	const details: ProblemDetails = {
		status,
		code: scrubbed(findErrorCode(body)),
		requestId: scrubbed(requestId),
		platformMessage: scrubbed(findErrorMessage(body)),
		isHtml: isWebPage(answer) || undefined,
		isBare: body === undefined || undefined,
		hint: isWebPage(answer) ? titleOf(answer.text, scrub) : undefined,
		location: originOf(headers.location, request.url),
	};
	return { response, budget, problem, details };
}

/** A longer error answer is not read: finding its code and message would take long. Characters. */
const MAX_ERROR_LENGTH = 200_000;

/** Parses the text of an answer. Sets `fault` if it is no JSON, or holds too much. */
function parseBody(answer: Answer, scrub: Scrubber): unknown {
	if (answer.fault !== undefined || answer.text.trim() === '') return undefined;
	if (answer.status >= 400 && answer.text.length > MAX_ERROR_LENGTH) return undefined;
	try {
		return JSON.parse(scrub.json(answer.text)) as unknown;
	} catch {
		answer.fault = 'broken';
		return undefined;
	}
}

/** Why an answer is not what was asked for; undefined if it is. */
function problemOf(
	{ status, headers, fault }: Answer,
	body: unknown,
	isWritten: boolean,
): Problem | undefined {
	if (status >= 300 && status < 400 && status !== 304) return 'redirect';
	if (status < 300 && status !== 207 && isErrorBody(body)) return 'error-body';
	const isCalledJson = (headers['content-type'] ?? '').includes('json');
	if (isWritten && (isCalledJson || fault !== 'broken')) return undefined;
	if (fault === 'too-large') return fault;
	if (fault !== undefined && status < 300) return isCalledJson ? 'broken-json' : 'not-json';
	if (status === 429) return 'budget-spent';
	return status < 400 ? undefined : 'refused';
}

/**
 * The record of an answer: `{ data: resource }` (API document, "Conventions") or the bare resource.
 *
 * @returns undefined if the body holds none
 */
function recordInBody(body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	if (isObject(body.data)) return body.data;
	return body.data === null ? undefined : body;
}

/** Whether something other than the API has answered: the API never sends a web page. */
const isWebPage = ({ headers, text }: Answer): boolean =>
	/\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s{0,99}<(!doctype html|html)\b/i.test(text);

/** A title is looked for in so many characters. */
const MAX_HEAD = 10_000;

/** A sentence with the title of a web page, by which people recognise it. */
function titleOf(text: string, scrub: Scrubber): string | undefined {
	const title = /<title>([^<]{1,200})/i.exec(scrub.message(text).slice(0, MAX_HEAD))?.[1].trim();
	return title && `The page is titled “${title.replaceAll(/\s+/g, ' ')}”.`;
}

/** The origin that a redirect points to. */
const originOf = (location: string | undefined, url: string): string | undefined =>
	location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : undefined;
