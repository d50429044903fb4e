import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import type { CredentialTest } from '../../support/n8n/types';
import { Progress } from '../../support/progress';
import {
	CREDENTIAL_TYPE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';

describe('the credential test of a real n8n', () => {
	let environment: TestEnvironment;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent());
	});
	after(async () => await environment?.close());

	/** Saves a credential with these values and tests it, as the credential dialog does. */
	async function tested(values: object = {}): Promise<CredentialTest> {
		const { baseUrl, apiKey } = environment.platform;
		const data = { baseUrl, apiKey, ...values };
		const credential = await environment.client.createCredential('Tested', CREDENTIAL_TYPE, data);
		return await environment.client.testCredential(credential, data);
	}

	it('passes with the right key', async () => {
		const { status, message } = await tested();
		assert.equal(status, 'OK', message);
	});

	it('passes with a slash at the end of the address', async () => {
		const { status, message } = await tested({ baseUrl: `${environment.platform.baseUrl}/` });
		assert.equal(status, 'OK', message);
	});

	it('fails with a wrong key, and says that it is the key', async () => {
		const { status, message } = await tested({ apiKey: 'wrong' });
		assert.equal(status, 'Error');
		assert.match(message, /key/i);
	});

	it('fails with an address at which nothing listens, and does not blame the key', async () => {
		const { status, message } = await tested({ baseUrl: 'http://127.0.0.1:9/v1' });
		assert.equal(status, 'Error');
		// n8n's own word: docs/troubleshooting.md says what it means.
		assert.equal(message, 'ECONNREFUSED');
	});

	it('fails while the platform has a fault, and blames neither key nor address', async () => {
		const { control } = environment.platform;
		await control.setFaults([{ method: 'GET', path: '/account', fault: 'status', status: 503 }]);
		const { status, message } = await tested();
		await control.setFaults([]);
		assert.equal(status, 'Error');
		assert.match(message, /had a fault/);
	});

	it('fails with an address without /v1, and says so', async () => {
		const { status, message } = await tested({
			baseUrl: environment.platform.baseUrl.replace(/\/v1$/, ''),
		});
		assert.equal(status, 'Error');
		assert.match(message, /\/v1/);
	});

	it('fails with an address that answers something other than JSON', async () => {
		const { status, message } = await tested({ baseUrl: `${environment.n8n.url}/v1` });
		assert.equal(status, 'Error');
		assert.doesNotMatch(message, /key/i);
	});

	it('never repeats the key in its message', async () => {
		const { message } = await tested({ apiKey: 'wrong-and-recognisable' });
		assert.doesNotMatch(message, /wrong-and-recognisable/);
	});
});
