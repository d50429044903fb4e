import type { IDataObject } from 'n8n-workflow';

import { inParallel, type PlatformClient } from '../../shared/rest/client';
import type { PlatformRequest } from '../../shared/rest/request';
import { InputError, isNotFound, mayRefuseParameter } from '../../shared/rest/errors';
import type { Field, Item } from '../../shared/values/fields';
import { searchedText } from '../../shared/values/readers';
import type { Call, Changes, Operation, RecordName, RecordSource } from './operation';
import { counted, type Report } from './report';
import { noteReadAlone } from './rewrite';

/** How many pages of a list, or of a search, are looked through at most. */
const MAX_PAGES = 4;

/** The records with a name, and a sentence for messages about where they were looked for. */
interface LookedUp {
	records: IDataObject[];
	whereLooked: string;
	/** Whether there is certainly no other record with the name. */
	isCertain: boolean;
}

interface ReadList {
	records: IDataObject[];
	/** Whether these are all records of the list. */
	isWhole: boolean;
}

/** What the look-ups of a run have read. A client lives as long as a run, so nothing older is used. */
interface LookUps {
	byName: Map<string, Promise<LookedUp>>;
	/** The newest pages of a list, by its path. */
	lists: Map<string, Promise<ReadList>>;
}

const lookUpsOfRuns = new WeakMap<PlatformClient, LookUps>();

function lookUpsOf(client: PlatformClient): LookUps {
	const lookUps = lookUpsOfRuns.get(client) ?? { byName: new Map(), lists: new Map() };
	lookUpsOfRuns.set(client, lookUps);
	return lookUps;
}

/** Reads once, whoever asks; a reading that failed is read again. */
async function once<T>(
	readings: Map<string, Promise<T>>,
	key: string,
	read: () => Promise<T>,
): Promise<T> {
	const reading = readings.get(key) ?? read();
	readings.set(key, reading);
	return await reading.catch((error: unknown) => {
		readings.delete(key);
		throw error;
	});
}

/**
 * Finds records by a name: first with the platform's search (`q`: API document, "Common query parameters on list
 * endpoints"), a request for each name. If that shows none, among the newest records of the list, four pages that all
 * names of a run share.
 *
 * @returns only records that have exactly this name
 * @throws PlatformError
 */
export async function recordsNamed(
	client: PlatformClient,
	key: RecordName,
	entered: string,
): Promise<LookedUp> {
	const wanted = key.comparable(entered);
	const { byName, lists } = lookUpsOf(client);
	return await once(byName, JSON.stringify([key.path, wanted]), async () => {
		const { path, takesQuery, keysOf, records: noun } = key;
		if (takesQuery !== false) {
			const records = eachOnce(await searchedByName(client, key, wanted));
			if (records.length > 0) return { records, whereLooked: '', isCertain: true };
		}
		const { records, isWhole } = await once(lists, path, async () => {
			const request = { method: 'GET', path } as const;
			return await readPages(client, request, { takesQuery, newestFirst: true });
		});
		const read = `${counted(records.length)} ${noun}`;
		const looked =
			isWhole && records.length === 1
				? `the only ${key.singular} was looked at.`
				: `${isWhole ? `all ${read}` : `the ${read} that changed last`} were looked through.`;
		return {
			records: eachOnce(records.filter((record) => keysOf(record).includes(wanted))),
			isCertain: isWhole,
			whereLooked:
				takesQuery === false
					? looked.charAt(0).toUpperCase() + looked.slice(1)
					: `The platform’s search shows none; ${looked}`,
		};
	});
}

/** The exact matches of the platform's search. */
async function searchedByName(
	client: PlatformClient,
	key: RecordName,
	wanted: string,
): Promise<IDataObject[]> {
	const { path, keysOf, searchedKeysOf, searchBy = 'q' } = key;
	const request = { method: 'GET', path, query: { [searchBy]: wanted } } as const;
	const search = await client.page(request, { isSearch: true }).catch((error: unknown) => {
		// The platform may not search in this list.
		if (mayRefuseParameter(error)) return undefined;
		throw error;
	});
	if (search === undefined) return [];
	const { records, hasMore, nextCursor: startCursor } = search;
	const named = () => records.filter((record) => keysOf(record).includes(wanted));
	const shortRecords = records.filter((record) => keysOf(record).length === 0);
	if (named().length > 0 && hasMore) {
		// A further page may hold a second record with this name.
		records.push(...(await readPages(client, request, { startCursor })).records);
	} else if (!hasMore) records.push(...(await readShort(client, path, shortRecords)));
	if (named().length > 0) return named();
	return records.filter((record) => searchedKeysOf?.(record).includes(wanted));
}

/**
 * Reads records that do not show their names, before they count as others. None is read if they are many.
 *
 * @returns those that are there
 */
