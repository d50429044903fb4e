import type { PlatformClient } from './client';
import type { PlatformRequest, PlatformResponse } from './request';

/** The former name of a client's `request`. */
export async function send(
	connection: PlatformClient,
	request: PlatformRequest,
): Promise<PlatformResponse> {
	return await connection.request(request);
}
