import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { findErrorCode, findErrorMessage, findRequestId, isErrorBody } from './errorBody';
import type { Problem, ProblemDetails } from './errors';
import { isObject } from '../values/json';
import type { Scrubber } from './credential';
import { readBudget } from './rateLimit';
import type { Outcome, PlatformResponse, Service } from './request';
import { unanswered } from './network';

/** An answer as it arrived. */
export interface Answer {
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
	const record = recordOf(body);
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
function recordOf(body: unknown): IDataObject | undefined {
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
	const title = /<title>([^<]{1,200})/i.exec(text.slice(0, MAX_HEAD))?.[1].trim();
	return title && `The page is titled “${scrub.message(title.replaceAll(/\s+/g, ' '))}”.`;
}

/** The origin that a redirect points to. */
const originOf = (location: string | undefined, url: string): string | undefined =>
	location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : undefined;
