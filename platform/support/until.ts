import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Asks again and again until there is an answer, which is neither `undefined` nor `false`.
 *
 * @param pollMs pause between two questions, longer where each costs much
 * @throws Error naming what was waited for when there is none after `timeoutMs`
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
