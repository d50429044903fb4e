import { randomUUID } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { withCancelSignal } from '../n8n';
import { findUnsendable, isObject } from '../values/json';
import type { Clock } from './clock';
import type { Scrubber } from './credential';
import { findErrorCode, findErrorMessage, findRequestId, isErrorBody } from './errorBody';
import { InputError, type PlatformError, type Problem, type ProblemDetails } from './errors';
import { type Budget, readBudget } from './limiter';
import { unanswered } from './network';

/** Name of the credential that every node of this package uses. */
export const CREDENTIAL = 'commercePlatformApi';

export type PlatformMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type QueryValue = string | number | boolean | undefined;

/** One request to the platform, as callers describe it: without the base URL and the API key. */
export interface PlatformRequest {
	method: PlatformMethod;
	/** Path template relative to the base URL, e.g. `/orders/{orderId}`. */
	path: string;
	/** Values for the placeholders in the path. They are encoded, so they cannot change the path. */
	pathParams?: Record<string, string>;
	/** What users call the placeholders, for messages, e.g. `Order`. */
	pathLabels?: Record<string, string>;
	query?: Record<string, QueryValue>;
	body?: IDataObject;
	/** All attempts of the request carry it. A write without one gets a random key. */
	idempotencyKey?: string;
	/** Further headers, e.g. `If-Match`. They are checked before sending. */
	headers?: Record<string, string>;
}

/** An answer of the platform. */
export interface PlatformResponse {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	/** The parsed JSON body; undefined if the answer has none (204, 304), or it got lost after a write that was done. */
	body: unknown;
	/** The record in the body: `{ data }` is unwrapped, a bare record taken as it is. */
	record?: IDataObject;
	/** An earlier attempt of this write may have been applied, although its answer did not say so. */
	earlierMayBeApplied?: true;
	requestId?: string;
	/** The platform's clock when it answered (Date header), Unix ms, whole seconds. */
	serverTimeMs?: number;
}

/** How one attempt ended. */
export interface Outcome {
	/** The answer; undefined if none came in time, or that of a read was cut off. */
	response?: PlatformResponse;
	/** What the answer told of the key's budget. */
	budget: Budget;
	/** Why the attempt failed; undefined if it succeeded. */
	problem?: Problem;
	/** Details of the problem. */
	details: ProblemDetails;
}

/** What the client is told of the API that it talks to: what its document says, as functions. */
export interface Service {
	/**
	 * Whether an answer with a success status says that its write was not done.
	 *
	 * @param path of the request
	 */
	saysNotDone(body: unknown, path: string): boolean;
	/** What identifies a record in its list; undefined if nothing does. */
	identityOf(record: IDataObject): string | undefined;
	/** Whether a list is not named among those that take `limit`. */
	mayLackLimit(path: string): boolean;
	/** What messages about a failed request say of it. */
	about(request: PlatformRequest): Pick<PlatformError['request'], 'scope' | 'record'>;
	/** Whether a parameter of this name holds the name of a record. */
	isKey(parameter: string): boolean;
	/** Whether an object at this path of a body, e.g. `lines[0].total`, must have an amount and a currency. */
	mustBeMoney(path: string): boolean;
}

/** How a client sends its requests. Times in ms. */
export interface SendOptions {
	/** How many requests of this client may be in flight at once, 1..10. */
	maxInFlight: number;
	/** How many attempts a request has at most, the first included. */
	maxAttempts: number;
	/** The longest sum of waits between the attempts of one request. 0 means one attempt only. */
	maxWaitMs: number;
	/** An attempt fails if no answer begins in this time, or if it takes twice as long in all. */
	timeoutMs: number;
	/**
	 * All requests of the client together end within this time, for a person who waits. By default there is no bound.
	 */
	totalMs?: number;
	/** If less than this share of the day's budget is left, nothing more is sent. 0 switches it off. */
	keepDailyBudgetPercent: number;
	/** If less than this share of the minute's budget is left, requests wait for the next minute. 0 switches it off. */
	keepMinuteBudgetPercent: number;
	/**
	 * Whether a write (POST, PUT, PATCH, DELETE) is repeated after a failed attempt.
	 * `automatic`: like a read, always under the same Idempotency-Key.
	 * `whenSurelyNotApplied`: only after a 429, or if no connection came about.
	 * `never`.
	 */
	retryWrites: 'automatic' | 'whenSurelyNotApplied' | 'never';
	skipSslCertificateValidation?: boolean;
	proxy?: NonNullable<IHttpRequestOptions['proxy']>;
}

