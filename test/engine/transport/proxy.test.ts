import type { IncomingHttpHeaders } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { API_KEY } from '../../support/testShop';

/** A server that records its requests and answers with an account. */
async function keepingServer() {
	const asked: Array<{ url: string; headers: IncomingHttpHeaders }> = [];
	const server = await loopbackServer(({ url = '', headers }, response) => {
		asked.push({ url, headers });
		response.setHeader('content-type', 'application/json');
		response.end('{"data":{"rate_limits":{}}}');
	});
	return { asked, ...server };
}

let shop: Awaited<ReturnType<typeof keepingServer>>;
let proxy: typeof shop;

beforeAll(async () => {
	[shop, proxy] = [await keepingServer(), await keepingServer()];
});
afterEach(() => {
	shop.asked.length = 0;
	proxy.asked.length = 0;
});
afterAll(async () => {
	await shop.close();
	await proxy.close();
});

const runThrough = async (written: unknown, routingNode: boolean) =>
	await runOperation(
		'account.get',
		{ requestOptions: { proxy: written, maxRetryWait: 0 } as IDataObject },
		{ credentials: { baseUrl: `http://${shop.address}/v1`, apiKey: API_KEY }, routingNode },
	);

describe.each([
	['its own engine', false],
	['n8n’s RoutingNode', true],
])('the Proxy of Request Options, by %s', (_name, routingNode) => {
	it('gets the requests instead of the platform', async () => {
		const { error } = await runThrough(`http://${proxy.address}`, routingNode);
		expect(error).toBeUndefined();
		expect(proxy.asked.map(({ url }) => url)).toEqual([`http://${shop.address}/v1/account`]);
		expect(shop.asked).toEqual([]);
	});

	it('is given the name and the password of its address', async () => {
		await runThrough(`http://max:50%25%3A%40@${proxy.address}`, routingNode);
		const [{ headers }] = proxy.asked;
		const [, encoded] = String(headers['proxy-authorization']).split(' ');
		expect(Buffer.from(encoded, 'base64').toString()).toBe('max:50%:@');
	});

	it.each([
		['has no scheme', 'proxy.example:3128'],
		['is a name that n8n takes for a scheme', 'localhost:3128'],
		['has a scheme of files', 'ftp://proxy.example:21'],
		['has another scheme of proxies', 'socks5://proxy.example:1080'],
		['has no host', 'file:///proxy'],
		['has no host but a port', 'http://:3128'],
		['has a stray % in its password', 'http://max:secret50%@proxy.example:3128'],
		['is a number', 3128],
		['is an object', { host: 'proxy.example', port: 3128 }],
		['is false', false],
	])('is refused if it %s: nothing is sent without it', async (_what, written) => {
		const { error } = await runThrough(written, routingNode);
		expect([...shop.asked, ...proxy.asked]).toEqual([]);
		expect(error).toBeDefined();
		expect(`${error?.message} ${error?.description}`).not.toContain('secret50');
		if (!routingNode) expect(error?.message).toContain("'Proxy'");
	});

	it.each([undefined, null, ''])('may be left out, or be %p', async (written) => {
		const { error } = await runThrough(written, routingNode);
		expect(error).toBeUndefined();
		expect(shop.asked).toHaveLength(1);
	});
});
