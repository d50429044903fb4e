import type { Watchdog } from './watchdog';

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
	on(event: 'end' | 'close', listener: () => void): unknown;
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
	watchdog: Watchdog,
): Promise<string> {
	if (body === undefined || body === null) return '';
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	return isByteStream(body) ? await collect(body, limits, watchdog) : JSON.stringify(body);
}

async function collect(
	stream: ByteStream,
	limits: { maxBytes: number; timeoutMs: number },
	watchdog: Watchdog,
): Promise<string> {
	return await new Promise<string>((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let size = 0;
		const fail = (error: Error) => {
			finished();
			stream.destroy();
			reject(error);
		};
		const finished = watchdog.watch(limits.timeoutMs, () =>
			fail(new AnswerStalledError('The answer stopped half way')),
		);
		stream.on('data', (chunk) => {
			size += chunk.length;
			chunks.push(chunk);
			if (size > limits.maxBytes) {
				chunks.length = 0;
				fail(new AnswerTooLargeError(`The answer is larger than ${limits.maxBytes} bytes`));
			}
		});
		stream.on('end', () => {
			finished();
			resolve(
				(chunks.length === 1
					? Buffer.from(chunks[0].buffer, chunks[0].byteOffset, size)
					: Buffer.concat(chunks, size)
				).toString('utf8'),
			);
		});
		stream.on('error', fail);
		stream.on('close', () => fail(new Error('The connection ended before the answer did')));
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