/** The part of n8n's contexts (execute, single, hook, load options, webhook, poll) that sending needs. */
export interface PlatformContext {
	getCredentials<T extends object = IDataObject>(type: string): Promise<T>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
	helpers: {
		httpRequestWithAuthentication(
			this: unknown,
			credentialsType: string,
			options: IHttpRequestOptions,
		): Promise<unknown>;
	};
}

/**
 * Checks that a request can be sent. Sends nothing.
 *
 * @returns its path with the query, and its headers
 * @throws InputError that names the field
 */
export function checkSendable(request: PlatformRequest): {
	target: string;
	headers: IDataObject;
} {
	const { method, path, pathParams, pathLabels, query, body } = request;
	const unsendable = body && findUnsendable(body);
	if (unsendable !== undefined)
		throw new InputError(unsendable.path, unsendable.problem, CHECK_VALUE);
	const target = `${expandPath(path, pathParams, pathLabels)}${queryString(query)}`;
	const headers: IDataObject = { Accept: 'application/json' };
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	for (const [name, value] of Object.entries(request.headers ?? {}))
		headers[name] = checkHeaderValue(name, value);
	if (method === 'GET') return { target, headers };
	const { idempotencyKey = randomUUID() } = request;
	headers['Idempotency-Key'] = checkHeaderValue('Idempotency-Key', idempotencyKey);
	return { target, headers };
}

/**
 * Brings a request into the form that n8n's helper takes.
 *
 * @param baseUrl ends in `/v1`, without a trailing slash
 * @throws InputError that names the field
 */
