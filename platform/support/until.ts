import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Asks until there is an answer other than `undefined` and `false`.
 *
 * @param pollMs pause between two questions; longer if a question is expensive
 * @throws Error that names `what`, if there is no answer after `timeoutMs`
 */
export async function until<T>(
	what: string,
	timeoutMs: number,
	ask: () => Promise<T | undefined | false>,
	pollMs = POLL_MS,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`);
		await wait(pollMs);
	}
}
