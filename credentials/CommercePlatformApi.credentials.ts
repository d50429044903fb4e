import { randomBytes } from 'node:crypto';
import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { addsToCredentials } from '../nodes/shared/n8n';
import { authenticate } from '../nodes/shared/rest/credential';
import { textField } from '../nodes/shared/values/fields';

const REDIRECTS =
	'The address redirects elsewhere. The redirect was not followed, so that the API key stays with its host. Check the Base URL.';

const NOT_HERE =
	'The address answers, but has no /account below it. Compare the Base URL with what the platform gave you: it is the API address, ending in /v1. A proxy or firewall on the way may also have answered.';

const FAULT =
	'The platform, or a server before it, had a fault. Your API key may still be fine: test again later.';

/** The messages for a failed test. n8n gives its rules only the status, not the body. */
const MESSAGE_BY_STATUS: Record<number, string> = {
	301: REDIRECTS,
	302: REDIRECTS,
	303: REDIRECTS,
	307: REDIRECTS,
	308: REDIRECTS,
	401: 'The API key was refused (HTTP 401), or a login page on the way has answered. Sandbox and production use separate keys: compare key and Base URL.',
	403: 'The request was not allowed (HTTP 403). Either the key lacks the right to read the account, which this test asks for, or a firewall refused. You can save and use this credential: operations work as far as the key’s scopes allow.',
	404: NOT_HERE,
	405: NOT_HERE,
	410: NOT_HERE,
	429: 'Too many requests were sent (HTTP 429). The request budget of the API key may be spent. The key itself may be right: test again in a minute.',
	501: NOT_HERE,
	500: FAULT,
	502: FAULT,
	503: FAULT,
	504: FAULT,
};

// If no answer comes, n8n shows the system's code, e.g. ENOTFOUND: rules see answers only. A function of a node
// (`testedBy`) could say more, but n8n gives it only the deprecated `request` helper, which no community node may use,
// and ignores it if there is a `test`. n8n's type allows one kind of rule at a time, but its tester reads both.
const testRules = [
	...Object.entries(MESSAGE_BY_STATUS).map(([status, message]) => ({
		type: 'responseCode' as const,
		properties: { value: Number(status), message },
	})),
	{
		type: 'responseSuccessBody' as const,
		properties: {
			// A body that is no JSON arrives as a text.
			key: 'constructor.name',
			value: 'String',
			message:
				'The address answered with something other than JSON, e.g. a web page. Either the Base URL is not the API address, or a proxy, a firewall or a login page on the way answered.',
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
			'Create it in the back office (Developers, Advanced mode), where it is shown once. Choose only the scopes needed.',
			{ typeOptions: { password: true }, required: true },
		),
		{
			displayName: 'Sealing Secret',
			name: 'sealingSecret',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Draws the key that encrypts signing secrets in a workflow's static data, which n8n exports. n8n calls this before
	 * a request while the field is empty, and keeps the result with the credential. A key that is there stays, also when
	 * the API key is replaced.
	 */
	async preAuthentication({ sealingSecret }: ICredentialDataDecryptedObject) {
		if (sealingSecret || !addsToCredentials()) return {};
		return { sealingSecret: randomBytes(32).toString('base64url') };
	}

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
