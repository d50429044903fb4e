import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import { isKindOf409 } from '../../shared/rest/errorBody';
import { InputError, PlatformError } from '../../shared/rest/errors';
import type { PlatformRequest, PlatformResponse } from '../../shared/rest/request';
import { describe } from '../../shared/values/readers';

/** They are few beside the records of a walk. */
const readAlone = new WeakSet<IDataObject>();

/** Notes that a record was read alone. */
export const noteReadAlone = (record: IDataObject): void => void readAlone.add(record);

/**
 * Whether a record was read alone: by a search, which may be late, or by its ID. Before a write it is read once more, with
 * its ETag.
 */
export const isReadAlone = (record: IDataObject): boolean => readAlone.has(record);

/** Whether something was read no longer ago than a write may wait after a reading of its own. */
export const isJustRead = ({ clock, options }: PlatformClient, readMs: number): boolean =>
	clock.monotonic() - readMs < options.maxWaitMs;

/**
 * Reads a record that is about to be written, or is given instead of a write. The answer must hold the record that was
 * asked for.
 *
 * @param label display name
 * @param request GET of the record by its ID
 * @throws InputError if the answer holds another record, or none
 */
export async function readRecord(
	send: (request: PlatformRequest) => Promise<PlatformResponse>,
	label: string,
	request: PlatformRequest,
): Promise<PlatformResponse & { record: IDataObject }> {
	const answer = await send(request);
	const { record } = answer;
	const wanted = Object.values(request.pathParams ?? {})[0].trim();
	const id = typeof record?.id === 'number' ? String(record.id) : record?.id;
	if (record !== undefined && id === wanted) {
		noteReadAlone(record);
		return { ...answer, record };
	}
	throw new InputError(
		label,
		`“${wanted}” is not the record that the platform answered`,
		`Nothing was written after that. The answer holds ${describe(id)} as its ID.`,
	);
}

/**
 * Whether a write was refused because the record has changed in the meantime (API document, "Inventory": 409 CONFLICT;
 * HTTP has 412 for If-Match). Nothing was written then.
 */
export function isConflict(error: unknown): error is PlatformError {
	if (!(error instanceof PlatformError)) return false;
	return error.details.status === 412 || isKindOf409('CONFLICT', error.details);
}

/** How often a record is written at most. If others change it so often, further writes would not help. */
const MAX_WRITES = 4;

/** A tag that If-Match may carry: weak ones never match there (RFC 9110, 13.1.1). */
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;

/**
 * Reads a record, makes a write from it, and sends it: where the platform gave an ETag, for that version only. If the
 * platform reports a conflict, it has written nothing then: the record is read and written again.
 *
 * @param write sends the write; of a further attempt, `step` gives it a key of its own (see `Call.send`)
 * @param shown the record, if it need not be read for the first attempt
 * @param countsTwice whether a write that is done twice counts twice: after a lost answer it is not sent again
 * @returns the record as it was before, and the answer
 */
export async function rewrite<Answer extends object>(
	read: () => Promise<PlatformResponse & { record: IDataObject }>,
	requestFor: (record: IDataObject) => PlatformRequest,
	write: (request: PlatformRequest, step?: string) => Promise<Answer>,
	{ shown, countsTwice }: { shown?: IDataObject; countsTwice?: true } = {},
): Promise<{ before: IDataObject; answer: Answer }> {
	for (let attempt = 1; ; attempt++) {
		const answered = attempt > 1 || shown === undefined ? await read() : undefined;
		const before = answered?.record ?? (shown as IDataObject);
		const request = requestFor(before);
		const { etag = '' } = answered?.headers ?? {};
		if (STRONG_TAG.test(etag)) request.headers = { ...request.headers, 'If-Match': etag };
		const step = attempt === 1 ? undefined : `write ${attempt}`;
		const answer = await write(request, step).catch((error: unknown) => {
			const isOver = attempt === MAX_WRITES || !isConflict(error);
			if (isOver || (countsTwice && error.details.mayBeApplied)) throw error;
			return undefined;
		});
		if (answer !== undefined) return { before, answer };
	}
}
