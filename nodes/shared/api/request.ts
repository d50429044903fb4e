import { randomUUID } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import { InputError, type Problem, type ProblemDetails } from '../errors/errors';
import { findUnsendable } from '../values/json';
import type { Budget } from './rateLimit';

/** Name of the credential that every node of this package uses. */
export const CREDENTIAL = 'commercePlatformApi';

export type PlatformMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type QueryValue = string | number | boolean | undefined;

/** One call of the platform, before it has an address: what a caller says. */
export interface PlatformRequest {
	method: PlatformMethod;
	/** Path template relative to the base URL, e.g. `/orders/{orderId}`. */
	path: string;
	/** Values for the template's placeholders; encoded, so they can never change the path. */
	pathParams?: Record<string, string>;
	/** The placeholders' names as the user sees them, for messages, e.g. `Order`. */
	pathLabels?: Record<string, string>;
	query?: Record<string, QueryValue>;
	body?: IDataObject;
	/** Stays the same over all retries of this request. Writes without one get a random key. */
	idempotencyKey?: string;
	/** Further headers, e.g. `If-Match`. Checked before sending. */
	headers?: Record<string, string>;
	/** When the record was read that this write is built on, monotonic ms. After a wait it is not sent: `StaleReading`. */
	readAtMs?: number;
	/** Parts of the answer are to be sent back, so it is to say which of its numbers would change on the way. */
	willBeSentBack?: true;
}

/** An answer that the platform gave and that was read whole. */
export interface PlatformResponse {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	/** The parsed JSON body; undefined if the answer has none (204, 304). */
	body: unknown;
	/** The record in the body: `{ data }` is unwrapped, a bare record taken as it is. */
	record?: IDataObject;
	/** Numbers of an answer `willBeSentBack` that a JavaScript number does not hold exactly, as the platform wrote them. */
	inexact?: readonly string[];
	/** A write that was answered with success, although the rest of the answer could not be read. */
	incomplete?: true;
	/** An earlier attempt of this write may have been applied, although no answer said so. */
	earlierMayBeApplied?: true;
	requestId?: string;
	/** The platform's clock when it answered (Date header), Unix ms, whole seconds. */
	serverTimeMs?: number;
}

/** How one attempt ended. */
export interface Outcome {
	/** The answer; undefined if none came, it was cut off, or it was not in time. */
	response?: PlatformResponse;
	/** What the answer told of the key's budget. */
	budget: Budget;
	/** Why it did not do what was asked for; undefined if it did. */
	problem?: Problem;
	/** Of the problem. */
	details: ProblemDetails;
}

/** How the requests of one node are sent. Times in ms. */
export interface SendOptions {
	/** Requests of this client in flight at most, 1..10. */
	maxInFlight: number;
	/** Attempts of one request at most, the first included. */
	maxAttempts: number;
	/** Sum of the waits between the attempts of one request at most; 0 means one attempt only. */
	maxWaitMs: number;
	/** An attempt fails when nothing comes for this time. */
	timeoutMs: number;
	/** An attempt fails when it takes longer in all; twice `timeoutMs` where it is undefined. */
	deadlineMs?: number;
	/** All requests of the client together end within this time, for a person who waits; no bound where it is undefined. */
	totalMs?: number;
	/** Stop when less than this share of the day's budget is left; 0 switches it off. */
	keepDailyBudgetPercent: number;
	/** Wait for the next minute when less than this share of the minute's budget is left; 0 switches it off. */
	keepMinuteBudgetPercent: number;
	/**
	 * Whether a write (POST, PUT, PATCH, DELETE) is repeated after a failed attempt:
	 * `automatic` like a read, always under the same Idempotency-Key;
	 * `whenSurelyNotApplied` only after a 429 or where no connection came about;
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
 * Finds whatever makes a request impossible to send, without sending it.
 *
 * @returns its path with the query, and its headers
 * @throws InputError naming the field
 */
export function checkRequest(request: PlatformRequest): { target: string; headers: IDataObject } {
	const { method, path, pathParams, pathLabels, query, body } = request;
	const unsendable = body && findUnsendable(body);
	if (unsendable !== undefined) throw new InputError(unsendable.path, unsendable.problem, REMEDY);
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
 * A request in the form that n8n's helper takes.
 *
 * @param baseUrl ends in `/v1`, without a trailing slash
 * @throws InputError naming the field
 */
export function httpOptions(
	baseUrl: string,
	request: PlatformRequest,
	options: SendOptions,
): IHttpRequestOptions {
	const { target, headers } = checkRequest(request);
	return {
		method: request.method,
		url: `${baseUrl}${target}`,
		headers,
		// Serialised here once, so that every attempt sends the same bytes.
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		// As a stream, so that the answer's length can be bounded while it comes.
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
const REMEDY = 'Nothing was sent. Check the value, or the expression that makes it.';

/** Far above any id that the platform gives out, far below what proxies refuse. Characters. */
const MAX_SEGMENT_LENGTH = 512;

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Fills a path template. Each value becomes exactly one path segment, whatever it contains: it
 * cannot add segments, climb up, start a query or end the path.
 *
 * @param template e.g. `/orders/{orderId}/cancel`
 * @param values one for each placeholder
 * @param labels the placeholders' names as the user sees them, for messages
 * @throws InputError for a value that is missing, empty, too long, a dot segment, contains control
 *   characters, or is no valid Unicode
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
 * @throws InputError for half a surrogate pair, which has no encoding
 */
export function encodeText(field: string, text: string): string {
	if (!text.isWellFormed()) throw unsafe(field, 'is not valid Unicode text');
	return encodeURIComponent(text);
}

/**
 * Servers refuse a request whose first line and headers take more than 16 KiB, or give no answer at all.
 * Characters, percent-encoded.
 */
const MAX_QUERY_LENGTH = 15_000;

/**
 * Checks that a query can be sent, or one of its parts.
 *
 * @param field name for the message
 * @param encoded percent-encoded
 * @throws InputError for what no server takes
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
	return new InputError(field, problem, REMEDY);
}
