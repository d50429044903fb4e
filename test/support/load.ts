import { setTimeout as wait } from 'node:timers/promises';

import pLimit from 'p-limit';

import { parsed } from '../../platform/support/apiClient';
import { timestampOf } from '../../platform/support/delivery';

/** One request of a sender. Its body is bytes rather than text, so that a test can break it. */
export interface Sending {
	url: string;
	body: string | Uint8Array;
	headers: Record<string, string>;
}

/** The answer. Status 0 = no answer. */
export interface Answer {
	status: number;
	/** The receiver's reason for not executing, if it gave one; without an answer, what happened instead. */
	reason?: string;
	/** Whether the trigger itself answered that it has received the delivery. n8n that is starting answers 200 by itself. */
	received: boolean;
	/** False if it was not received, or the trigger said that it accepted the delivery without executing it. */
	executed: boolean;
	ms: number;
}

/** The result of a load. */
export type LoadResult = Awaited<ReturnType<typeof sendAll>>;

/**
 * Errors of a connection that the server closed while idle: the server cannot know that a request was just being sent.
 */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Sends one request and reads the whole answer; never throws. Sends it again if its connection had been closed. */
export async function sendOne(sending: Sending): Promise<Answer> {
	const first = await attempt(sending);
	return CLOSED.has(first.reason ?? '') ? await attempt(sending) : first;
}

async function attempt({ url, body, headers }: Sending): Promise<Answer> {
	const start = performance.now();
	const bytes = typeof body === 'string' ? body : new Uint8Array(body);
	try {
		const response = await fetch(url, { method: 'POST', headers, body: bytes });
		const text = await response.text();
		const said = (parsed(text) ?? {}) as {
			reason?: string;
			received?: boolean;
			executed?: boolean;
		};
		const received = response.status === 200 && said.received === true;
		const executed = received && said.executed !== false;
		const { status } = response;
		return { status, reason: said.reason, received, executed, ms: performance.now() - start };
	} catch (error) {
		const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
		const reason = cause?.code ?? message;
		const ms = performance.now() - start;
		return { status: 0, reason, received: false, executed: false, ms };
	}
}

/** Hooks for the time while all are sent. */
export interface SendingOptions {
	/** Changes a request just before it is sent. */
	prepare?: (sending: Sending) => Sending;
	/** Called after each answer with the number of answers so far. */
	onAnswer?: (count: number) => void;
}

/** Sends all, this many at a time. @returns the answers in the order of the sendings */
export async function sendAll(
	sendings: Sending[],
	atOnce: number,
	{ prepare = (sending) => sending, onAnswer }: SendingOptions = {},
) {
	const limit = pLimit(atOnce);
	const start = performance.now();
	let answered = 0;
	const one = async (sending: Sending) => {
		const answer = await sendOne(prepare(sending));
		onAnswer?.(++answered);
		return answer;
	};
	const answers = await Promise.all(sendings.map(async (sending) => await limit(one, sending)));
	const ms = performance.now() - start;
	return { answers, ms, perSecond: (sendings.length / ms) * 1000 };
}

/** The sending as the platform sends it: each attempt has its own time. */
export const stamped = (sending: Sending): Sending => ({
	...sending,
	headers: { ...sending.headers, 'x-shop-timestamp': timestampOf(Date.now()) },
});

/** Sends at a steady rate, however long the answers take. @returns the answers in the order of the sendings */
export async function sendSteadily(sendings: Sending[], perSecond: number): Promise<LoadResult> {
	const start = performance.now();
	const answers = await Promise.all(
		sendings.map(async (sending, index) => {
			await wait((index * 1000) / perSecond);
			return await sendOne(sending);
		}),
	);
	const ms = performance.now() - start;
	return { answers, ms, perSecond: (sendings.length / ms) * 1000 };
}
