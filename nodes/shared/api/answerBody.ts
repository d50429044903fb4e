import { pause, type Clock } from './clock';

/** No answer of this API comes near it: a page of 250 records is well under 2 MB. Bytes. */
export const MAX_ANSWER_BYTES = 50 * 1024 * 1024;

/** The answer is larger than anything the API can mean. */
export class AnswerTooLargeError extends Error {
	override readonly name = 'AnswerTooLargeError';
}

/** The answer stopped half way for too long. */
export class AnswerStalledError extends Error {
	override readonly name = 'AnswerStalledError';
}

/** What n8n's request helper hands out for `encoding: 'stream'`, as far as it is used. */
interface ByteStream {
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'close' | 'aborted', listener: () => void): unknown;
	on(event: 'error', listener: (error: Error) => void): unknown;
	destroy(): unknown;
}

/**
 * Reads an answer's bytes to the end, within bounds of size and time.
 *
 * @param body a stream; text and bytes are taken as they are
 * @param limits bytes at most, and ms at most until the end
 * @returns the text, UTF-8
 * @throws AnswerTooLargeError, AnswerStalledError, or the connection's own error
 */
export async function readText(
	body: unknown,
	limits: { maxBytes: number; timeoutMs: number },
	clock: Clock,
): Promise<string> {
	if (body === undefined || body === null) return '';
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	if (!isByteStream(body)) return JSON.stringify(body);
	const finished = new AbortController();
	const stalled = pause(clock, limits.timeoutMs, finished.signal).then(
		() => {
			body.destroy();
			throw new AnswerStalledError('The answer stopped half way');
		},
		() => '',
	);
	try {
		return await Promise.race([collect(body, limits.maxBytes), stalled]);
	} finally {
		finished.abort();
	}
}

async function collect(stream: ByteStream, maxBytes: number): Promise<string> {
	return await new Promise<string>((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		stream.on('data', (chunk) => {
			size += chunk.length;
			if (size > maxBytes) {
				stream.destroy();
				reject(new AnswerTooLargeError(`The answer is larger than ${maxBytes} bytes`));
				return;
			}
			chunks.push(chunk);
		});
		stream.on('end', () => resolve(Buffer.concat(chunks, size).toString('utf8')));
		stream.on('error', reject);
		const brokenOff = () => reject(new Error('The connection ended before the answer did'));
		stream.on('aborted', brokenOff);
		stream.on('close', brokenOff);
	});
}

function isByteStream(body: unknown): body is ByteStream {
	return (
		typeof body === 'object' &&
		body !== null &&
		'on' in body &&
		typeof body.on === 'function' &&
		'destroy' in body &&
		typeof body.destroy === 'function'
	);
}
