import type { IDataObject } from 'n8n-workflow';

import { checkApiKey } from './apiKey';
import { normaliseBaseUrl } from './baseUrl';
import { systemClock, type Clock } from './clock';
import { laneOf, type Lane } from './lane';
import {
	CREDENTIAL,
	DEFAULT_SEND_OPTIONS,
	type PlatformContext,
	type SendOptions,
} from './request';

/** Everything that the requests of one node run share. */
export interface Connection {
	context: PlatformContext;
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	host: string;
	lane: Lane;
	options: SendOptions;
	clock: Clock;
	signal?: AbortSignal;
	/** Takes the API key out of a text that came from outside. */
	scrub: (text: string) => string;
}

/**
 * Reads the credential and finds the lane that its requests share.
 *
 * @throws CredentialError when the credential's address or key cannot be used
 */
export async function connect(
	context: PlatformContext,
	options: Partial<SendOptions> = {},
	clock: Clock = systemClock,
): Promise<Connection> {
	const { baseUrl: typed, apiKey } = await context.getCredentials<IDataObject>(CREDENTIAL);
	const baseUrl = normaliseBaseUrl(typed);
	const key = checkApiKey(apiKey);
	return {
		context,
		baseUrl,
		host: new URL(baseUrl).host,
		lane: laneOf(baseUrl, key),
		options: { ...DEFAULT_SEND_OPTIONS, ...options },
		clock,
		signal: context.getExecutionCancelSignal?.(),
		scrub: (text) => text.split(key).join('[API key]'),
	};
}
