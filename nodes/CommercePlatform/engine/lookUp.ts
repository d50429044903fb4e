import type { PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { searchedText } from '../../shared/values/readers';
import { recordsNamed, walkedText, type NaturalKey } from './naturalKey';
import type { OperationCall } from './operation';
import { recordPathOf } from './target';

/** Pages of a search at most: what is not among its first 1,000 hits is not found by it. */
const MAX_PAGES = 4;

/** A way to name a record other than by its ID. */
export interface LookUp {
	/** The resource locator's parameter, e.g. `productId`. */
	parameter: string;
	/** The locator's mode, which is also the record's field, e.g. `handle`. */
	mode: string;
	/** The list to look in, e.g. `/products`. */
	path: string;
	/** Whether the list takes `q` and `limit`; if not, it is read as it is. */
	takesQuery: boolean;
	/** The locator's display name, for messages. */
	field: string;
}

/**
 * Puts the ID in the place of what the user named the record by.
 *
 * @returns the request with the ID
 * @throws InputError when there is no such record, or several
 */
export function lookUp(by: LookUp) {
	return async (call: OperationCall): Promise<PlatformRequest> => {
		const wanted = wantedBy(call, by);
		if (wanted === undefined) return call.request;
		return await withOneId(call, by, wanted, await findIds(call, by, wanted));
	};
}

/** A way to name a record by what people call it, found as {@link recordsNamed} finds it. */
export interface KeyLookUp extends Pick<LookUp, 'parameter' | 'mode' | 'field'> {
	key: NaturalKey;
}

/** The same for what people call a record, e.g. its number. */
export function lookUpKey(by: KeyLookUp) {
	return async (call: OperationCall): Promise<PlatformRequest> => {
		const wanted = wantedBy(call, by);
		if (wanted === undefined) return call.request;
		const found = await recordsNamed(call, by.key, wanted);
		const ids = found.records.map(({ id }) => String(id));
		return await withOneId(call, by, wanted, ids, walkedText(found, by.key));
	};
}

/** What the user named the record by; undefined where that is its ID already. */
function wantedBy(
	{ request, item }: OperationCall,
	by: Pick<LookUp, 'parameter' | 'mode' | 'field'>,
) {
	if (item.locatorMode(by.parameter) !== by.mode) return undefined;
	return searchedText(by.field, String(request.pathParams?.[by.parameter] ?? '').trim());
}

async function withOneId(
	{ request, lock }: OperationCall,
	by: Pick<LookUp, 'parameter' | 'mode' | 'field'>,
	wanted: string,
	ids: string[],
	searched = '',
): Promise<PlatformRequest> {
	if (ids.length === 1) {
		const found = { ...request, pathParams: { ...request.pathParams, [by.parameter]: ids[0] } };
		// Two names may have led to one record.
		await lock(recordPathOf(found) ?? found.path);
		return found;
	}
	const problem = ids.length === 0 ? 'was not found' : `names ${ids.length} records`;
	const remedy = `${ids.length === 0 ? searched : ''} Use its ID.`.trim();
	throw new InputError(by.field, `with the ${by.mode} “${wanted}” ${problem}`, remedy);
}

async function findIds({ client }: OperationCall, by: LookUp, wanted: string): Promise<string[]> {
	const { path, mode, takesQuery } = by;
	const query = takesQuery ? { q: wanted } : undefined;
	const ids: string[] = [];
	const records = client.records(
		{ method: 'GET', path, query },
		{ maxPages: MAX_PAGES, takesQuery },
	);
	for await (const record of records) {
		if (record[mode] === wanted && typeof record.id === 'string') ids.push(record.id);
	}
	return ids;
}
