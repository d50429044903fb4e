import type { IDataObject } from 'n8n-workflow';

import { readPage } from '../../../shared/api/answer';
import type { PlatformRequest, PlatformResponse } from '../../../shared/api/request';
import { settled, type PlatformError } from '../../../shared/errors/errors';
import { isConflict } from '../../run/each';
import type { Call } from '../../run/operation';
import { choice } from '../../fields/build';
import { levelTarget } from './level';

/** Writers that are this busy on one level will not let us win by trying on. */
const MAX_OVERWRITES = 3;

/** Further ahead of the clock, a time is not one that was given to a write a moment ago. */
const MAX_AHEAD_MS = 1_000;

/** Beyond this, times are forgotten that the clock has passed: they cannot come again. */
const MAX_KNOWN = 10_000;

/** The latest time of this clock that a write to a level got, Unix ms. Shared by all executions of this process. */
const latest = new Map<string, number>();

const RETURN_CURRENT = [
	'Return Current Level',
	'Get the level as it is, with one more request, and continue; it carries “writeSkipped”',
] as const;

const STOP = ['Stop', 'Fail with an error'] as const;

const WHEN_CHANGED = 'What to do when the level was changed in the meantime';

/** What to do when the platform has newer data (API document, "Inventory": 409 CONFLICT). */
export const onConflict = choice(
	'On Conflict',
	'onConflict',
	{
		overwrite: [
			'Overwrite',
			'Read the level again and write with a newer time: two more requests a try, three tries at most. If-Match is dropped.',
		],
		returnCurrent: RETURN_CURRENT,
		stop: STOP,
	},
	WHEN_CHANGED,
	{ default: 'stop' },
);

/** The same for a difference, which is added to whatever the level is then. */
export const onAdjustConflict = choice(
	'On Conflict',
	'onConflict',
	{
		overwrite: ['Adjust the Current Level', 'Send the difference again without If-Match'],
		returnCurrent: RETURN_CURRENT,
		stop: STOP,
	},
	WHEN_CHANGED,
	{ default: 'stop' },
);

/** Writes a quantity. Where that is a conflict it may be written again, since it says the same however often. */
export async function setLevel(call: Call): Promise<IDataObject> {
	const { request } = call;
	const stamped = withTime(request, (request.body?.updated_at as string) ?? stampFor(call));
	return await unlessConflict(call, stamped, async (conflict) => await overwrite(call, conflict));
}

/**
 * Writes a difference. Where an answer was lost, a conflict may come of this very write: then the difference is not sent
 * again.
 */
export async function adjustLevel(call: Call): Promise<IDataObject> {
	const { method, path, body, headers } = call.request;
	return await unlessConflict(call, call.request, async (conflict) => {
		if (conflict.details.mayBeApplied === true || headers?.['If-Match'] === undefined)
			throw conflict;
		return recordOrSuccess(await call.send({ method, path, body }, 'without If-Match'));
	});
}

/**
 * Sends a write, and does what On Conflict says. What may have been applied is not said to be left out.
 *
 * @param again sends it anew
 */
async function unlessConflict(
	call: Call,
	request: PlatformRequest,
	again: (conflict: PlatformError) => Promise<IDataObject>,
): Promise<IDataObject> {
	const written = await settled(call.record(request));
	if (written.status === 'fulfilled') return written.value;
	const error: unknown = written.reason;
	const { onConflict: chosen } = call.item.parameter('options', {}) as IDataObject;
	if (!isConflict(error)) throw error;
	if (chosen === 'overwrite') return await again(error);
	if (chosen !== 'returnCurrent' || error.details.mayBeApplied === true) throw error;
	const level = await readLevel(call);
	if (level === undefined) throw error;
	return { ...level, writeSkipped: true };
}

/** A write that was answered with success is done, also where the answer says no more than that. */
const recordOrSuccess = ({ record, status }: PlatformResponse): IDataObject =>
	record ?? { success: true, status };

async function overwrite(call: Call, conflict: PlatformError): Promise<IDataObject> {
	const { method, path, body } = call.request;
	let last = conflict;
	for (let attempt = 0; attempt < MAX_OVERWRITES; attempt++) {
		const current = await readLevel(call);
		const time = stampFor(call, Date.parse(String(current?.updated_at)) || 0);
		// The step holds the time, so that one Idempotency-Key never stands for two bodies.
		const newer = call.send(withTime({ method, path, body }, time), `overwrite ${time}`);
		const written = await settled(newer);
		if (written.status === 'fulfilled') return recordOrSuccess(written.value);
		const reason: unknown = written.reason;
		if (!isConflict(reason)) throw reason;
		last = reason;
	}
	throw last;
}

const withTime = (request: PlatformRequest, updated_at: string): PlatformRequest => ({
	...request,
	body: { ...request.body, updated_at },
});

async function readLevel(call: Call): Promise<IDataObject | undefined> {
	const { sku, location_id } = call.request.body as { sku: string; location_id: string };
	const query = { sku, location_id };
	const answer = await call.send({ method: 'GET', path: '/inventory/levels', query }, 'read');
	const page = readPage(answer.body);
	if (typeof page === 'string') return undefined;
	return page.records.find((level) => level.sku === sku && level.location_id === location_id);
}

/**
 * A time for a write to a stock level that is later than that of any write before it, since the platform refuses what
 * is not newer than what it has (API document, "Inventory").
 *
 * @param afterMs time that the platform has, Unix ms. It may lie in the future, so it is not kept for later writes.
 * @returns ISO 8601 in UTC
 */
function stampFor(call: Call, afterMs = 0): string {
	const { clock, credentialId } = call.client;
	return nextStamp(`${credentialId} ${levelTarget(call)}`, clock.now(), afterMs);
}

/** @param level names it together with the merchant's credential */
export function nextStamp(level: string, nowMs: number, afterMs = 0): string {
	const beforeMs = latest.get(level) ?? 0;
	const stampMs = beforeMs - nowMs > MAX_AHEAD_MS ? nowMs : Math.max(nowMs, beforeMs + 1);
	if (latest.size >= MAX_KNOWN) forgetBefore(nowMs);
	latest.set(level, stampMs);
	return new Date(Math.max(stampMs, afterMs + 1)).toISOString();
}

function forgetBefore(nowMs: number): void {
	for (const [level, stampMs] of latest) if (stampMs < nowMs) latest.delete(level);
}
