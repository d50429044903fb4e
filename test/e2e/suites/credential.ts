import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import type { CredentialTest } from '../../support/n8n/types';

const WRONG_KEY = 'wrong-and-recognisable';

/** The results of the credential dialog's test. */
export function credentialTest(shop: TestEnvironment): void {
	/** Saves a credential with these values and tests it, as the dialog does. */
	async function tested(values: object): Promise<CredentialTest> {
		const { client, platform } = shop;
		const { baseUrl, apiKey } = platform;
		const data = { baseUrl, apiKey, ...values };
		return await client.testCredential(await client.createShopCredential('Tested', data), data);
	}
	const baseUrl = () => shop.platform.baseUrl;

	const cases: Array<[what: string, values: () => object, said: RegExp]> = [
		['passes with the right key', () => ({}), /^OK/],
		['passes with a slash at the end of the address', () => ({ baseUrl: `${baseUrl()}/` }), /^OK/],
		[
			'fails with a wrong key, and says that it is the key',
			() => ({ apiKey: WRONG_KEY }),
			/^Error: .*key/i,
		],
		[
			// n8n's own message; docs/troubleshooting.md explains it.
			'fails with an address at which nothing listens, and does not blame the key',
			() => ({ baseUrl: 'http://127.0.0.1:9/v1' }),
			/^Error: ECONNREFUSED$/,
		],
		[
			'fails with an address without /v1, and says so',
			() => ({ baseUrl: baseUrl().replace(/\/v1$/, '') }),
			/^Error: .*\/v1/,
		],
		[
			'fails with an address that answers something other than JSON, and does not blame the key',
			() => ({ baseUrl: `${shop.n8n.url}/v1` }),
			/^Error: (?!.*key)/i,
		],
	];
	for (const [what, values, said] of cases) {
		it(what, async () => {
			const { status, message } = await tested(values());
			assert.match(`${status}: ${message}`, said);
			assert.ok(!message.includes(WRONG_KEY));
		});
	}
}
