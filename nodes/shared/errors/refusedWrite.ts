import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { saysNothing } from '../values/readers';
import { documentedCode, isAddress } from './errorBody';
import {
	isEmptyOrZero,
	signsOf,
	signsOfRecord,
	snakeCase,
	statusNumber,
	verdictOfStatus,
	wrappersIn,
} from './verdict';

/**
 * Whether the body of an answer with success says all the same that its write was not done: by an error, by a flag, by
 * a refusing status of the answer or of an action, or by the one entry of a list. The status of any other record, and
 * whatever stands inside of a record, is data.
 *
 * @param path of the request
 */
export function saysNotDone(body: unknown, path: string): boolean {
	if (Array.isArray(body)) return body.some(isRefusedEntry);
	if (!isObject(body)) return false;
	const isWhole = hasId(body) && !isObject(body.data);
	const parts = isWhole ? [] : wrappersIn(body, hasId);
	const records = isWhole ? [body] : parts.flatMap(recordsIn);
	return (
		parts.some(isRefusal) ||
		parts.flatMap(listsIn).some(isRefusedEntry) ||
		records.some((record) => signsOfRecord(record).length > 0) ||
		hasUserErrors(body) ||
		isRefusedAction(body, parts, path)
	);
}

const hasId = ({ id }: IDataObject): boolean => !saysNothing(id);

const recordsIn = (part: IDataObject): IDataObject[] => Object.values(part).filter(isObject);

/** Names of lists that an answer to a single write may have its result in. */
const LIST_NAME = /^(?:data|results?|responses?|operations|outcomes)$/;

const listsIn = (part: IDataObject): unknown[] =>
	Object.entries(part).flatMap(([name, list]) =>
		LIST_NAME.test(snakeCase(name)) && Array.isArray(list) ? (list as unknown[]) : [],
	);

/** Whether an entry of such a list is refused. The status of a record is no HTTP status that refuses. */
function isRefusedEntry(entry: unknown): boolean {
	if (!isObject(entry)) return false;
	if (!hasId(entry)) return wrappersIn(entry, hasId).some(isRefusal);
	return signsOfRecord(entry).length > 0 || Number(statusNumber(entry.status)) >= 400;
}

/** Whether what stands around a record says that the write was not done. */
function isRefusal(part: IDataObject): boolean {
	const { type, title, detail, code, message } = part;
	// A problem of RFC 9457.
	if (isText(type) && isAddress(type) && (isText(title) || isText(detail))) return true;
	if (isText(type) && /^(?:error|failure)$/i.test(type)) return true;
	if (isText(code) && isText(message))
		if (documentedCode(code) !== undefined || verdictOfStatus(code) === 'failed') return true;
	return signsOf(part).some(
		({ name, verdict, count }) =>
			// One write has nothing to count, and may be the one that cancels.
			verdict === 'failed' && count === undefined && !/cancel/i.test(name),
	);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Levels of objects in which errors of the user are looked for. */
const MAX_DEPTH = 4;

/** Whether there are `userErrors`, as GraphQL has them beside a record that is null, also named by their operation. */
const hasUserErrors = (value: unknown, depth = 0): boolean =>
	isObject(value) &&
	depth < MAX_DEPTH &&
	Object.entries(value).some(([name, inner]) =>
		/(?:^|_)user_errors$/.test(snakeCase(name))
			? !isEmptyOrZero(inner)
			: hasUserErrors(inner, depth + 1),
	);

/** The writes that make something happen, with the name of their record (API document, "Orders", "Inventory"). */
const ACTIONS: ReadonlyArray<[path: RegExp, name: RegExp]> = [
	[/\/refunds$/, /(?:^|_)refund$/],
	[/\/fulfillments$/, /(?:^|_)fulfill?ment$/],
	[/\/levels\/adjust$/, /(?:^|_)adjustment$/],
];

/** Whether the record of an action says that it did not happen. */
function isRefusedAction(body: IDataObject, parts: IDataObject[], path: string): boolean {
	const [, recordName] = ACTIONS.find(([actionPath]) => actionPath.test(path)) ?? [];
	if (recordName === undefined) return false;
	const named = [body, ...parts].flatMap((part) =>
		Object.entries(part).flatMap(([name, value]) =>
			isObject(value) && (name === 'data' || recordName.test(snakeCase(name))) ? [value] : [],
		),
	);
	return [body, ...named].some((record) =>
		Object.entries(record).some(([name, value]) => {
			const plainName = snakeCase(name).replace(/^(?:refund|fulfill?ment|adjustment)_/, '');
			if (/^(?:error|failure)_(?:code|message|reason)$/.test(plainName))
				return !isEmptyOrZero(value);
			if (!/^(?:status|state|result|outcome)$/.test(plainName)) return false;
			return (
				verdictOfStatus(value) === 'failed' || /^(?:cancell?ed|void(?:ed)?)$/i.test(String(value))
			);
		}),
	);
}
