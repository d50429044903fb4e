import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformResponse } from '../../shared/api/request';

/** What the option Include Response Metadata tells of an answer. */
export function metadataOf(client: PlatformClient, response: PlatformResponse): IDataObject {
	const { limit, remaining, dayLimit, dayRemaining } = client.rateLimit();
	return {
		etag: response.headers.etag,
		requestId: response.requestId,
		status: response.status,
		rateLimit: { limit, remaining, limitDay: dayLimit, remainingDay: dayRemaining },
	};
}
