import type { IDataObject } from 'n8n-workflow';

import { readPage } from '../../../shared/api/answer';
import type { PlatformRequest, PlatformResponse } from '../../../shared/api/request';
import { settled, type PlatformError } from '../../../shared/errors/errors';
import { isConflict } from '../../engine/conflict';
import type { OperationCall } from '../../engine/operation';
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

const chosenFor = ({ item }: OperationCall): unknown =>
	(item.parameter('options', {}) as IDataObject).onConflict;

/** Does what On Conflict says of a quantity. It may be written again, since it says the same however often. */
export async function resolveConflict(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	if (!isConflict(error)) return undefined;
	if (chosenFor(call) === 'overwrite') return await overwrite(call, error);
	return await currentLevel(call, error);
}

/**
 * The same for a difference. Where an answer was lost, the conflict may come of this very write: then it is neither sent
 * again nor said to be left out.
 */
export async function resolveAdjustConflict(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	if (!isConflict(error) || error.details.mayBeApplied === true) return undefined;
	if (chosenFor(call) !== 'overwrite') return await currentLevel(call, error);
	const { method, path, body, headers } = call.request;
	if (headers?.['If-Match'] === undefined) return undefined;
	return recordOrSuccess(await call.send({ method, path, body }, 'without If-Match'));
}

/** A write that was answered with success is done, also where the answer says no more than that. */
const recordOrSuccess = ({ record, status }: PlatformResponse): IDataObject =>
	record ?? { success: true, status };

async function currentLevel(
	call: OperationCall,
	{ details }: PlatformError,
): Promise<IDataObject | undefined> {
	if (chosenFor(call) !== 'returnCurrent' || details.mayBeApplied === true) return undefined;
	const level = await readLevel(call);
	return level && { ...level, writeSkipped: true };
}

async function overwrite(
	call: OperationCall,
	conflict: PlatformError,
): Promise<IDataObject | undefined> {
	let last = conflict;
	for (let attempt = 0; attempt < MAX_OVERWRITES; attempt++) {
		const written = await settled(readLevel(call).then((level) => writeNewer(call, level)));
		if (written.status === 'fulfilled') return recordOrSuccess(written.value);
		const reason: unknown = written.reason;
		if (!isConflict(reason)) throw reason;
		last = reason;
	}
	throw last;
}

/** The step holds the time, so that one Idempotency-Key never stands for two bodies. */
async function writeNewer(
	call: OperationCall,
	current: IDataObject | undefined,
): Promise<PlatformResponse> {
	const { method, path, body } = call.request;
	const updated_at = stampFor(call, Date.parse(String(current?.updated_at)) || 0);
	const request: PlatformRequest = { method, path, body: { ...body, updated_at } };
	return await call.send(request, `overwrite ${updated_at}`);
}

async function readLevel(call: OperationCall): Promise<IDataObject | undefined> {
	const { sku, location_id } = call.request.body as { sku: string; location_id: string };
	const query = { sku, location_id };
	const answer = await call.send({ method: 'GET', path: '/inventory/levels', query }, 'read');
	const page = readPage(answer.body);
	if (typeof page === 'string') return undefined;
	return page.records.find((level) => level.sku === sku && level.location_id === location_id);
}

/** Stamps a write when its turn has come, so that the last one of a level is also the newest. */
export async function stampNow(call: OperationCall): Promise<PlatformRequest> {
	const { request } = call;
	if (request.body?.updated_at !== undefined) return request;
	return { ...request, body: { ...request.body, updated_at: stampFor(call) } };
}

/**
 * A time for a write to a stock level that is later than that of any write before it, since the platform refuses what
 * is not newer than what it has (API document, "Inventory").
 *
 * @param afterMs time that the platform has, Unix ms. It may lie in the future, so it is not kept for later writes.
 * @returns ISO 8601 in UTC
 */
function stampFor(call: OperationCall, afterMs = 0): string {
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
