import type { IHttpRequestOptions } from 'n8n-workflow';

import type { AttemptLimits, AttemptWatch } from './clock';
import { CREDENTIAL, type PlatformContext } from './request';

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
