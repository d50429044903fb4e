import { CredentialError } from '../../../../nodes/shared/errors/errors';
import {
	authenticate,
	checkApiKey,
	normaliseBaseUrl,
} from '../../../../nodes/shared/api/credential';

describe('normaliseBaseUrl', () => {
	it.each([
		['https://api.shop.example/v1', 'https://api.shop.example/v1'],
		['https://api.shop.example/v1/', 'https://api.shop.example/v1'],
		['  https://api.shop.example/v1//  ', 'https://api.shop.example/v1'],
		['https://API.shop.example/v1', 'https://api.shop.example/v1'],
		['https://shop.example/api/v1', 'https://shop.example/api/v1'],
		['http://localhost:4000/v1', 'http://localhost:4000/v1'],
		['http://127.0.0.1:4000/v1', 'http://127.0.0.1:4000/v1'],
		['http://127.100.20.255:4000/v1', 'http://127.100.20.255:4000/v1'],
		['http://[::1]:4000/v1', 'http://[::1]:4000/v1'],
	])('takes %s as %s', (typed, normalised) => {
		expect(normaliseBaseUrl(typed)).toBe(normalised);
		expect(normaliseBaseUrl(normalised)).toBe(normalised);
	});

	it.each([
		['', /is empty/],
		['   ', /is empty/],
		[undefined, /is empty/],
		['api.shop.example/v1', /not a web address/],
		['ftp://api.shop.example/v1', /must start with https/],
		['http://api.shop.example/v1', /unencrypted/],
		['http://127.0.0.1.evil.example/v1', /unencrypted/],
		['http://128.0.0.1/v1', /unencrypted/],
		['http://evil-localhost/v1', /unencrypted/],
		['http://evil.localhost/v1', /unencrypted/],
		['https://api.shop.example', /does not end in \/v1/],
		['https://api.shop.example/v2', /does not end in \/v1/],
		['https://api.shop.example/xv1', /does not end in \/v1/],
		['https://user:secret@api.shop.example/v1', /user name or password/],
		['https://user@api.shop.example/v1', /user name or password/],
		['https://:secret@api.shop.example/v1', /user name or password/],
		['https://api.shop.example/v1?x=1', /“\?” or “#”/],
		['https://api.shop.example/v1?', /“\?” or “#”/],
		['https://api.shop.example/v1#part', /“\?” or “#”/],
		['https://api.shop.example/v1#', /“\?” or “#”/],
	])('refuses %s, and never repeats what may hold a secret', (typed, message) => {
		expect(() => normaliseBaseUrl(typed)).toThrow(CredentialError);
		expect(() => normaliseBaseUrl(typed)).toThrow(message);
		expect(() => normaliseBaseUrl(typed)).not.toThrow('secret');
	});
});

describe('checkApiKey', () => {
	it.each([
		['cpk_live_1', 'cpk_live_1'],
		['\t cpk_live_1 \n', 'cpk_live_1'],
		['!', '!'],
		['~', '~'],
		['a"b\\c', 'a"b\\c'],
	])('takes %j as %j', (typed, key) => {
		expect(checkApiKey(typed)).toBe(key);
	});

	it.each([[''], ['   '], [undefined], [null], [42]])('says that %j is empty', (typed) => {
		expect(() => checkApiKey(typed)).toThrow(new CredentialError('The API Key is empty.'));
	});

	it.each([['a b'], ['a\nb'], ['schlüssel'], ['a\u007f'], [`${'k'.repeat(20)}\u00a0x`]])(
		'refuses %j, which no header can carry, and does not repeat it',
		(typed) => {
			expect(() => checkApiKey(typed)).toThrow(
				new CredentialError(
					'The API Key holds spaces or characters that no key has. Copy it again.',
				),
			);
		},
	);
});

describe('authenticate', () => {
	const data = { baseUrl: 'https://api.shop.example/v1', apiKey: ' cpk_live_1 ' };
	const url = 'https://api.shop.example/v1/account';

	it('adds the key as a Bearer token beside the other headers', async () => {
		const options = await authenticate(data, { url, headers: { accept: 'text/x' } });
		expect(options).toEqual({
			url,
			headers: { accept: 'text/x', Authorization: 'Bearer cpk_live_1' },
		});
	});

	it.each([
		{ url: 'https://api.shop.example/v1' },
		{ url: 'https://API.shop.example:443/v1/orders?x=https://evil.example' },
		{ url: '/account', baseURL: 'https://api.shop.example/v1' },
		{ url: 'account', baseURL: 'https://api.shop.example/v1/' },
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
		{ url: 'https://api.shop.example/v2/orders' },
		{ url: 'https://api.shop.example/v10/orders' },
		{ url: 'https://api.shop.example/v1/../admin' },
		{ url: 'https://api.shop.example/v1/%2e%2E/admin' },
		{ url: 'https://api.shop.example/v1\\..\\admin' },
		{ url: '//evil.example/v1/orders', baseURL: 'https://api.shop.example/v1' },
		{ url: 'https://evil.example/v1', baseURL: 'https://api.shop.example/v1' },
		{ url: '../admin', baseURL: 'https://api.shop.example/v1' },
		{ url: 'https://api.shop.example/v1', uri: 'https://evil.example/v1' },
		{ url: '/v1/orders' },
		{ url: '' },
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
