import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';

const rules = new CommercePlatformApi().test.rules ?? [];

it.each([
	['of a wrong key that it was not accepted', [401], /^.*did not accept the API key/],
	[
		'of a key without the right to read the account that it is known and can be used',
		[403],
		/knows this API key(?!.*not accept).*You can save and use this credential/,
	],
	[
		'to check the address, where it redirects or has no such path',
		[301, 302, 303, 307, 308, 404, 405, 410],
		/Check the Base URL/,
	],
	[
		'of a fault of the platform that it says nothing of the key',
		[500, 502, 503, 504],
		/had a fault.*says nothing of the API key/,
	],
])('the credential test says %s', (_what, statuses, message) => {
	for (const status of statuses) {
		const rule = rules.find(({ properties }) => properties.value === status);
		expect(rule?.type).toBe('responseCode');
		expect(rule?.properties.message).toMatch(message);
	}
});
