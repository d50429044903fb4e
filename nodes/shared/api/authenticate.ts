import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BaseUrlError, normaliseBaseUrl } from './baseUrl';

/**
 * Adds the API key to a request (API document, "Authentication", 1). Also the place where n8n's credential
 * test meets the checks of both fields, since nothing else of ours runs there.
 *
 * @throws BaseUrlError when the Base URL or the API Key cannot be used
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	normaliseBaseUrl(credentials.baseUrl);
	const apiKey = typeof credentials.apiKey === 'string' ? credentials.apiKey.trim() : '';
	if (apiKey === '') throw new BaseUrlError('The API Key is empty.');
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new BaseUrlError(
			'The API Key holds spaces or characters that no key has. Copy it again.',
		);
	}
	requestOptions.headers = { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` };
	return requestOptions;
}
