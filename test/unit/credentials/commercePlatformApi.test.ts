import { CommercePlatformApi } from '../../../credentials/CommercePlatformApi.credentials';

/** What n8n shows when GET /account is answered with this status. */
function messageFor(status: number): string | undefined {
	const rules = new CommercePlatformApi().test.rules ?? [];
	const rule = rules.find(({ type, properties }) => {
		return type === 'responseCode' && properties.value === status;
	});
	return rule?.properties.message;
}

describe('the credential test', () => {
	it('says of a wrong key that it was not accepted', () => {
		expect(messageFor(401)).toMatch(/did not accept the API key/);
	});

	it('says of a key without the right to read the account that it is known and can be used', () => {
		expect(messageFor(403)).toMatch(/knows this API key/);
		expect(messageFor(403)).toMatch(/You can save and use this credential/);
		expect(messageFor(403)).not.toMatch(/not accept/);
	});

	it('blames the address, not the key, for redirects and for a path that is not there', () => {
		for (const status of [301, 302, 303, 307, 308, 404, 405, 410]) {
			expect(messageFor(status)).toMatch(/Check the Base URL/);
		}
	});

	it('blames neither key nor address for a fault of the platform', () => {
		for (const status of [500, 502, 503, 504]) {
			expect(messageFor(status)).toMatch(/had a fault/);
			expect(messageFor(status)).toMatch(/says nothing of the API key/);
		}
	});
});
