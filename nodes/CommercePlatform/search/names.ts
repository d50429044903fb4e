import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { PERSON_WAITS, type PlatformClient } from '../../shared/rest/client';
import { shopClient } from '../../shared/shop/service';
import type { PlatformRequest } from '../../shared/rest/request';
import { withNodeErrors } from '../../shared/rest/nodeErrors';
import { objectsIn, skuOf } from '../products/products';
import { join, matches } from './labels';

/** How many pages of up to 250 records are read while somebody waits for the list. */
const MAX_PAGES = 4;

/** Names that users choose from. They stand in the records of a list, and are no records themselves. */
interface Names {
	/** The list, e.g. `/products`. */
	path: string;
	/** A record of the list, for error messages. */
	noun: string;
	/** Whether the API document gives the list a search (`q`). If not, the names are searched here. */
	takesQ: boolean;
	/** The names that a record holds, with what explains them to a person. */
	namesIn(record: IDataObject): Array<{ value: unknown; about?: unknown[] }>;
}

/** Searches names, and shows each once. It reads pages until one has a match. */
function searchNames({ path, noun, takesQ, namesIn }: Names) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		return await withNodeErrors(this, { noun }, async () => {
			const client = await shopClient(this, PERSON_WAITS);
			const query = takesQ && filter !== '' ? { q: filter } : undefined;
			const labels = new Map<string, string>();
			let startCursor = paginationToken;
			for (let page = 0; page < MAX_PAGES && labels.size === 0; page++) {
				const { records, next } = await pageOf(client, { method: 'GET', path, query }, startCursor);
				for (const { value, about = [] } of records.flatMap(namesIn)) {
					const label = join(value, ...about);
					if (typeof value === 'string' && matches(label, filter)) labels.set(value, label);
				}
				startCursor = next;
				if (next === undefined) break;
			}
			const results = [...labels].map(([value, name]) => ({ name, value }));
			return { results, paginationToken: startCursor };
		});
	};
}

/** One page, and the cursor of the next one if there is one. */
async function pageOf(client: PlatformClient, request: PlatformRequest, startCursor?: string) {
	for await (const { records, hasMore, nextCursor } of client.pages(request, {
		startCursor,
		maxPages: 1,
	}))
		return { records, next: hasMore ? nextCursor : undefined };
	return { records: [], next: undefined };
}

const LEVELS = { path: '/inventory/levels', noun: 'stock level', takesQ: false };

/** SKUs with the titles of their product and variant (API document, "Product", "Variant"). */
export const searchSkus = searchNames({
	path: '/products',
	noun: 'product',
	takesQ: true,
	namesIn: ({ title, variants }) =>
		objectsIn(variants).map((variant) => ({
			value: skuOf(variant),
			about: [title, variant.title],
		})),
});

/** SKUs that have a stock level. */
export const searchLevelSkus = searchNames({ ...LEVELS, namesIn: ({ sku }) => [{ value: sku }] });

/** Locations that have a stock level. The API document gives locations no list of their own. */
export const searchLocations = searchNames({
	...LEVELS,
	namesIn: ({ location_id: location }) => [{ value: location }],
});
