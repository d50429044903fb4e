import { connect } from './connection';
import type { OperationFacts } from './errorTexts';
import { toNodeError } from './nodeErrors';
import type { PlatformContext, PlatformRequest, PlatformResponse, SendOptions } from './request';
import { send } from './send';

export type { PlatformRequest, PlatformResponse } from './request';

/**
 * Sends one request from a hook, a search or any other place that is not an operation's run.
 *
 * @param facts names the resource in error messages
 * @throws NodeApiError with `httpCode` when the platform refuses or cannot be reached, NodeOperationError when
 *   the credential or a value cannot be used
 */
export async function callPlatform(
	context: PlatformContext,
	request: PlatformRequest,
	facts?: OperationFacts,
	options?: Partial<SendOptions>,
): Promise<PlatformResponse> {
	try {
		return await send(await connect(context, options), request);
	} catch (error) {
		throw toNodeError(context.getNode(), error, facts);
	}
}
