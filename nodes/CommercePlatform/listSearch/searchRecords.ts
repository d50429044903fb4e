import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import { withNodeErrors } from '../../shared/api/nodeErrors';
import { readPage } from '../../shared/api/answer';
import type { QueryValue } from '../../shared/api/request';

/** Enough for a list to scroll in; more come with the next page. */
const SEARCH_PAGE_SIZE = 50;

/** Pages that are looked through for a match before the list shows what it has. */
const MAX_PAGES_A_SEARCH = 4;

/** A search behind "From List". */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A list endpoint, and how to search in it. */
export interface Searched {
	/** e.g. `/orders` */
	path: string;
	/** For error messages. */
	noun: string;
	/**
	 * What the API document gives the list: `q` and `limit`; no `q`, so that pages are looked through here; or
	 * no query at all.
	 */
	takes: 'q' | 'limit' | 'nothing';
	/** Shows a name and enough to tell two records apart. */
	label(record: IDataObject): string;
}

/** A search over a list endpoint, page by page. */
export function searchRecords(searched: Searched): ListSearch {
	return async function (filter, paginationToken) {
		return await withNodeErrors(this, { noun: searched.noun }, async () => {
			const client = await createClient(this);
			const results: INodeListSearchItems[] = [];
			let cursor = paginationToken;
			for (let pages = 0; pages < MAX_PAGES_A_SEARCH; pages++) {
				const page = await fetchPage(client, searched, filter, cursor);
				results.push(...matching(page.records, searched, filter));
				cursor = page.nextCursor;
				if (results.length > 0 || cursor === undefined) break;
			}
			return { results, paginationToken: cursor };
		});
	};
}

async function fetchPage(
	client: PlatformClient,
	{ path, takes }: Searched,
	filter: string | undefined,
	cursor: string | undefined,
): Promise<{ records: IDataObject[]; nextCursor?: string }> {
	const queries: Record<Searched['takes'], Record<string, QueryValue>> = {
		q: { limit: SEARCH_PAGE_SIZE, q: filter },
		limit: { limit: SEARCH_PAGE_SIZE },
		nothing: {},
	};
	const query = { ...queries[takes], cursor };
	const { body } = await client.request({ method: 'GET', path, query });
	const page = readPage(body);
	if (typeof page === 'string') return { records: [] };
	return { records: page.records, nextCursor: page.hasMore ? page.nextCursor : undefined };
}

function matching(
	records: IDataObject[],
	{ takes, label }: Searched,
	filter = '',
): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return records
		.filter(({ id }) => typeof id === 'string')
		.map((record) => ({ name: label(record), value: String(record.id) }))
		.filter(({ name }) => takes === 'q' || name.toLowerCase().includes(wanted));
}
