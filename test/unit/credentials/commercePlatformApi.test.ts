import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';

const rules = new CommercePlatformApi().test.rules ?? [];

it.each([
	[
		'of a 401 that the key was refused, and who else may answer so',
		[401],
		/The API key was refused.*login page.*separate keys/,
	],
	[
		'of a 403 both reasons, and that the credential can be used',
		[403],
		/^(?!.*knows this API key).*the key lacks the right.*or a firewall refused.*You can save and use this/,
	],
	['of a 407 that a proxy asks', [407], /A proxy asks.*HTTPS_PROXY.*says nothing of the API key/],
	['of a 451 that it is blocked', [451], /blocked for legal reasons.*says nothing of the API key/],
	['to correct the address, where it redirects', [301, 302, 303, 307, 308], /Check the Base URL/],
	[
		'to compare the address, where it has no such path',
		[404, 405, 410, 501],
		/Compare the Base URL.*or firewall/,
	],
	[
		'of a fault that it says nothing of the key',
		[500, 502, 503, 504, 505, 511, 520, 524, 529, 599],
		/had a fault.*says nothing of the API key/,
	],
])('the credential test says %s', (_what, statuses, message) => {
	for (const status of statuses) {
		const rule = rules.find(({ properties }) => properties.value === status);
		expect(rule?.type).toBe('responseCode');
		expect(rule?.properties.message).toMatch(message);
	}
});
