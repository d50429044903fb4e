import { type FaultRule } from '../index';
import { post, usePlatform } from './usePlatform';

const { platform, control, api } = usePlatform({ minuteBudget: 1_000_000 });
beforeEach(async () => await control.reset());

const set = async (...faults: FaultRule[]) => await control.setFaults(faults);

/** Status of each of `count` requests, 0 for a broken connection. */
async function statuses(count: number, path = '/account', method = 'GET'): Promise<number[]> {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) {
		const request = method === 'POST' ? post({ title: `Kite ${n}` }) : undefined;
		seen.push((await api.send(path, request).catch(() => ({ status: 0 }))).status);
	}
	return seen;
}

describe('a fault', () => {
	it.each([429, 500, 502, 503, 504])('of status %d has an error body', async (status) => {
		await set({ fault: 'status', status, times: 1 });
		const answer = await api.send('/account');
		expect(answer.status).toBe(status);
		expect(answer.json).toMatchObject({ error: { request_id: expect.any(String) } });
		expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
		expect((await api.send('/account')).status).toBe(200);
	});

	it('of 429 tells Retry-After as asked: by default, in seconds, as a date, or not', async () => {
		const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
		await set({
			script: [
				'429',
				{ fault: 'status', status: 429, retryAfter: 7 },
				{ fault: 'status', status: 503, retryAfter: date },
				{ fault: 'status', status: 429, omitRetryAfter: true },
				'503',
			],
		});
		const told: Array<string | undefined> = [];
		for (let n = 0; n < 5; n++) told.push((await api.send('/account')).headers['retry-after']);
		expect(told).toEqual(['1', '7', date, undefined, undefined]);
	});

	it('of a slow answer comes late', async () => {
		await set({ fault: 'slow', ms: 120 });
		const started = performance.now();
		expect((await api.send('/account')).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(110);
	});

	it('of a dropped connection applies nothing, of a lost answer everything', async () => {
		const count = async () => (await control.records('products')).count;
		const before = await count();
		await set({ fault: 'reset', method: 'POST' });
		expect(await statuses(2, '/products', 'POST')).toEqual([0, 0]);
		expect(await count()).toBe(before);
		await set({ fault: 'lostAnswer', method: 'POST' });
		expect(await statuses(2, '/products', 'POST')).toEqual([0, 0]);
		expect(await count()).toBe(before + 2);
	});

	it.each<[FaultRule, object]>([
		[
			{ fault: 'malformedJson' },
			{
				status: 200,
				headers: { 'content-type': 'application/json; charset=utf-8' },
				json: undefined,
			},
		],
		[{ fault: 'html' }, { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' } }],
		[{ fault: 'empty' }, { status: 200, text: '' }],
		[
			{ fault: 'redirect', location: 'https://evil.example/v1/account' },
			{ status: 302, headers: { location: 'https://evil.example/v1/account' } },
		],
	])('of a body or a place: %j', async (rule, answer) => {
		await set(rule);
		expect(await api.send('/account')).toMatchObject(answer);
	});

	it('of a stall never answers', async () => {
		await set({ fault: 'stall', times: 1 });
		const request = fetch(`${platform.baseUrl}/account`, {
			headers: { authorization: `Bearer ${platform.apiKey}` },
			signal: AbortSignal.timeout(150),
		});
		await expect(request).rejects.toThrow('timeout');
	});
});

describe('a fault rule', () => {
	it('matches only its method and path, by template or by beginning', async () => {
		await set(
			{ fault: 'status', status: 500, path: '/orders/{id}' },
			{ fault: 'status', status: 502, path: '/products', method: 'POST' },
		);
		expect(await statuses(1, '/orders/ord_none')).toEqual([500]);
		expect(await statuses(1, '/orders')).toEqual([200]);
		expect(await statuses(1, '/products')).toEqual([200]);
		expect(await statuses(1, '/products', 'POST')).toEqual([502]);
	});

	it('follows a script, one step a matching request, and then rests', async () => {
		await set({ path: '/products', script: ['ok', '503', 'reset', '429'] });
		expect(await statuses(1)).toEqual([200]);
		expect(await statuses(6, '/products')).toEqual([200, 503, 0, 429, 200, 200]);
	});

	it('matches at most as often as it may', async () => {
		await set({ fault: 'status', status: 500, times: 2 });
		expect(await statuses(4)).toEqual([500, 500, 200, 200]);
	});

	it('by probability matches that share, the same in every run with its seed', async () => {
		const rule: FaultRule = { fault: 'status', status: 500, probability: 0.2, seed: 3 };
		const run = async () => {
			await set(rule);
			return await statuses(300);
		};
		const first = await run();
		const share = first.filter((status) => status === 500).length / 300;
		expect(share).toBeGreaterThan(0.13);
		expect(share).toBeLessThan(0.27);
		expect(await run()).toEqual(first);
	});

	it('draws from a list, each of its faults', async () => {
		await set({
			probability: 0.5,
			anyOf: [{ fault: 'status', status: 429 }, { fault: 'reset' }, { fault: 'lostAnswer' }],
		});
		const seen = new Set(await statuses(60));
		expect(seen).toEqual(new Set([200, 429, 0]));
	});

	it.each<[string, FaultRule]>([
		['no fault', { probability: 1 }],
		['an unknown fault', { fault: 'gremlin' } as unknown as FaultRule],
		['an unknown step', { script: ['ok', 'gremlin'] }],
		['an empty list', { anyOf: [] }],
	])('with %s is refused', async (_what, rule) => {
		await expect(set(rule)).rejects.toThrow(/fault/);
	});

	it('ends with an empty list of rules, and with a reset', async () => {
		await set({ fault: 'status', status: 500 });
		await set();
		expect(await statuses(1)).toEqual([200]);
		await set({ fault: 'status', status: 500 });
		await control.reset();
		expect(await statuses(1)).toEqual([200]);
	});
});

describe('a thousand writes, a fifth of them with a fault at random', () => {
	it('end as exactly one record for each Idempotency-Key when they are sent until answered', async () => {
		const before = (await control.records('products')).count;
		const statuses = [500, 502, 503].map((status) => ({ fault: 'status' as const, status }));
		const busy = { fault: 'status', status: 429, omitRetryAfter: true } as const;
		await set({
			probability: 0.2,
			anyOf: [busy, ...statuses, { fault: 'reset' }, { fault: 'lostAnswer' }],
		});
		const create = async (n: number): Promise<void> => {
			const request = post({ title: `Kite ${n}` }, { 'idempotency-key': `key-${n}` });
			const { status } = await api.send('/products', request).catch(() => ({ status: 0 }));
			if (status !== 201) await create(n);
		};
		const worker = async (first: number) => {
			for (let n = first; n < 1_000; n += 8) await create(n);
		};
		await Promise.all(Array.from({ length: 8 }, async (_, first) => await worker(first)));
		const { writesByIdempotencyKey, replays } = await control.counters();
		expect((await control.records('products')).count).toBe(before + 1_000);
		const writes = Object.values(writesByIdempotencyKey);
		expect([writes.length, new Set(writes)]).toEqual([1_000, new Set([1])]);
		expect(replays).toBeGreaterThan(10);
	}, 20_000);
});
