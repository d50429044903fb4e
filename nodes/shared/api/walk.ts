import type { IDataObject } from 'n8n-workflow';

import { createClient, type PlatformClient } from './client';
import type { ErrorContext } from './errorContext';
import { toNodeError } from './nodeErrors';
import type { FetchedPage, Page } from './page';
import type { PaginateOptions } from './paginate';
import type { PlatformContext, PlatformRequest, PlatformResponse } from './request';

type WalkOptions = Omit<PaginateOptions, 'takesQuery' | 'keyset'> & {
	sendLimit?: boolean;
	continueBy?: PaginateOptions['keyset'];
};

/** The former name of a client's `pages`. */
export async function* walkPages(
	connection: PlatformClient,
	request: PlatformRequest,
	{ sendLimit, continueBy, ...options }: WalkOptions = {},
): AsyncGenerator<{ page: Page; response: PlatformResponse }> {
	const walk = { ...options, takesQuery: sendLimit, keyset: continueBy };
	const pages: AsyncGenerator<FetchedPage> = connection.pages(request, walk);
	for await (const page of pages) yield { page, response: page.response };
}

/** The former name of a client's `records` within `withNodeErrors`. */
export async function* walkRecords(
	context: PlatformContext,
	request: PlatformRequest,
	errorContext?: ErrorContext,
): AsyncGenerator<IDataObject> {
	try {
		yield* (await createClient(context)).records(request);
	} catch (error) {
		throw toNodeError(context.getNode(), error, errorContext);
	}
}
