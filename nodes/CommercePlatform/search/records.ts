import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { FetchedPage } from '../../shared/api/answer';
import { createClient, type PlatformClient } from '../../shared/api/client';
import { newestFirst } from '../../shared/api/pages';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { matches } from './labels';

/** Enough for a list to scroll in; more come with the next page. */
const SEARCH_PAGE_SIZE = 50;

/** Pages that are looked through for a match before the list shows what it has. */
const MAX_PAGES_A_SEARCH = 4;

/** A search behind "From List". */
type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A list endpoint, and how to search in it. */
interface Searched {
	/** e.g. `/orders` */
	path: string;
	/** For error messages. */
	noun: string;
	/**
	 * What the API document gives the list: `q` and `limit`; no `q`, so that pages are looked through here; or
	 * no query at all.
	 */
	takes: 'q' | 'limit' | 'nothing';
	/** Whether the records that changed last come first, where the platform sorts by that. */
	newestFirst?: true;
	/** Where else to look when a search through a few pages has found nothing. */
	stoppedHint?: string;
	/**
	 * Shows a name and enough to tell two records apart.
	 *
	 * @param zone IANA name of the workflow’s timezone
	 * @param nowMs Unix ms
	 */
	label(record: IDataObject, zone: string, nowMs: number): string;
}

/** A search over a list endpoint, page by page. */
export function searchRecords(searched: Searched): ListSearch {
	return async function (filter, paginationToken) {
		return await withNodeErrors(this, { noun: searched.noun }, async () => {
			const client = await createClient(this);
			const results: INodeListSearchItems[] = [];
			const zone = this.getTimezone();
			const toItem = (record: IDataObject) => ({
				name: searched.label(record, zone, client.clock.now()),
				value: String(record.id),
			});
			let cursor = paginationToken;
			let looked = 0;
			for (let pages = 0; pages < MAX_PAGES_A_SEARCH; pages++) {
				const page = await fetchPage(client, searched, filter, cursor);
				results.push(...matching(page.records.filter(hasId).map(toItem), searched, filter));
				looked += page.records.length;
				cursor = page.hasMore ? page.nextCursor : undefined;
				if (results.length > 0 || cursor === undefined) break;
			}
			if (results.length === 0 && cursor !== undefined)
				throw stopped(searched, looked, paginationToken);
			return { results, paginationToken: cursor };
		});
	};
}

/** “No results” would say that there is no such record, though only a part was looked at. */
function stopped({ noun, stoppedHint = '' }: Searched, looked: number, token?: string): Error {
	const which = token === undefined ? 'first' : 'next';
	return new Error(
		`Searched the ${which} ${looked} ${noun}s and found no match. ${stoppedHint}`.trim(),
	);
}

/** One page: the walk's own next page would be asked for in vain, where this one has what is searched. */
async function fetchPage(
	client: PlatformClient,
	{ path, takes, newestFirst: bySort }: Searched,
	filter: string | undefined,
	startCursor: string | undefined,
): Promise<Pick<FetchedPage, 'hasMore' | 'nextCursor' | 'records'>> {
	const query = takes === 'q' ? { q: filter } : undefined;
	const request = { method: 'GET', path, query } as const;
	const takesQuery = takes !== 'nothing';
	const options = { startCursor, pageSize: SEARCH_PAGE_SIZE, maxPages: 1, takesQuery };
	const pages = bySort ? newestFirst(client, request, options) : client.pages(request, options);
	for await (const page of pages) return page;
	return { records: [], hasMore: false };
}

function matching(
	items: INodeListSearchItems[],
	{ takes }: Searched,
	filter = '',
): INodeListSearchItems[] {
	return takes === 'q' ? items : items.filter(({ name }) => matches(name, filter));
}

const hasId = ({ id }: IDataObject) => typeof id === 'string';
