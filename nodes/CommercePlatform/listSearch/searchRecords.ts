import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { callPlatform } from '../../shared/api/call';
import { readPage } from '../../shared/api/page';

/** Enough for a list to scroll in; more come with the next page. */
const SEARCH_PAGE_SIZE = 50;

/** A search behind "From List". */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/**
 * A search over a list endpoint with `q`, page by page.
 *
 * @param path e.g. `/orders`
 * @param noun for error messages
 * @param label shows a name and enough to tell two records apart
 */
export function searchRecords(
	path: string,
	noun: string,
	label: (record: IDataObject) => string,
): ListSearch {
	return async function (filter, paginationToken) {
		const { body } = await callPlatform(
			this,
			{
				method: 'GET',
				path,
				query: { limit: SEARCH_PAGE_SIZE, q: filter, cursor: paginationToken },
			},
			{ noun },
		);
		const page = readPage(body);
		if (typeof page === 'string') return { results: [] };
		const results: INodeListSearchItems[] = page.records
			.filter(({ id }) => typeof id === 'string')
			.map((record) => ({ name: label(record), value: String(record.id) }));
		return { results, paginationToken: page.hasMore ? page.nextCursor : undefined };
	};
}
