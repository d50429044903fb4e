import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/values/json';
import type { ResultEntry } from './resultTypes';

/** Where results may be. The document says "per-item results" and shows no body. */
const LISTS = ['data', 'results', 'items', 'operations', 'responses'] as const;
const DONE_LISTS = ['succeeded', 'successes', 'successful', 'created', 'updated'] as const;
const FAILED_LISTS = ['errors', 'failed', 'failures'] as const;

/** How deep results may be: `{ data: { results: [] } }`. */
const MAX_DEPTH = 3;

export interface FoundResults {
	entries: ResultEntry[];
	/** True where the entries are one whole list, in which the place of an entry can tell its operation. */
	isOneList: boolean;
}

/**
 * Finds the results in the answer to a batch.
 *
 * @param body as parsed; undefined where the answer had none
 * @param isSku whether a text is the SKU of an operation that was sent, for answers that are keyed by SKU
 */
export function findResults(body: unknown, isSku: (text: string) => boolean): FoundResults {
	return find(body, isSku, MAX_DEPTH) ?? { entries: [], isOneList: false };
}

function find(
	body: unknown,
	isSku: (text: string) => boolean,
	depth: number,
): FoundResults | undefined {
	if (Array.isArray(body)) return { entries: entriesOf(body), isOneList: true };
	if (!isObject(body) || depth === 0) return undefined;
	const keys = Object.keys(body);
	if (keys.length > 0 && keys.every((key) => isSku(key) && isObject(body[key]))) {
		const entries = keys.map((sku) => ({ value: { sku, ...(body[sku] as IDataObject) } }));
		return { entries, isOneList: false };
	}
	const sorted = [...listsIn(body, DONE_LISTS, 'done'), ...listsIn(body, FAILED_LISTS, 'failed')];
	const inner = LISTS.map((name) => find(body[name], isSku, depth - 1)).find((found) => found);
	if (sorted.length === 0) return inner;
	return { entries: [...(inner?.entries ?? []), ...sorted], isOneList: false };
}

function listsIn(
	body: IDataObject,
	names: readonly string[],
	listSays: ResultEntry['listSays'],
): ResultEntry[] {
	return names.flatMap((name) => {
		const list: unknown = body[name];
		return Array.isArray(list) ? entriesOf(list, listSays) : [];
	});
}

function entriesOf(list: unknown[], listSays?: ResultEntry['listSays']): ResultEntry[] {
	return list.map((value) => ({ value, listSays }));
}
