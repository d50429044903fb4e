import type { IDataObject } from 'n8n-workflow';

import type { BatchCall } from '../engine/batchCall';
import { findCurrent, type RecordSource } from './findCurrent';

/** A write that may be left out where it would change nothing. */
export interface ComparableWrite {
	itemIndex: number;
	/** The record that it is about, by a key of its source. */
	key: string;
	/** Whether the platform's record has all of its values already. */
	isUnchanged(record: IDataObject): boolean;
}

/**
 * Finds the writes that would change nothing. Where a write of a record is needed, the later ones of the same
 * record are needed as well, since the comparison is with the record of before.
 *
 * @returns the platform's record for the item of each such write
 */
export async function findUnchanged(
	call: Pick<BatchCall, 'client' | 'report'>,
	source: RecordSource,
	writes: readonly ComparableWrite[],
): Promise<Map<number, IDataObject>> {
	const byKey = new Map<string, ComparableWrite[]>();
	for (const write of writes) {
		const others = byKey.get(write.key);
		if (others === undefined) byKey.set(write.key, [write]);
		else others.push(write);
	}
	const unchanged = new Map<number, IDataObject>();
	const recordOf = new Map<string, unknown>();
	await findCurrent(call, source, byKey.keys(), (record, keys) => {
		const identity = record.id ?? record;
		const known = keys.map((key) => recordOf.get(key)).filter((one) => one !== undefined);
		const about = keys.flatMap((key) => byKey.get(key) ?? []);
		for (const key of keys) recordOf.set(key, identity);
		if (known.some((one) => one !== identity)) {
			// Two records have one key: which of them the platform would write to is not known.
			for (const { itemIndex } of about) unchanged.delete(itemIndex);
		} else if (known.length === 0) {
			for (const { itemIndex } of leadingUnchanged(about, record)) unchanged.set(itemIndex, record);
		}
	});
	return unchanged;
}

/** The writes of one record, in input order, up to the first that changes it. */
function leadingUnchanged(writes: ComparableWrite[], record: IDataObject): ComparableWrite[] {
	const inOrder = [...writes].sort((a, b) => a.itemIndex - b.itemIndex);
	const firstChange = inOrder.findIndex((write) => !write.isUnchanged(record));
	return firstChange === -1 ? inOrder : inOrder.slice(0, firstChange);
}