export function httpOptions(
	baseUrl: string,
	request: PlatformRequest,
	options: SendOptions,
): IHttpRequestOptions {
	const { target, headers } = checkSendable(request);
	return {
		method: request.method,
		url: `${baseUrl}${target}`,
		headers,
		// Serialised once, so that every attempt sends the same bytes.
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		// As a stream, so that reading stops if the answer is too long.
		encoding: 'stream',
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
	const text = pairs.join('&');
	checkQueryLength('Query', text);
	return text === '' ? '' : `?${text}`;
}

/** What to do about a value that cannot be sent. */
const CHECK_VALUE = 'Nothing was sent. Check the value, or the expression that makes it.';

/** Far more than any ID of the platform has, far less than proxies refuse. Characters. */
const MAX_SEGMENT_LENGTH = 512;

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Fills a path template. Each value becomes exactly one path segment, whatever it contains: it cannot add segments,
 * climb up, start a query or end the path.
 *
 * @param template e.g. `/orders/{orderId}/cancel`
 * @param values one for each placeholder
 * @param labels what users call the placeholders, for messages
 * @throws InputError if a value is missing, empty, too long, a dot segment or no valid Unicode, or contains control
 *   characters
 */
export function expandPath(
	template: string,
	values: Record<string, unknown> = {},
	labels: Record<string, string> = {},
): string {
	return template.replace(PLACEHOLDER, (_, field: string) =>
		encodeSegment(labels[field] ?? field, values[field]),
	);
}

/** The names of a template's placeholders, in order. */
export function placeholders(template: string): string[] {
	return [...template.matchAll(PLACEHOLDER)].map(([, field]) => field);
}

function encodeSegment(field: string, value: unknown): string {
	if (Number.isFinite(value)) return encodeSegment(field, String(value));
	if (typeof value !== 'string') throw unsafe(field, 'must be text, e.g. an id');
	const id = value.trim();
	if (id === '') throw unsafe(field, 'is empty');
	if (id.length > MAX_SEGMENT_LENGTH) {
		throw unsafe(field, `is longer than ${MAX_SEGMENT_LENGTH} characters, so it cannot be an id`);
	}
	// URL parsers resolve these even when percent-encoded, so no encoding makes them safe.
	if (id === '.' || id === '..') throw unsafe(field, 'is not an id');
	if (/\p{Cc}/u.test(id)) throw unsafe(field, 'contains control characters');
	return encodeText(field, id);
}

/**
 * Percent-encodes a text for a path segment or a query value.
 *
 * @throws InputError if the text holds half a surrogate pair, which has no encoding
 */
export function encodeText(field: string, text: string): string {
	if (!text.isWellFormed()) throw unsafe(field, 'is not valid Unicode text');
	return encodeURIComponent(text);
}

/**
 * Servers refuse a request if its first line and headers take more than 16 KiB, or do not answer at all. Characters,
 * percent-encoded.
 */
const MAX_QUERY_LENGTH = 15_000;

/**
 * Checks that a query, or a part of one, is not too long for servers.
 *
 * @param field name for the message
 * @param encoded percent-encoded
 * @throws InputError
 */
export function checkQueryLength(field: string, encoded: string): void {
	if (encoded.length <= MAX_QUERY_LENGTH) return;
	throw unsafe(field, `is too long for a web address, which holds ${MAX_QUERY_LENGTH} characters`);
}

/**
 * Checks a value that goes into a request header.
 *
 * @param field name for the message
 * @throws InputError unless it is 1 to 255 printable ASCII characters
 */
export function checkHeaderValue(field: string, value: unknown): string {
	if (typeof value !== 'string' || value.trim() === '') throw unsafe(field, 'is empty');
	if (value.length > 255) throw unsafe(field, 'is longer than 255 characters');
	if (!/^[\x20-\x7e]+$/.test(value)) {
		throw unsafe(field, 'may hold printable ASCII characters only');
	}
	return value;
}

function unsafe(field: string, problem: string): InputError {
	return new InputError(field, problem, CHECK_VALUE);
}

/**
 * The path of the record that a request is about, e.g. `/orders/ord_1` for `/orders/ord_1/cancel`.
 *
 * @returns undefined if it is about no particular record, like a create
 */
export function recordPathOf({ path, pathParams }: PlatformRequest): string | undefined {
	const end = path.indexOf('}') + 1;
	return end === 0 ? undefined : expandPath(path.slice(0, end), pathParams);
}

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
		const { httpRequestWithAuthentication } = this.context.helpers;
		const response = (await httpRequestWithAuthentication.call(
			helperContext,
			CREDENTIAL,
			request,
		)) as {
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
		return scrub.parse(answer.text);
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

/** The schemes that n8n supports for a proxy, with their ports. n8n silently ignores a proxy with any other scheme. */
const DEFAULT_PORTS: Partial<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Reads the proxy of n8n's Request Options. A proxy that cannot be used is an error: without it the request, and the
 * API key, would go out directly.
 *
 * @param entered e.g. `http://name:password@proxy.example:3128`; name and password in percent-encoding
 * @throws InputError; it does not quote the address, which may hold a password
 */
export function proxyOf(entered: unknown): SendOptions['proxy'] {
	const url = typeof entered === 'string' && URL.canParse(entered) ? new URL(entered) : undefined;
	const defaultPort = DEFAULT_PORTS[url?.protocol ?? ''];
	const username = decoded(url?.username);
	const password = decoded(url?.password);
	if (!url || !defaultPort || username === undefined || password === undefined)
		throw new InputError(
			'Proxy',
			'must be a web address that starts with http:// or https://',
			'Enter it like http://name:password@proxy.example:3128, with %25 for a percent sign. Nothing was sent.',
		);
	return {
		host: url.hostname,
		port: Number(url.port || defaultPort),
		protocol: url.protocol.replace(':', ''),
		...(username === '' ? {} : { auth: { username, password } }),
	};
}

/**
 * Decodes the user name or password of a proxy's address. n8n puts it into an address again and escapes everything but
 * %, so % stays escaped.
 *
 * @returns undefined if a % in it begins no valid escape
 */
function decoded(part = ''): string | undefined {
	try {
		return decodeURIComponent(part).replaceAll('%', '%25');
	} catch {
		return undefined;
	}
}
