import { CredentialError } from '../../../../nodes/shared/rest/errors';
import { authenticate, readCredential } from '../../../../nodes/shared/rest/credential';

const baseUrlOf = (baseUrl: unknown) => readCredential({ baseUrl, apiKey: 'cpk_live_1' }).baseUrl;

describe('the Base URL', () => {
	it.each([
		['https://api.shop.example/v1/', 'https://api.shop.example/v1'],
		['  https://api.shop.example/v1//  ', 'https://api.shop.example/v1'],
		['https://API.shop.example/v1', 'https://api.shop.example/v1'],
		...[
			...['https://api.shop.example/v1', 'https://shop.example/api/v1', 'http://[::1]:4000/v1'],
			...['http://platform:4000/v1', 'http://host.docker.internal/v1', 'http://172.31.0.1/v1'],
			...['localhost', '127.0.0.1', '127.100.20.255'].map((host) => `http://${host}:4000/v1`),
		].map((normal) => [normal, normal]),
	])('takes %s as %s', (typed, normalised) => {
		expect(baseUrlOf(typed)).toBe(normalised);
		expect(baseUrlOf(normalised)).toBe(normalised);
	});

	it.each<[RegExp, unknown[]]>([
		[/is empty/, ['', '   ', undefined]],
		[/not a web address/, ['api.shop.example/v1']],
		[/must start with https/, ['ftp://api.shop.example/v1']],
		[/unencrypted/, ['http://api.shop.example/v1', 'http://127.0.0.1.evil.example/v1']],
		[
			/unencrypted/,
			[
				'128.0.0.1',
				'172.32.0.1',
				'192.169.0.1',
				'evil.localhost',
				'shop.internal.example',
				'10.evil.example',
				'192.168.evil.example',
				'172.16.x.example',
			].map((host) => `http://${host}/v1`),
		],
		[/does not end in \/v1/, ['', '/v2', '/xv1'].map((path) => `https://api.shop.example${path}`)],
		[
			/user name or password/,
			['user:secret', 'user', ':secret'].map((user) => `https://${user}@api.shop.example/v1`),
		],
		[/“\?” or “#”/, ['?x=1', '?', '#part', '#'].map((end) => `https://api.shop.example/v1${end}`)],
	])('refuses by %s, and never repeats what may hold a secret: %j', (message, addresses) => {
		for (const typed of addresses) {
			expect(() => baseUrlOf(typed)).toThrow(CredentialError);
			expect(() => baseUrlOf(typed)).toThrow(message);
			expect(() => baseUrlOf(typed)).not.toThrow('secret');
		}
	});
});

describe('the API Key', () => {
	const baseUrl = 'https://api.shop.example/v1';

	it.each(['cpk_live_1', '!', '~', 'a"b\\c'])(
		'is sent as it is, without the blanks around it: %s',
		async (apiKey) => {
			const { headers } = await authenticate(
				{ baseUrl, apiKey: `\t ${apiKey} \n` },
				{ url: baseUrl },
			);
			expect(headers).toEqual({ Authorization: `Bearer ${apiKey}` });
		},
	);

	it.each([
		['The API Key is empty.', ['', '   ', undefined, null, 42]],
		[
			'The API Key holds spaces or characters that no key has. Copy it again.',
			['a b', 'a\nb', 'schlüssel', 'a\u007f', `${'k'.repeat(20)}\u00a0x`],
		],
	])('says “%s”, and repeats nothing of it, for %j', (message, keys) => {
		for (const typed of keys)
			expect(() => readCredential({ baseUrl, apiKey: typed })).toThrow(
				new CredentialError(message),
			);
	});
});

it('a merchant is named by Base URL and API key together, in whatever form they were typed', () => {
	const typed = [
		['https://api.shop.example/v1', 'cpk_live_1'],
		[' https://API.shop.example/v1/ ', ' cpk_live_1 '],
		['https://api.shop.example/v1', 'cpk_live_2'],
		['https://other.example/v1', 'cpk_live_1'],
	];
	const [id, same, ...others] = typed.map(
		([baseUrl, apiKey]) => readCredential({ baseUrl, apiKey }).id,
	);
	expect(same).toBe(id);
	expect(new Set([id, ...others]).size).toBe(3);
	expect(id).not.toContain('cpk_live_1');
});

describe('authenticate', () => {
	const data = { baseUrl: 'https://api.shop.example/v1', apiKey: ' cpk_live_1 ' };
	const url = 'https://api.shop.example/v1/account';

	it('adds the key as a Bearer token beside the other headers', async () => {
		const options = await authenticate(data, { url, headers: { accept: 'text/x' } });
		expect(options).toEqual({
			url,
			headers: { accept: 'text/x', Authorization: 'Bearer cpk_live_1' },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});

	it.each([
		{ url: 'https://API.shop.example:443/v1/orders?x=https://evil.example' },
		{ url: '/account', baseURL: 'https://api.shop.example/v1' },
		{ url: '/v1/account', baseURL: 'https://api.shop.example' },
		{ url: '/account?next=https://other.example', baseURL: 'https://api.shop.example/v1' },
		{ url: 'account?next=https://other.example', baseURL: 'https://api.shop.example/v1' },
		{ url: '', uri: 'https://api.shop.example/v1/orders' },
	])('gives the key to the Base URL and what is below it: %j', async (options) => {
		expect((await authenticate(data, options)).headers).toHaveProperty('Authorization');
	});

	it.each([
		{ url: 'https://evil.example/v1/orders' },
		{ url: 'http://api.shop.example/v1/orders' },
		{ url: 'https://api.shop.example:8443/v1/orders' },
		{ url: 'https://api.shop.example.evil.example/v1/orders' },
		{ url: 'https://api.shop.example/v1@evil.example/' },
		{ url: 'https://api.shop.example@evil.example/v1/' },
		{ url: 'https://api.shop.example/v10/orders' },
		{ url: 'https://api.shop.example/v1/../admin' },
		{ url: 'https://api.shop.example/v1/%2e%2E/admin' },
		{ url: '//evil.example/v1/orders', baseURL: 'https://api.shop.example/v1' },
		{ url: 'https://evil.example/v1', baseURL: 'https://api.shop.example/v1' },
		{ url: '../admin', baseURL: 'https://api.shop.example/v1' },
		{ url: 'https://api.shop.example/v1', uri: 'https://evil.example/v1' },
		{ url: '/v1/orders' },
	])('gives the key to no other address: %j', async (options) => {
		await expect(authenticate(data, options)).rejects.toThrow(/Nothing was sent/);
		expect(options).not.toHaveProperty('headers');
	});

	it.each([
		[{ baseUrl: 'https://api.shop.example' }, /does not end in \/v1/],
		[{ apiKey: '' }, /API Key is empty/],
	])('refuses a credential with %j', async (change, reason) => {
		await expect(authenticate({ ...data, ...change }, { url })).rejects.toThrow(reason);
	});
});
