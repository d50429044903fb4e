import { setTimeout as wait } from 'node:timers/promises';

import pLimit from 'p-limit';

import { parsed } from '../../platform/support/apiClient';
import { timestampOf } from '../../platform/support/delivery';

/** One request of a sender: bytes rather than text, so that they can be broken. */
export interface Sending {
	url: string;
	body: string | Uint8Array;
	headers: Record<string, string>;
}

/** What came back. Status 0 = no answer. */
export interface Answer {
	status: number;
	/** The receiver's word for why it did not execute, if it gave one; without an answer, what happened instead. */
	reason?: string;
	/** False if the receiver said that it took the delivery without executing it. */
	executed: boolean;
	ms: number;
}

/** How a load went. */
export type LoadResult = Awaited<ReturnType<typeof sendAll>>;

/** A server that closes an idle connection cannot tell a request that is just setting out on it. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Sends one and reads the answer whole; never throws. Once more over another connection where its own had been
 * closed.
 */
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
		const { reason } = (parsed(text) ?? {}) as { reason?: string };
		const executed = response.status === 200 && !text.includes('"executed":false');
		return { status: response.status, reason, executed, ms: performance.now() - start };
	} catch (error) {
		const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
		const reason = cause?.code ?? message;
		return { status: 0, reason, executed: false, ms: performance.now() - start };
	}
}

/** What else happens while all are sent. */
export interface SendingOptions {
	/** Last touch to one that is about to be sent. */
	prepare?: (sending: Sending) => Sending;
	/** Called after each answer with how many there are. */
	onAnswer?: (count: number) => void;
}

/** Sends all, so many at a time; answers in the order of the sendings. */
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

/** As the platform sends it: each attempt with the time of its own. */
export const stamped = (sending: Sending): Sending => ({
	...sending,
	headers: { ...sending.headers, 'x-shop-timestamp': timestampOf(Date.now()) },
});

/** Sends at a steady rate, whatever the answers take; answers in the order of the sendings. */
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
