import { addressProblem } from '../../../../nodes/CommercePlatformTrigger/endpoint/lifecycle';

const PUBLIC = 'https://api.shop.example/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';

describe('addressProblem', () => {
	it.each([
		['https://n8n.example/webhook/a', PUBLIC],
		['https://10.0.0.5/webhook/a', PUBLIC],
		['http://127.0.0.1:5678/webhook/a', LOCAL],
		['http://localhost:5678/webhook/a', LOCAL],
		['http://[::1]:5678/webhook/a', LOCAL],
		['https://n8n.example/webhook/a', LOCAL],
	])('%s can be reached from %s', (address, platform) => {
		expect(addressProblem(address, platform)).toBeUndefined();
	});

	it.each([
		'http://localhost:5678/webhook/a',
		'https://localhost/webhook/a',
		'http://127.0.0.1:5678/webhook/a',
		'http://127.9.9.9/webhook/a',
		'http://[::1]/webhook/a',
		'http://0.0.0.0:5678/webhook/a',
		'http://n8n.localhost/webhook/a',
		'http://LOCALHOST./webhook/a',
	])('%s is an address of this machine only, for a platform elsewhere', (address) => {
		expect(addressProblem(address, PUBLIC)).toContain('cannot reach n8n');
	});

	it.each([PUBLIC, LOCAL])(
		'plain http is refused beyond this machine, towards %s too',
		(platform) => {
			expect(addressProblem('http://n8n.example/webhook/a', platform)).toContain(
				'https addresses only',
			);
		},
	);

	it.each(['', 'n8n', '/webhook/a', 'ftp://n8n.example/a'])('%p is no address', (address) => {
		expect(addressProblem(address, PUBLIC)).toContain('https addresses only');
	});
});
