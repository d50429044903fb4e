import { createClient } from './client';
import type { ErrorContext } from './errorContext';
import { withNodeErrors } from './nodeErrors';
import type { PlatformContext, PlatformRequest, PlatformResponse, SendOptions } from './request';

export type { PlatformRequest, PlatformResponse } from './request';

/** The former name of `createClient` and `request` within `withNodeErrors`. */
export async function callPlatform(
	context: PlatformContext,
	request: PlatformRequest,
	errorContext?: ErrorContext,
	options?: Partial<SendOptions>,
): Promise<PlatformResponse> {
	return await withNodeErrors(
		context,
		errorContext,
		async () => await (await createClient(context, options)).request(request),
	);
}
