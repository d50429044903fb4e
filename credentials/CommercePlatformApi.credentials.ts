import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate } from '../nodes/shared/api/credential';
import { textField } from '../nodes/shared/fields';

const REDIRECTS =
	'The address redirects elsewhere. The redirect was not followed, so that the API key stays with its host. Check the Base URL.';

const NOT_HERE =
	'The address answers, but has no /account below it. Check the Base URL: it is the API address, ending in /v1.';

const FAULT =
	'The platform, or what stands before it, had a fault. This says nothing of the API key: test again later.';

/** What the user reads for each way in which the test can fail. */
const MESSAGE_BY_STATUS: Record<number, string> = {
	301: REDIRECTS,
	302: REDIRECTS,
	303: REDIRECTS,
	307: REDIRECTS,
	308: REDIRECTS,
	401: 'The platform did not accept the API key. Sandbox and production use separate keys: check that key and Base URL belong together.',
	403: 'The platform knows this API key, but the key lacks the right to read the account, which this test asks for. You can save and use this credential: operations work as far as the key’s scopes allow.',
	404: NOT_HERE,
	405: NOT_HERE,
	410: NOT_HERE,
	429: 'The request budget of this API key is spent. The key itself may be right: test again in a minute.',
	500: FAULT,
	502: FAULT,
	503: FAULT,
	504: FAULT,
};

// Where no answer comes, n8n shows the system's word for it, e.g. ENOTFOUND: rules see answers only. A function of a
// node (`testedBy`) could say more, but n8n gives it only the deprecated `request` helper, which no community node
// may use, and never asks it while there is a `test`.
// n8n's type allows one kind of rule at a time, its tester reads both.
const testRules = [
	...Object.entries(MESSAGE_BY_STATUS).map(([status, message]) => ({
		type: 'responseCode' as const,
		properties: { value: Number(status), message },
	})),
	{
		type: 'responseSuccessBody' as const,
		properties: {
			// A body that is no JSON arrives as text.
			key: 'constructor.name',
			value: 'String',
			message:
				'The address answered with something other than JSON, e.g. a web page. Check the Base URL.',
		},
	},
] as ICredentialTestRequest['rules'];

export class CommercePlatformApi implements ICredentialType {
	name = 'commercePlatformApi';

	displayName = 'Commerce Platform API';

	icon: Icon = {
		light: 'file:../icons/commercePlatform.svg',
		dark: 'file:../icons/commercePlatform.dark.svg',
	};

	documentationUrl = 'https://commerce-platform.example/n8n/credentials';

	properties: INodeProperties[] = [
		textField(
			'Base URL',
			'baseUrl',
			'The API address of your shop, ending in /v1. Sandbox and production have separate addresses and keys.',
			{ required: true, example: 'https://api.your-shop.example/v1' },
		),
		textField(
			'API Key',
			'apiKey',
			'Create it in the back office (Developers, Advanced mode), where it is shown once. Give it only the scopes needed.',
			{ typeOptions: { password: true }, required: true },
		),
	];

	authenticate: IAuthenticate = authenticate;

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim() }}',
			url: '/account',
			// A redirect would carry the API key to wherever it points.
			disableFollowRedirect: true,
		},
		rules: testRules,
	};
}
