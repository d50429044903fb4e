import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';
import { API_KEY, BASE_URL } from '../testShop';

/** What the credential of a test holds. */
export interface ShopAccess {
	baseUrl: string;
	apiKey: string;
}

/** n8n makes a credential type once, when it loads the package. */
const { authenticate } = new CommercePlatformApi();

/** n8n's credentials helper without its database: the credential type is the real one. */
export function credentialsHelper(options: { credentials?: ShopAccess }) {
	const decrypted: ICredentialDataDecryptedObject = {
		...(options.credentials ?? { baseUrl: BASE_URL, apiKey: API_KEY }),
	};
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...decrypted }),
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			requestOptions: IHttpRequestOptions,
		) =>
			typeof authenticate === 'function'
				? await authenticate(credentials, requestOptions)
				: requestOptions,
	};
}