async function readShort(
	client: PlatformClient,
	path: string,
	short: readonly IDataObject[],
): Promise<IDataObject[]> {
	if (short.length > MAX_SHORT) return [];
	const reads = short.map(async ({ id }) => await readById(client, path, String(id)));
	return (await Promise.all(reads)).filter((record) => record !== undefined);
}

/** How many short records of one search are read, each with a request. */
const MAX_SHORT = 4;

/** Reads `MAX_PAGES` at most. */
async function readPages(
	client: PlatformClient,
	list: PlatformRequest,
	options?: Parameters<PlatformClient['pages']>[1],
): Promise<ReadList> {
	const read: ReadList = { records: [], isWhole: true };
	const someOptions = { ...options, maxPages: MAX_PAGES };
	for await (const { records, hasMore } of client.pages(list, someOptions)) {
		read.records.push(...records);
		read.isWhole = !hasMore;
	}
	return read;
}

/**
 * @param path of the list, e.g. `/orders`
 * @returns undefined if there is no such record
 */
export async function readById(
	client: PlatformClient,
	path: string,
	id: string,
): Promise<IDataObject | undefined> {
	return await recordIfAny(client, { method: 'GET', path: `${path}/{id}`, pathParams: { id } });
}

/** The record that a request asks for; undefined if there is none. */
async function recordIfAny(
	client: PlatformClient,
	request: PlatformRequest,
): Promise<IDataObject | undefined> {
	const answer = await client.request(request).catch((error: unknown) => {
		if (isNotFound(error)) return undefined;
		throw error;
	});
	return answer?.record;
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((record) => [record.id, record]),
	).values(),
];

/** The field in which an item names its record otherwise than by its ID, and what the name is. */
interface NamedRecord {
	field: Field;
	key: RecordName;
}

/** @returns undefined if the item gives the ID */
export function namedOtherwise(operation: Operation, item: Item): NamedRecord | undefined {
	const { locator } = 'locator' in operation ? operation : {};
	const key = locator?.names.get(item.lookUpMode(locator.field.name) ?? '');
	return locator && key && { field: locator.field, key };
}

/**
 * Finds the record that an item names otherwise than by its ID. A search may be late, so the record can be read by its
 * ID to confirm that it has this name.
 *
 * @returns the item's request with the ID in place of the name, and a function that throws unless the record has the
 *   name still, and is named by it as a whole
 * @throws InputError if there is no such record, or several; PlatformError
 */
export async function requestWithId(
	{ request, client }: Call,
	{ field: { name: parameter, displayName: field }, key }: NamedRecord,
): Promise<{ request: PlatformRequest; confirm(): Promise<void> }> {
	const wanted = searchedText(field, (request.pathParams?.[parameter] ?? '').trim());
	const { records, whereLooked, isCertain } = await recordsNamed(client, key, wanted);
	const { singular, called } = key;
	if (records.length !== 1) {
		const { records: noun } = key;
		const isNowhere = records.length === 0;
		const who = isNowhere ? `No ${singular} has` : `${records.length} ${noun} have`;
		const remedy = isNowhere
			? `${whereLooked} ${isCertain ? `Check the ${called}.` : 'Use the ID.'}`
			: 'Use the ID.';
		const code = isNowhere ? 'notFound' : 'ambiguous';
		throw new InputError(field, '', remedy, `${who} the ${called} “${wanted}”`, code);
	}
	const id = String(records[0].id);
	const confirm = async () => {
		const record = await readById(client, key.path, id);
		const namesNow = [key.keysOf, key.searchedKeysOf].flatMap((read) => record && read?.(record));
		if (record === undefined || !namesNow.includes(key.comparable(wanted)))
			throw new InputError(
				field,
				'',
				'Nothing was sent. An earlier row may have changed it, or the search may be late. Use the ID.',
				`The ${singular} “${id}” does not have the ${called} “${wanted}” now`,
			);
		const others = key.others?.(record, key.comparable(wanted)) ?? [];
		if (others.length > 0)
			throw new InputError(
				field,
				'',
				`Nothing was sent. It also has ${listOf(others)}. If you mean the whole ${singular}, use its ID.`,
				`The ${called} “${wanted}” is only a part of the ${singular} “${id}”`,
				'ambiguous',
			);
	};
	const pathParams = { ...request.pathParams, [parameter]: id };
	return { request: { ...request, pathParams }, confirm };
}

/** How many names a message shows. */
const MAX_SHOWN = 5;

const listOf = (names: readonly string[]): string => {
	const shown = names.slice(0, MAX_SHOWN).map((name) => `“${name}”`);
	const hidden = names.length - shown.length;
	return shown.join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
};

interface FindCall {
	client: PlatformClient;
	report: Pick<Report, 'progress'>;
}

/** So few records are read one by one: a walk through the list could save hardly a request. */
const FEW_RECORDS = 4;

