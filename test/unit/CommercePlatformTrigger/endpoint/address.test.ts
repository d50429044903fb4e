import { addressProblem } from '../../../../nodes/CommercePlatformTrigger/endpoint/lifecycle';

const PUBLIC = 'https://api.shop.example/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';
const UNREACHABLE = 'cannot reach n8n';
const NO_HTTPS = 'https addresses only';

it.each([
	['https://n8n.example/webhook/a', PUBLIC, undefined],
	['https://10.0.0.5/webhook/a', PUBLIC, undefined],
	['http://127.0.0.1:5678/webhook/a', LOCAL, undefined],
	['http://localhost:5678/webhook/a', LOCAL, undefined],
	['http://[::1]:5678/webhook/a', LOCAL, undefined],
	['https://n8n.example/webhook/a', LOCAL, undefined],
	['http://localhost:5678/webhook/a', PUBLIC, UNREACHABLE],
	['https://localhost/webhook/a', PUBLIC, UNREACHABLE],
	['http://127.0.0.1:5678/webhook/a', PUBLIC, UNREACHABLE],
	['http://127.9.9.9/webhook/a', PUBLIC, UNREACHABLE],
	['http://[::1]/webhook/a', PUBLIC, UNREACHABLE],
	['http://0.0.0.0:5678/webhook/a', PUBLIC, UNREACHABLE],
	['http://n8n.localhost/webhook/a', PUBLIC, UNREACHABLE],
	['http://LOCALHOST./webhook/a', PUBLIC, UNREACHABLE],
	['http://n8n.example/webhook/a', PUBLIC, NO_HTTPS],
	['http://n8n.example/webhook/a', LOCAL, NO_HTTPS],
	['', PUBLIC, NO_HTTPS],
	['n8n', PUBLIC, NO_HTTPS],
	['/webhook/a', PUBLIC, NO_HTTPS],
	['ftp://n8n.example/a', PUBLIC, NO_HTTPS],
])('%p, with the platform at %s, has the problem: %p', (address, platform, problem) => {
	const told = addressProblem(address, platform);
	if (problem === undefined) expect(told).toBeUndefined();
	else expect(told).toContain(problem);
});
