import { randomUUID } from 'node:crypto';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { stringifyExactly } from '../exactJson';
import { InputError } from '../input/inputError';
import { findUnsendable } from '../unsendable';
import { checkHeaderValue, checkQueryLength, encodeText, expandPath, REMEDY } from './path';
import type { PlatformRequest, QueryValue, SendOptions } from './request';

/**
 * Finds whatever makes a request impossible to send, without sending it.
 *
 * @throws InputError naming the field
 */
export function checkRequest(request: PlatformRequest): void {
	targetOf(request);
	headersOf(request);
	checkBody(request);
}

function checkBody({ body }: PlatformRequest): void {
	const unsendable = body && findUnsendable(body);
	if (unsendable !== undefined) throw new InputError(unsendable.path, unsendable.problem, REMEDY);
}

function targetOf(request: PlatformRequest): string {
	return `${expandPath(request.path, request.pathParams, request.pathLabels)}${queryString(request.query)}`;
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
	checkBody(request);
	return {
		method: request.method,
		url: `${baseUrl}${targetOf(request)}`,
		headers: headersOf(request),
		// Serialised here once, so that every attempt sends the same bytes.
		body: request.body === undefined ? undefined : stringifyExactly(request.body),
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
