import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { readPage } from '../../../shared/api/answer';
import { type PlatformError, settled } from '../../../shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../../shared/api/request';
import { isConflict } from '../../engine/conflict';
import type { OperationCall } from '../../engine/operation';

import { levelTarget } from './level';
import { nextStamp } from './stamps';

/** Writers that are this busy on one level will not let us win by trying on. */
const MAX_OVERWRITES = 3;

/** What to do when the platform has newer data (API document, "Inventory": 409 CONFLICT). */
export const onConflict: INodeProperties = {
	displayName: 'On Conflict',
	name: 'onConflict',
	type: 'options',
	options: [
		{
			name: 'Overwrite',
			value: 'overwrite',
			description:
				'Read the level again and write with a newer time: two more requests a try, three tries at most. If-Match is dropped.',
		},
		{
			name: 'Return Current Level',
			value: 'returnCurrent',
			description:
				'Get the level as it is, with one more request, and continue; it carries “writeSkipped”',
		},
		{ name: 'Stop', value: 'stop', description: 'Fail with an error' },
	],
	default: 'stop',
	description: 'What to do when the level was changed in the meantime',
};

/** The same for a difference, which is added to whatever the level is then. */
export const onAdjustConflict: INodeProperties = {
	...onConflict,
	options: [
		{
			name: 'Adjust the Current Level',
			value: 'overwrite',
			description: 'Send the difference again without If-Match',
		},
		...((onConflict.options ?? []) as INodePropertyOptions[]).slice(1),
	],
};

/** Does what On Conflict says. */
export async function resolveConflict(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	if (!isConflict(error)) return undefined;
	const { onConflict: choice } = call.item.parameter('options', {}) as IDataObject;
	if (choice === 'overwrite') return await overwrite(call, error);
	return choice === 'returnCurrent' ? await currentLevel(call) : undefined;
}

/** The same for a difference. */
export async function resolveAdjustConflict(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	if (!isConflict(error)) return undefined;
	const { onConflict: choice } = call.item.parameter('options', {}) as IDataObject;
	if (choice === 'returnCurrent') return await currentLevel(call);
	if (choice !== 'overwrite' || call.request.headers?.['If-Match'] === undefined) return undefined;
	const { method, path, body } = call.request;
	return recordOrSuccess(await call.send({ method, path, body }, 'without If-Match'));
}

/** A write that was answered with success is done, also where the answer says no more than that. */
const recordOrSuccess = ({ record, status }: PlatformResponse): IDataObject =>
	record ?? { success: true, status };

async function currentLevel(call: OperationCall): Promise<IDataObject | undefined> {
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
	const currentMs = Date.parse(String(current?.updated_at));
	const newestMs = Math.max(call.client.clock.now(), currentMs + 1 || 0);
	const updated_at = nextStamp(`${call.client.host} ${levelTarget(call)}`, newestMs);
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
