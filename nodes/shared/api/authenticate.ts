import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { normaliseBaseUrl } from './baseUrl';
import { checkApiKey } from './apiKey';

/**
 * Adds the API key to a request (API document, "Authentication", 1). Also the place where n8n's credential
 * test meets the checks of both fields, since nothing else of ours runs there.
 *
 * @throws CredentialError when the Base URL or the API Key cannot be used
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	normaliseBaseUrl(credentials.baseUrl);
	const apiKey = checkApiKey(credentials.apiKey);
	requestOptions.headers = { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` };
	return requestOptions;
}
