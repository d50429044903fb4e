import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	IHttpRequestOptions,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';
import { API_KEY, BASE_URL } from '../testShop';

/** The content of a test's credential; its fields may be expressions. */
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
		getDecrypted: async (
			_additionalData: unknown,
			_nodeCredentials: unknown,
			_type: string,
			mode: WorkflowExecuteMode,
			executeData?: IExecuteData,
			_raw?: boolean,
			resolve?: ICredentialsExpressionResolveValues,
		) => {
			if (resolve === undefined) return { ...decrypted };
			// As in n8n's own helper.
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } =
				resolve;
			return workflow.expression.getParameterValue(
				{ ...decrypted } as INodeParameters,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
			) as ICredentialDataDecryptedObject;
		},
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
