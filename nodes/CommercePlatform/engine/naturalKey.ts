import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { mayRefuseParameter, settled } from '../../shared/errors/errors';
import { MAX_PAGE_SIZE, newestFirst } from '../../shared/api/pages';
import type { OperationCall } from './operation';

/** What people call a record by, e.g. an order's number. The API document gives no way to find a record by it. */
export interface NaturalKey {
	/** The list to look in, e.g. `/orders`. */
	path: string;
	/** In the plural, e.g. `orders`. */
	records: string;
	/** e.g. `order numbers` */
	keys: string;
	/** What a record is called, in the form in which it is compared. */
	keysOf(record: IDataObject): string[];
	/** What the user entered, in that form. */
	plain(entered: string): string;
	/** Pages that are read where the platform's search does not find it; each is a request. */
	maxPages: number;
}

/** The records of one name, and how many were looked at for it. */
export interface Named {
	records: IDataObject[];
	/** Records that were read one by one, where the platform's search did not do. */
	walked?: number;
	/** Whether these were all that there are. */
	whole?: boolean;
}

/** Pages of a search at most. */
const MAX_SEARCH_PAGES = 4;

/**
 * Finds records by what people call them: by the platform's search (`q`: API document, "Common query parameters on
 * list endpoints"), and where that does not find such names, by reading the list from the newest, once for all
 * items of a run.
 *
 * @throws PlatformError
 */
export async function recordsNamed(
	call: Pick<OperationCall, 'client' | 'hint'>,
	key: NaturalKey,
	entered: string,
): Promise<Named> {
	const wanted = key.plain(entered);
	const before = await walks.get(call.client)?.get(key);
	if (before !== undefined && (before.whole || before.byKey.has(wanted)))
		return inWalk(before, wanted);
	const found = await searched(call.client, key, wanted);
	if (found !== undefined) return { records: found };
	return inWalk(await walkOnce(call, key), wanted);
}

const inWalk = (walk: Walk, wanted: string): Named => ({
	...walk,
	records: eachOnce(walk.byKey.get(wanted) ?? []),
});

/** What was looked at in vain, as a sentence; empty where the platform has searched. */
export function walkedText({ walked, whole }: Named, { records }: NaturalKey): string {
	if (walked === undefined) return '';
	const number = walked.toLocaleString('en-US');
	return whole === true
		? `None of the ${number} ${records} has it.`
		: `It is not among the newest ${number} ${records}.`;
}

/** @returns undefined where the platform's search cannot be relied on for such names */
async function searched(
	client: PlatformClient,
	key: NaturalKey,
	wanted: string,
): Promise<IDataObject[] | undefined> {
	const search = await settled(searchFor(client, key, wanted));
	if (search.status === 'rejected') {
		if (!mayRefuseParameter(search.reason)) throw search.reason;
		return undefined;
	}
	const { hits, matches, whole } = search.value;
	if (matches.length > 0) return whole ? matches : undefined;
	if (!whole || !hits.every((hit) => mentions(hit, wanted))) return undefined;
	return (await findsNames(client, key)) ? [] : undefined;
}

async function searchFor(client: PlatformClient, key: NaturalKey, wanted: string) {
	const hits: IDataObject[] = [];
	let whole = false;
	const request = { method: 'GET' as const, path: key.path, query: { q: wanted } };
	for await (const page of client.pages(request, { maxPages: MAX_SEARCH_PAGES })) {
		hits.push(...page.records);
		whole = !page.hasMore;
	}
	const matches = hits.filter((hit) => key.keysOf(hit).includes(wanted));
	return { hits, whole, matches: eachOnce(matches) };
}

const mentions = (record: IDataObject, wanted: string): boolean =>
	JSON.stringify(record).toLowerCase().includes(wanted.toLowerCase());

const searches = new WeakMap<PlatformClient, Map<NaturalKey, Promise<boolean>>>();

/**
 * Whether the platform's search finds such names: it is tried with one that exists, so that "nothing found" can be
 * believed. Once for a run.
 */
async function findsNames(client: PlatformClient, key: NaturalKey): Promise<boolean> {
	return await once(searches, client, key, async () => {
		for await (const { records } of newestFirst(
			client,
			{ method: 'GET', path: key.path },
			{ limit: 5 },
		)) {
			const known = records
				.flatMap((record) => key.keysOf(record))
				.find((name) => !name.includes('*'));
			if (known === undefined) return false;
			return (await searchFor(client, key, known)).matches.length > 0;
		}
		return false;
	});
}

interface Walk {
	byKey: Map<string, IDataObject[]>;
	walked: number;
	whole: boolean;
}

const walks = new WeakMap<PlatformClient, Map<NaturalKey, Promise<Walk>>>();

/** Reads the list, newest first. Once for a run: a page is a request, and items of a run share what was read. */
async function walkOnce(
	{ client, hint }: Pick<OperationCall, 'client' | 'hint'>,
	key: NaturalKey,
): Promise<Walk> {
	return await once(walks, client, key, async () => {
		const walk: Walk = { byKey: new Map(), walked: 0, whole: false };
		let pages = 0;
		const limits = { maxPages: key.maxPages, pageSize: MAX_PAGE_SIZE };
		for await (const page of newestFirst(client, { method: 'GET', path: key.path }, limits)) {
			pages++;
			walk.walked += page.records.length;
			walk.whole = !page.hasMore;
			for (const record of page.records) enter(walk.byKey, key.keysOf(record), record);
		}
		hint(costOf(key, walk, pages));
		return walk;
	});
}

function enter(byKey: Walk['byKey'], names: string[], record: IDataObject): void {
	for (const name of names) {
		const known = byKey.get(name);
		if (known === undefined) byKey.set(name, [record]);
		else known.push(record);
	}
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((one) => [one.id, one]),
	).values(),
];

const costOf = ({ records, keys }: NaturalKey, { walked, whole }: Walk, pages: number): string =>
	`The platform’s search did not answer for ${keys}, so ${whole ? 'all' : 'the newest'} ${walked.toLocaleString('en-US')} ${records} were read: ${pages} requests, once for this run.`;

async function once<T>(
	memory: WeakMap<PlatformClient, Map<NaturalKey, Promise<T>>>,
	client: PlatformClient,
	key: NaturalKey,
	work: () => Promise<T>,
): Promise<T> {
	const known = memory.get(client) ?? new Map<NaturalKey, Promise<T>>();
	memory.set(client, known);
	const begun = known.get(key) ?? work();
	known.set(key, begun);
	return await begun;
}