/**
 * Finds the records that have some keys, by a walk through the list or key by key, whichever takes fewer requests. If
 * several records have one key, all of them are returned, so that no write takes the wrong one.
 *
 * The length of the list is unknown before its end. So the walk is given up once it has taken as many requests as there
 * are keys left: both ways together take about twice the requests of the cheaper one.
 *
 * @returns the records by key, each once
 * @throws PlatformError, CancelledError
 */
export async function findRecords(
	{ client, report }: FindCall,
	source: RecordSource,
	wantedKeys: Iterable<string>,
): Promise<Map<string, IDataObject[]>> {
	const recordsByKey = new Map<string, IDataObject[]>();
	for (const key of wantedKeys) recordsByKey.set(key, []);
	const list = source.list([...recordsByKey.keys()]);
	/** Keys that further records may have. */
	const openKeys = new Set(recordsByKey.keys());
	const take = (whole: IDataObject): IDataObject => {
		const record = source.kept?.(whole) ?? whole;
		for (const key of source.keysOf(whole)) {
			const recordsOfKey = recordsByKey.get(key);
			if (recordsOfKey?.length === 0) recordsByKey.set(key, [record]);
			// A record that changes during the walk may come twice.
			else if (recordsOfKey?.some(({ id }) => id !== undefined && id === record.id) === false)
				recordsOfKey.push(record);
			if (source.isUnique?.(key) === true) openKeys.delete(key);
		}
		return record;
	};
	let pages = 0;
	let recordsRead = 0;
	if (openKeys.size > FEW_RECORDS)
		for await (const { records, hasMore } of client.pages(list)) {
			if (pages === 0 && (await leavesOutKeys(client, source, list.path, records))) break;
			records.forEach(take);
			report.progress((recordsRead += records.length), undefined, 'records looked through');
			if (!hasMore || openKeys.size === 0) return recordsByKey;
			if (++pages >= openKeys.size) break;
		}
	let areComplete = true;
	let keysDone = 0;
	const total = openKeys.size;
	await inParallel([...openKeys], client.options.maxInFlight, async (key) => {
		const { records, whole } = await searched(client, source, key);
		for (const record of records) noteReadAlone(take(record));
		areComplete &&= whole || !openKeys.has(key);
		report.progress(++keysDone, total, 'records looked up');
	});
	if (areComplete) return recordsByKey;
	// The search has more pages than were read. Only the list shows all records.
	for await (const { records } of client.pages(list)) records.forEach(take);
	return recordsByKey;
}

/**
 * Whether a list leaves out what its records are found by, as one of them shows that is read. Its records are then looked
 * up one by one.
 */
async function leavesOutKeys(
	client: PlatformClient,
	{ isShort }: Pick<RecordSource, 'isShort'>,
	path: string,
	records: readonly IDataObject[],
): Promise<boolean> {
	if (records.length === 0 || !records.every((record) => isShort?.(record))) return false;
	const whole = await readById(client, path, String(records[0].id));
	return whole !== undefined && isShort?.(whole) === false;
}

/**
 * Searches for the records that one key names. The platform's search may return other records as well.
 *
 * @returns `whole`: whether the search was read to its end, so that there are no further records
 */
async function searched(
	client: PlatformClient,
	source: Pick<RecordSource, 'isShort' | 'requestFor'>,
	key: string,
): Promise<{ records: IDataObject[]; whole: boolean }> {
	const request = source.requestFor(key);
	if (request.pathParams === undefined) {
		const { records, isWhole } = await readPages(client, request, { isSearch: true });
		const short = records.filter((record) => source.isShort?.(record));
		const wholeRecords = await readShort(client, request.path, short);
		return { records: [...records, ...wholeRecords], whole: isWhole };
	}
	const record = await recordIfAny(client, request);
	return { records: record === undefined ? [] : [record], whole: true };
}

/**
 * Tells which writes would change nothing, compared with the records as they are before all writes. If one write of a
 * record is needed, the later ones to it are needed as well. So are later writes to a key that the platform may take
 * for the same, and all writes to a key that several records have.
 *
 * @param records by key, see `findRecords`
 * @param writes in input order
 */
export function writesWithoutChange<Write>(
	records: ReadonlyMap<string, IDataObject[]>,
	{ keyOf, isUnchanged }: Changes<Write>,
	writes: readonly Write[],
): Set<Write> {
	const unchanged = new Set<Write>();
	const writtenNames = new Set<unknown>();
	for (const write of writes) {
		const key = keyOf(write);
		const candidates = records.get(key) ?? [];
		const names = [key, ...candidates.map((record) => record.id ?? record)];
		const isFirstWrite = candidates.length === 1 && !names.some((name) => writtenNames.has(name));
		if (isFirstWrite && isUnchanged(write, candidates[0])) unchanged.add(write);
		else for (const name of names) writtenNames.add(name);
	}
	return unchanged;
}
