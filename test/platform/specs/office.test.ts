import { request } from 'node:http';
import { createControlClient } from '../control/client';
import { usePlatform } from './usePlatform';

const { platform, control } = usePlatform({ products: 5 });

/** Status of a request with these headers, `Host` among them, which fetch would not send. */
const statusOf = async (asked: string, headers: Record<string, string> = {}) =>
	await new Promise<number | undefined>((resolve, reject) => {
		const [method, path] = asked.split(' ');
		request(platform.controlUrl + path, { method, headers }, (response) => {
			response.resume().once('end', () => resolve(response.statusCode));
		})
			.once('error', reject)
			.end();
	});

describe('who may use the control API', () => {
	it.each<[string, Record<string, string>]>([
		['POST /payOrder', {}],
		['POST /payOrder', { host: 'localhost:1', origin: 'http://localhost:1' }],
		['POST /payOrder', { host: 'LOCALHOST:8080', 'sec-fetch-site': 'same-origin' }],
		['POST /payOrder', { host: '[::1]:8080' }],
		['POST /payOrder', { host: '127.0.0.1', origin: 'http://127.0.0.1' }],
		['GET /counters', { 'sec-fetch-site': 'none' }],
		// The page itself is shown to who follows a link of another.
		['GET /', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
	])(
		'its own page, programs and what the user opens, under every name of this machine: %s %j',
		async (asked, headers) => {
			expect(await statusOf(asked, headers)).toBe(200);
		},
	);

	it.each<Record<string, string>>([
		{ origin: 'https://elsewhere.example' },
		{ origin: 'null' },
		{ origin: 'http://127.0.0.1:1' },
		// An image, a link, a read without CORS: the page does not name itself.
		{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
		{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
	])('no other page: %j', async (headers) => {
		for (const asked of ['GET /counters', 'GET /payOrder', 'POST /payOrder']) {
			expect([asked, await statusOf(asked, headers)]).toEqual([asked, 403]);
		}
	});

	it.each(['evil.example', '127.0.0.1.evil.example', 'evil.example:80@localhost', '0.0.0.0', ''])(
		'nobody under the name “%s”, not a page of that name either',
		async (name) => {
			const host = `${name}:${new URL(platform.controlUrl).port}`;
			expect(await statusOf('GET /', { host })).toBe(403);
			expect(await statusOf('POST /createKey', { host })).toBe(403);
			expect(await statusOf('POST /createKey', { host, origin: `http://${host}` })).toBe(403);
		},
	);

	it('takes GET for reads alone, and changes nothing by it', async () => {
		const read = [];
		const before = await control.list({ kind: 'orders' });
		for (const name of Object.keys(createControlClient(platform.controlUrl))) {
			const status = await statusOf(`GET /${name}`);
			expect([name, [200, 405].includes(status ?? 0)]).toEqual([name, true]);
			expect(await control.list({ kind: 'orders' })).toEqual(before);
			if (status === 200) read.push(name);
		}
		expect(read.join(', ')).toBe(
			'platform, deliveries, endpoints, counters, requests, budgets, dialect, openPoints, faults',
		);
	});
});

describe('the back office', () => {
	it('is served at the address of the control API, with every file that it names', async () => {
		const page = await fetch(platform.controlUrl);
		expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
		const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)];
		expect(files.length).toBeGreaterThan(3);
		for (const [, file] of files) expect((await fetch(platform.controlUrl + file)).ok).toBe(true);
	});

	it.each(['/office/../main.ts', '/office/%2e%2e/main.ts', '/office/none.js', '/main.ts'])(
		'serves nothing else of the disk: %s',
		async (path) => {
			expect((await fetch(platform.controlUrl + path)).status).toBe(404);
		},
	);
});
