import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, describe, it } from 'node:test';

import type { IDataObject, INode } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { selfSigned } from '../../support/selfSigned';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';
import { environmentOfSuite } from '../environment';

/** The only name of this machine under which n8n may reach servers of this test. */
const ALLOWED_HOST = 'localhost';

/** The messages of a run if something other than the platform answers, in a real n8n with SSRF protection. */
describe('n8n with SSRF protection', () => {
	const shop = environmentOfSuite({
		n8n: {
			environment: {
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_HOSTNAMES: ALLOWED_HOST,
			},
		},
	});
	const servers: Server[] = [];
	after(() => {
		for (const server of servers) server.close();
	});

	async function portOf(server: Server): Promise<number> {
		servers.push(server);
		await once(server.listen(0), 'listening');
		return (server.address() as AddressInfo).port;
	}

	/** Runs a write. @returns how the run failed and how long it took, ms */
	async function update(baseUrl: string, requestOptions: IDataObject = {}) {
		const { client, platform } = shop;
		const credential = await client.createShopCredential('Tried', {
			baseUrl,
			apiKey: platform.apiKey,
		});
		const file = chain('Tried', credential, [
			manualTrigger('Start'),
			shopNode('Note', {
				resource: 'order',
				operation: 'update',
				orderId: byId('ord_1'),
				updateFields: { merchant_note: 'x' },
				requestOptions,
			} as INode['parameters']),
		]);
		const { id } = await client.createWorkflow(file);
		const startedMs = performance.now();
		const execution = await client.finishedExecution(await client.run(id, 'Start'));
		const { message = '', description } = execution.data.resultData.error ?? {};
		return { words: `${message} ${description ?? ''}`, tookMs: performance.now() - startedMs };
	}

	it('passes on in n8n’s words what that refuses, at once', async () => {
		const { words, tookMs } = await update('http://127.0.0.1:9/v1');
		assert.match(words, /blocked|SSRF|not allowed/i);
		assert.doesNotMatch(words, /may have done|connection failed|try again/i);
		assert.ok(tookMs < 5_000, `${tookMs} ms`);
	});

	it('tells a self-signed certificate by its code and its cure, and that nothing was done', async () => {
		const port = await portOf(createTlsServer(selfSigned(ALLOWED_HOST)));
		const { words, tookMs } = await update(`https://${ALLOWED_HOST}:${port}/v1`);
		assert.match(words, new RegExp(`DEPTH_ZERO_SELF_SIGNED_CERT at ${ALLOWED_HOST}:${port}`));
		assert.match(words, /certificate is not trusted/);
		assert.match(words, /NODE_EXTRA_CA_CERTS/);
		// An error that is shown alone names its record.
		assert.match(words, /order id “ord_1”/);
		assert.doesNotMatch(words, /may have done/);
		assert.ok(tookMs < 5_000, `${tookMs} ms`);
	});

	it('does not take a proxy that asks for a name and a password for a wrong API key', async () => {
		const proxy = createServer((_request, response) => response.writeHead(407).end());
		proxy.on('connect', (_request, socket) =>
			socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
		);
		const port = await portOf(proxy);
		const { words } = await update(`https://${ALLOWED_HOST}:9/v1`, {
			proxy: `http://${ALLOWED_HOST}:${port}`,
		});
		assert.match(words, /HTTP 407/);
		assert.doesNotMatch(words, /API key|may have done/);
	});
});
