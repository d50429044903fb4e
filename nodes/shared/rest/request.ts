import { randomUUID } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import { InputError, type PlatformError, type Problem, type ProblemDetails } from './errors';
import { findUnsendable } from '../values/json';
import type { Budget } from './limiter';

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

/** An answer of the platform that was read whole. */
export interface PlatformResponse {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	/** The parsed JSON body; undefined if the answer has none (204, 304). */
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
	/** The answer; undefined if none came, or it was cut off or too late. */
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
	getNode(): INode;
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
export function targetAndHeadersOf(request: PlatformRequest): {
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
	const { target, headers } = targetAndHeadersOf(request);
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
 * @param maxLength characters
 * @throws InputError unless it is 1..maxLength printable ASCII characters
 */
export function checkHeaderValue(field: string, value: unknown, maxLength = 255): string {
	if (typeof value !== 'string' || value.trim() === '') throw unsafe(field, 'is empty');
	if (value.length > maxLength) throw unsafe(field, `is longer than ${maxLength} characters`);
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
