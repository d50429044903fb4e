import { settled } from '../settled';
import type { PlatformClient } from './client';
import { mayRefuseParameter } from './limitRefused';
import type { FetchedPage } from './answer';
import type { PaginateOptions } from './paginate';
import type { PlatformRequest } from './request';

/** The one sort field that the API document names ("Common query parameters on list endpoints"). */
export const NEWEST_FIRST = 'updated_at:desc';

/**
 * Walks a list from the record that changed last; in the platform's own order where it refuses to sort.
 *
 * @param request without `sort`
 * @throws the same as {@link PlatformClient.pages}
 */
export async function* newestFirst(
	client: Pick<PlatformClient, 'pages'>,
	request: PlatformRequest,
	options?: PaginateOptions,
): AsyncGenerator<FetchedPage> {
	const sorted = { ...request, query: { ...request.query, sort: NEWEST_FIRST } };
	const pages = client.pages(sorted, { ...options, unsaidSort: NEWEST_FIRST });
	const first = await settled(pages.next());
	if (first.status === 'rejected') {
		if (!mayRefuseParameter(first.reason)) throw first.reason;
		yield* client.pages(request, options);
		return;
	}
	if (first.value.done === true) return;
	yield first.value.value;
	yield* pages;
}
