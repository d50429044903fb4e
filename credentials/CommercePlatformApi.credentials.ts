import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate } from '../nodes/shared/api/authenticate';

export class CommercePlatformApi implements ICredentialType {
	name = 'commercePlatformApi';

	displayName = 'Commerce Platform API';

	icon: Icon = {
		light: 'file:../icons/commercePlatform.svg',
		dark: 'file:../icons/commercePlatform.dark.svg',
	};

	documentationUrl = 'https://commerce-platform.example/n8n/credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.your-shop.example/v1',
			description:
				'The API address of your shop, ending in /v1. Sandbox and production have separate addresses and keys.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Create it in the back office (Developers, Advanced mode). It is shown once. Give it only the scopes that your workflows need, e.g. products.read, orders.read, webhooks.manage.',
		},
	];

	authenticate: IAuthenticate = authenticate;

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim() }}',
			url: '/account',
			// A redirect would carry the API key to wherever it points.
			disableFollowRedirect: true,
		},
		rules: [],
	};
}
