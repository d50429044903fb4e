import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformResponse } from '../../shared/api/request';

/**
 * What the option Include Response Metadata tells of an answer. With `etag` and `cacheControl` a workflow that keeps
 * records honours what the platform says of them (API document, "Pagination rules", 5); the node itself keeps no
 * answer and uses none twice, so that it has nothing to honour but a 304.
 */
export function metadataOf(client: PlatformClient, response: PlatformResponse): IDataObject {
	const { limit, remaining, dayLimit, dayRemaining } = client.rateLimit();
	return {
		etag: response.headers.etag,
		cacheControl: response.headers['cache-control'],
		requestId: response.requestId,
		status: response.status,
		rateLimit: { limit, remaining, limitDay: dayLimit, remainingDay: dayRemaining },
	};
}
