import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { saysNothing } from '../values/readers';
import { documentedCode, isAddress } from '../rest/errorBody';
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
 * Whether an answer with a success status says that its write was not done: by an error, a flag, a refusing status of
 * the answer or an action, or an entry of its list. The status of any other record is data, and so is everything inside
 * a record.
 *
 * @param path of the request
 */
export function saysNotDone(body: unknown, path: string): boolean {
	if (Array.isArray(body)) return body.some(isRefusedEntry);
	if (!isObject(body)) return false;
	const isBareRecord = hasId(body) && !isObject(body.data);
	const parts = isBareRecord ? [] : wrappersIn(body, hasId);
	const records = isBareRecord ? [body] : parts.flatMap(recordsIn);
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

/** Names of lists in which the answer to a single write may have its result. */
const LIST_NAME = /^(?:data|results?|responses?|operations|outcomes)$/;

const listsIn = (part: IDataObject): unknown[] =>
	Object.entries(part).flatMap(([name, list]) =>
		LIST_NAME.test(snakeCase(name)) && Array.isArray(list) ? (list as unknown[]) : [],
	);

/**
 * Whether an entry of such a list says that the write was not done. If the entry is a record, its status counts only as
 * an HTTP status.
 */
function isRefusedEntry(entry: unknown): boolean {
	if (!isObject(entry)) return false;
	if (!hasId(entry)) return wrappersIn(entry, hasId).some(isRefusal);
	return signsOfRecord(entry).length > 0 || Number(statusNumber(entry.status)) >= 400;
}

/** Whether an object around a record says that the write was not done. */
function isRefusal(part: IDataObject): boolean {
	const { type, title, detail, code, message } = part;
	// This is an error object of RFC 9457.
	if (isText(type) && isAddress(type) && (isText(title) || isText(detail))) return true;
	if (isText(type) && /^(?:error|failure)$/i.test(type)) return true;
	if (isText(code) && isText(message))
		if (documentedCode(code) !== undefined || verdictOfStatus(code) === 'failed') return true;
	return signsOf(part).some(
		({ name, verdict, count }) =>
			// A single write has nothing to count, and may itself cancel something.
			verdict === 'failed' && count === undefined && !/cancel/i.test(name),
	);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `userErrors` are looked for in so many levels. */
const MAX_DEPTH = 4;

/**
 * Whether there are `userErrors`, as GraphQL APIs put them beside a record that is null. The name may begin with that
 * of the operation.
 */
const hasUserErrors = (value: unknown, depth = 0): boolean =>
	isObject(value) &&
	depth < MAX_DEPTH &&
	Object.entries(value).some(([name, inner]) =>
		/(?:^|_)user_errors$/.test(snakeCase(name))
			? !isEmptyOrZero(inner)
			: hasUserErrors(inner, depth + 1),
	);

/** The writes that make something happen, and the name of their record (API document, "Orders", "Inventory"). */
const ACTIONS: ReadonlyArray<[path: RegExp, name: RegExp]> = [
	[/\/refunds$/, /(?:^|_)refund$/],
	[/\/fulfillments$/, /(?:^|_)fulfill?ment$/],
	[/\/levels\/adjust$/, /(?:^|_)adjustment$/],
];

/** Whether the record of an action says that it did not happen. */
function isRefusedAction(body: IDataObject, parts: IDataObject[], path: string): boolean {
	const [, recordName] = ACTIONS.find(([actionPath]) => actionPath.test(path)) ?? [];
	if (recordName === undefined) return false;
	const actionRecords = [body, ...parts].flatMap((part) =>
		Object.entries(part).flatMap(([name, value]) =>
			isObject(value) && (name === 'data' || recordName.test(snakeCase(name))) ? [value] : [],
		),
	);
	return [body, ...actionRecords].some((record) =>
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
