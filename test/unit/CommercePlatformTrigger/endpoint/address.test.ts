import { addressProblem } from '../../../../nodes/CommercePlatformTrigger/endpoint/lifecycle';

const PUBLIC = 'https://api.shop.example/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';
const UNREACHABLE = 'cannot reach n8n';
const NO_HTTPS = 'https addresses only';

const PATH = '/webhook/a';

it.each<[string | undefined, string, string[]]>([
	[undefined, PUBLIC, ['https://n8n.example', 'https://10.0.0.5']],
	[undefined, LOCAL, ['http://127.0.0.1:5678', 'http://localhost:5678', 'http://[::1]:5678']],
	[undefined, LOCAL, ['https://n8n.example']],
	[UNREACHABLE, PUBLIC, ['http://localhost:5678', 'https://localhost', 'http://127.0.0.1:5678']],
	[UNREACHABLE, PUBLIC, ['http://127.9.9.9', 'http://[::1]', 'http://0.0.0.0:5678']],
	[UNREACHABLE, PUBLIC, ['http://n8n.localhost', 'http://LOCALHOST.']],
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
