import type { IHookFunctions } from 'n8n-workflow';

import { registerEndpoint } from '../../../nodes/CommercePlatformTrigger/endpoint';

const PUBLIC = 'https://api.shop.example/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';
const UNREACHABLE = 'cannot reach n8n';
const PRIVATE = 'of a private network only';
const NO_HTTPS = 'https addresses only';

const PATH = '/webhook/a';

/** Why an endpoint is not registered for an address; `ENOTFOUND` if only the request fails that asks for the others. */
async function problemOf(address: string, baseUrl: string): Promise<string> {
	const context = {
		getNode: () => ({ name: 'Trigger', type: 'trigger', webhookId: 'a', parameters: {} }),
		getWorkflow: () => ({ id: 'w1', name: 'Orders' }),
		getMode: () => 'trigger',
		getTimezone: () => 'UTC',
		getNodeWebhookUrl: () => address,
		getWorkflowStaticData: () => ({}),
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'events' ? ['order.paid'] : fallback,
		getCredentials: async () => ({ baseUrl, apiKey: 'cpk_live_1' }),
		helpers: {
			httpRequestWithAuthentication: async () =>
				await Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
		},
	} as unknown as IHookFunctions;
	const error = await registerEndpoint(context).catch((reason: unknown) => reason);
	const { message, description } = error as { message: string; description: string };
	return message.startsWith('The platform at') ? 'ENOTFOUND' : `${message}. ${description}`;
}

it.each<[string | undefined, string, string[]]>([
	[
		undefined,
		PUBLIC,
		['https://n8n.example', 'https://8.8.8.8', 'https://172.15.0.1', 'https://172.32.0.1'],
	],
	[undefined, LOCAL, ['http://127.0.0.1:5678', 'http://localhost:5678', 'http://[::1]:5678']],
	[undefined, LOCAL, ['https://n8n.example']],
	[UNREACHABLE, PUBLIC, ['http://localhost:5678', 'https://localhost', 'http://127.0.0.1:5678']],
	[UNREACHABLE, PUBLIC, ['http://127.9.9.9', 'http://[::1]', 'http://0.0.0.0:5678']],
	[UNREACHABLE, PUBLIC, ['http://n8n.localhost', 'http://LOCALHOST.']],
	[
		PRIVATE,
		PUBLIC,
		['https://10.0.0.5', 'http://10.0.0.5', 'https://172.16.0.1', 'https://172.31.9.9'],
	],
	[PRIVATE, PUBLIC, ['https://192.168.1.2:5678', 'https://169.254.0.1', 'https://[fd00::1]']],
	[PRIVATE, PUBLIC, ['https://[fe80::1]', 'https://[::ffff:10.0.0.5]', 'https://[fc00::1]']],
	[
		PRIVATE,
		PUBLIC,
		['http://n8n:5678', 'https://n8n.local', 'https://n8n.corp.internal.', 'https://n8n.lan'],
	],
	[undefined, 'http://10.0.0.9/v1', ['https://10.0.0.5', 'http://n8n:5678']],
	[undefined, LOCAL, ['http://192.168.1.2:5678']],
	[NO_HTTPS, PUBLIC, ['http://n8n.example', '', 'n8n', 'ftp://n8n.example']],
	[NO_HTTPS, LOCAL, ['http://n8n.example']],
])('is %p, with the platform at %s, for each of %j', async (problem, platform, hosts) => {
	for (const host of hosts) {
		const told = await problemOf(`${host}${PATH}`, platform);
		const expected = problem === undefined ? 'ENOTFOUND' : expect.stringContaining(problem);
		expect([host, told]).toEqual([host, expected]);
	}
});

it('an empty address is none', async () => {
	expect(await problemOf('', PUBLIC)).toContain(NO_HTTPS);
});
