import { request } from 'node:http';

import { createControlClient } from '../control/client';
import { usePlatform } from './usePlatform';

const { platform } = usePlatform({ products: 5 });

/** Status of a request with these headers, `Host` among them, which fetch would not send. */
async function statusOf(
	method: string,
	path: string,
	headers: Record<string, string> = {},
): Promise<number | undefined> {
	return await new Promise((resolve, reject) => {
		request(platform.controlUrl + path, { method, headers }, (response) => {
			response.resume().once('end', () => resolve(response.statusCode));
		})
			.once('error', reject)
			.end();
	});
}

const port = () => new URL(platform.controlUrl).port;

describe('the control API', () => {
	it('answers the back office, programs and what the user opens', async () => {
		const origin = platform.controlUrl;
		expect(await statusOf('POST', '/payOrder')).toBe(200);
		expect(await statusOf('POST', '/payOrder', { origin })).toBe(200);
		expect(await statusOf('POST', '/payOrder', { origin, 'sec-fetch-site': 'same-origin' })).toBe(
			200,
		);
		expect(await statusOf('GET', '/counters', { 'sec-fetch-site': 'none' })).toBe(200);
	});

	it('refuses a page that is named as the origin', async () => {
		for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1:1']) {
			expect(await statusOf('POST', '/payOrder', { origin })).toBe(403);
		}
	});

	it.each(['cross-site', 'same-site'])(
		'refuses what a %s page sends without naming itself: an image, a link, a read without CORS',
		async (site) => {
			const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' };
			expect(await statusOf('GET', '/counters', headers)).toBe(403);
			expect(await statusOf('GET', '/payOrder', headers)).toBe(403);
			expect(await statusOf('POST', '/payOrder', headers)).toBe(403);
		},
	);

	it('shows its own page to who follows a link of another', async () => {
		const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
		expect(await statusOf('GET', '/', headers)).toBe(200);
	});

	it.each(['evil.example', '127.0.0.1.evil.example', 'evil.example:80@localhost', '0.0.0.0', ''])(
		'refuses the name “%s”, also to a page of that name',
		async (name) => {
			const host = `${name}:${port()}`;
			expect(await statusOf('POST', '/createKey', { host })).toBe(403);
			expect(await statusOf('POST', '/createKey', { host, origin: `http://${host}` })).toBe(403);
			expect(await statusOf('GET', '/', { host })).toBe(403);
		},
	);

	it('answers under every name of this machine, at a forwarded port too', async () => {
		for (const host of [`localhost:${port()}`, `LOCALHOST:${port()}`, '[::1]:8080', '127.0.0.1']) {
			expect(await statusOf('POST', '/payOrder', { host })).toBe(200);
			expect(await statusOf('POST', '/payOrder', { host, origin: `http://${host}` })).toBe(200);
		}
	});

	it('takes GET for reads alone, and changes nothing by it', async () => {
		const read = [];
		for (const name of Object.keys(createControlClient(platform.controlUrl))) {
			const before = await platform.control.list({ kind: 'orders' });
			const status = await statusOf('GET', `/${name}`);
			expect([name, [200, 405].includes(status ?? 0)]).toEqual([name, true]);
			expect(await platform.control.list({ kind: 'orders' })).toEqual(before);
			if (status === 200) read.push(name);
		}
		expect(read.join(', ')).toBe(
			'platform, deliveries, endpoints, counters, requests, budgets, dialect, openPoints, faults',
		);
	});
});
