import { addressProblem } from '../../../nodes/CommercePlatformTrigger/endpoint';

const PUBLIC = 'https://api.shop.example/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';
const UNREACHABLE = 'cannot reach n8n';
const PRIVATE = 'of a private network only';
const NO_HTTPS = 'https addresses only';

const PATH = '/webhook/a';

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
])('is %p, with the platform at %s, for each of %j', (problem, platform, hosts) => {
	for (const host of hosts) {
		const told = addressProblem(`${host}${PATH}`, platform);
		expect([host, told]).toEqual([host, problem && expect.stringContaining(problem)]);
	}
});

it('an empty address is none', () => {
	expect(addressProblem('', PUBLIC)).toContain(NO_HTTPS);
});
