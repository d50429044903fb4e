import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/api/request';
import { settled, type PlatformError } from '../../../shared/errors/errors';
import { isConflict } from '../../run/each';
import type { Call } from '../../run/operation';
import { choice } from '../../fields/build';
import { levelTarget, readLevel } from './level';

/** Writers that are this busy on one level will not let us win by trying on. */
const MAX_OVERWRITES = 3;

/** Further ahead of the clock, a time is not one that was given to a write a moment ago. */
const MAX_AHEAD_MS = 1_000;

/** Beyond this, times are forgotten that the clock has passed: they cannot come again. */
const MAX_KNOWN = 10_000;

/** The latest time of this clock that a write to a level got, Unix ms. Shared by all executions of this process. */
const latest = new Map<string, number>();

/**
 * What to do when the platform has newer data (API document, "Inventory": 409 CONFLICT).
 *
 * @param overwrite what the choice to write all the same is called, and what it does
 */
export const onConflict = (overwrite: readonly [name: string, description: string]) =>
	choice(
		'On Conflict',
		'onConflict',
		{
			overwrite,
			returnCurrent: [
				'Return Current Level',
				'Get the level as it is, with one more request, and continue; it carries “writeSkipped”',
			],
			stop: ['Stop', 'Fail with an error'],
		},
		'What to do when the level was changed in the meantime',
		{ default: 'stop' },
	);

/** A write that is sent anew, and the step that makes its Idempotency-Key its own. */
interface Newer {
	request: PlatformRequest;
	step: string;
}

/**
 * Sends a write, and does what On Conflict says. What may have been applied is not said to be left out.
 *
 * @param overwrite the write that is sent anew; none where that would do harm, or no good
 * @throws PlatformError
 */
export async function writeLevel(
	call: Call,
	first: PlatformRequest,
	overwrite: (conflict: PlatformError, written: PlatformRequest) => Promise<Newer | undefined>,
): Promise<IDataObject> {
	const { onConflict: chosen } = call.item.parameter('options', {}) as IDataObject;
	let next: { request: PlatformRequest; step?: string } | undefined = { request: first };
	for (let tries = 0; ; tries++) {
		const { request }: { request: PlatformRequest } = next;
		const written = await settled(call.record(request, next.step));
		if (written.status === 'fulfilled') return written.value;
		const error: unknown = written.reason;
		if (!isConflict(error)) throw error;
		next = undefined;
		if (chosen === 'overwrite' && tries < MAX_OVERWRITES) next = await overwrite(error, request);
		if (next !== undefined) continue;
		if (chosen !== 'returnCurrent' || error.details.mayBeApplied === true) throw error;
		const level = await readLevel(call);
		if (level === undefined) throw error;
		return { ...level, writeSkipped: true };
	}
}

/**
 * A time for a write to a stock level that is later than that of any write before it, since the platform refuses what
 * is not newer than what it has (API document, "Inventory").
 *
 * @param afterMs time that the platform has, Unix ms. It may lie in the future, so it is not kept for later writes.
 * @returns ISO 8601 in UTC
 */
export function stampFor(call: Call, afterMs = 0): string {
	const { clock, credentialId } = call.client;
	return nextStamp(`${credentialId} ${levelTarget(call)}`, clock.now(), afterMs);
}

/** @param level names it together with the merchant's credential */
export function nextStamp(level: string, nowMs: number, afterMs = 0): string {
	const beforeMs = latest.get(level) ?? 0;
	const stampMs = beforeMs - nowMs > MAX_AHEAD_MS ? nowMs : Math.max(nowMs, beforeMs + 1);
	if (latest.size >= MAX_KNOWN)
		for (const [one, knownMs] of latest) if (knownMs < nowMs) latest.delete(one);
	latest.set(level, stampMs);
	return new Date(Math.max(stampMs, afterMs + 1)).toISOString();
}
