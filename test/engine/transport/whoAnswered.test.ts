import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { selfSigned } from '../../support/selfSigned';
import { API_KEY } from '../../support/testShop';

jest.setTimeout(20_000);

const servers: Server[] = [];
afterEach(() => {
	jest.restoreAllMocks();
	for (const server of servers.splice(0)) server.close();
});

/** @returns the port of a server on this machine */
async function listening(server: Server): Promise<number> {
	servers.push(server);
	await once(server.listen(0), 'listening');
	return (server.address() as AddressInfo).port;
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
	const server = createHttpServer();
	const port = await listening(server);
	await once(server.close(), 'close');
	return port;
}

/** Runs a write. @returns its outcome */
async function update(baseUrl: string, requestOptions: IDataObject = {}) {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const fields = { orderId: byId('ord_1'), updateFields: { merchant_note: 'x' }, requestOptions };
	const { error } = await runOperation('order.update', fields, {
		credentials: { baseUrl, apiKey: API_KEY },
	});
	return { message: error?.message ?? '', description: error?.description ?? '' };
}

const ok = () => createHttpServer((_request, response) => response.end('{"data":{"id":"ord_1"}}'));

describe('a certificate', () => {
	const secure = async (host: string, fromMs?: number) =>
		await listening(
			createTlsServer(selfSigned(host, fromMs), (_request, answer) => answer.end('{}')),
		);

	it('that is self-signed is reported with the remedy, after one attempt', async () => {
		const port = await secure('localhost');
		const { message, description } = await update(`https://localhost:${port}/v1`);
		expect(message).toBe(`The platform at localhost:${port} could not be reached`);
		expect(description).toContain(`(DEPTH_ZERO_SELF_SIGNED_CERT at localhost:${port})`);
		expect(description).toContain('NODE_EXTRA_CA_CERTS');
		// An error that is shown alone names its record.
		expect(description).toContain('order id “ord_1”');
		expect(description).not.toContain('may have done it');
	});

	it('is not mentioned if the port speaks plain http', async () => {
		const port = await listening(ok());
		const { message, description } = await update(`https://localhost:${port}/v1`);
		expect(message).toBe(`The platform at localhost:${port} could not be reached`);
		expect(description).toContain('it answers without TLS on this port');
		expect(description).not.toContain('may have done it');
	});
});

describe('a proxy of n8n’s environment', () => {
	afterEach(() => {
		delete process.env.HTTPS_PROXY;
		delete process.env.HTTP_PROXY;
	});

	it.each(['https', 'http'])('that is down is named by its address, for %s', async (scheme) => {
		const port = await closedPort();
		process.env[`${scheme.toUpperCase()}_PROXY`] = `http://user:secret@127.0.0.1:${port}`;
		const host = scheme === 'https' ? 'api.shop.example' : 'localhost';
		const { message, description } = await update(`${scheme}://${host}/v1`);
		expect(message).toContain('could not be reached');
		expect(description).toContain(`(ECONNREFUSED at 127.0.0.1:${port})`);
		expect(`${message} ${description}`).not.toMatch(/may have done it|secret/);
	});

	it('that does not exist is named', async () => {
		process.env.HTTPS_PROXY = 'http://no-such-proxy.invalid:3128';
		const { description } = await update('https://api.shop.example/v1');
		expect(description).toContain('(ENOTFOUND at no-such-proxy.invalid)');
	});

	it.each([
		[407, '', 'refused the request (HTTP 407)', 'Check the values of this node.'],
		[403, '<html><title>Blocked by policy</title>', 'A web page came instead', 'Blocked by policy'],
	])('that answers %d %s is distinguished from the platform', async (status, page, first, then) => {
		const proxy = createHttpServer();
		proxy.on('connect', (_request, socket) => {
			const type = page === '' ? '' : 'Content-Type: text/html\r\n';
			socket.end(`HTTP/1.1 ${status} No\r\n${type}Content-Length: ${page.length}\r\n\r\n${page}`);
		});
		process.env.HTTPS_PROXY = `http://127.0.0.1:${await listening(proxy)}`;
		const { message, description } = await update('https://api.shop.example/v1');
		expect(message).toContain(first);
		expect(description).toContain(then);
		expect(`${message} ${description}`).not.toMatch(/scope|was not accepted|may have done it/);
	});
});

it('the proxy of the Request Options is named by its address', async () => {
	const proxy = `http://127.0.0.1:${await closedPort()}`;
	const { message, description } = await update('http://localhost/v1', { proxy });
	expect(message).toContain('could not be reached');
	expect(description).toContain(`(ECONNREFUSED at ${proxy.replace('http://', '')})`);
});

/** A package of n8n as n8n-core itself loaded it. */
function partOfN8n(name: string): unknown {
	const load = (globalThis as Record<symbol, unknown>)[Symbol.for('loaded once')] as NodeRequire;
	return load(load.resolve(`@n8n/${name}`, { paths: [load.resolve('n8n-core')] }));
}

it('a request that n8n’s SSRF protection stops keeps n8n’s message and remedy', async () => {
	const port = await listening(ok());
	const { Container } = partOfN8n('di') as { Container: { get: (of: unknown) => IDataObject } };
	const { SsrfProtectionConfig } = partOfN8n('config') as IDataObject;
	const config = Container.get(SsrfProtectionConfig);
	config.enabled = true;
	const { message, description } = await update(`http://127.0.0.1:${port}/v1`).finally(
		() => (config.enabled = false),
	);
	expect(message).toBe('The request was blocked because it resolves to a restricted IP address');
	expect(description).toContain('ask your n8n administrator to allowlist');
	expect(description).toContain('nothing was sent');
	expect(description).not.toContain('may have done it');
});
