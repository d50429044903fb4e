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
	['to correct the address, where it redirects', [301, 302, 303, 307, 308], /Check the Base URL/],
	[
		'to compare the address, where it has no such path',
		[404, 405, 410, 501],
		/Compare the Base URL.*or firewall/,
	],
	[
		'of a fault that it says nothing of the key',
		[500, 502, 503, 504],
		/had a fault.*may still be fine/,
	],
])('the credential test says %s', (_what, statuses, message) => {
	for (const status of statuses) {
		const rule = rules.find(({ properties }) => properties.value === status);
		expect(rule?.type).toBe('responseCode');
		expect(rule?.properties.message).toMatch(message);
	}
});

describe('the key that seals signing secrets', () => {
	const drawn = async (sealingSecret: string, without: object = {}) => {
		jest.doMock('n8n-workflow', () => ({ ...jest.requireActual('n8n-workflow'), ...without }));
		const { CommercePlatformApi: Fresh } =
			await import('../../../credentials/CommercePlatformApi.credentials');
		return await new Fresh().preAuthentication({ sealingSecret, apiKey: 'key' });
	};
	beforeEach(() => jest.resetModules());
	afterAll(() => jest.dontMock('n8n-workflow'));

	it('is drawn once, and stays when the API key is replaced', async () => {
		const [one, other] = [await drawn(''), await drawn('')];
		expect(one.sealingSecret).toMatch(/^[\w-]{43}$/);
		expect(other.sealingSecret).not.toBe(one.sealingSecret);
		expect(await drawn('there')).toEqual({});
	});

	it('is not drawn where n8n would store the values of expressions with it', async () => {
		expect(await drawn('', { N8N_NODES_API_VERSION: undefined })).toEqual({});
	});
});
