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
	const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

	it.each<[FaultRule, number, string | undefined]>([
		[{ fault: 'status', status: 429 }, 429, '1'],
		[{ fault: 'status', status: 429, retryAfter: 7 }, 429, '7'],
		[{ fault: 'status', status: 503, retryAfter: DATE }, 503, DATE],
		[{ fault: 'status', status: 503 }, 503, undefined],
	])('of a status has an error body, and Retry-After as asked: %j', async (rule, status, told) => {
		await set(rule);
		const answer = await api.send('/account');
		expect([answer.status, answer.headers['retry-after']]).toEqual([status, told]);
		expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
		expect(answer.json).toMatchObject({ error: { request_id: expect.any(String) } });
	});

	it('`slow` answers late, `stall` never', async () => {
		await set({ fault: 'slow', ms: 120, times: 1 }, { fault: 'stall' });
		const started = performance.now();
		expect((await api.send('/account')).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(110);
		const request = fetch(`${platform.baseUrl}/account`, {
			headers: { authorization: `Bearer ${platform.apiKey}` },
			signal: AbortSignal.timeout(150),
		});
		await expect(request).rejects.toThrow('timeout');
	});

	it.each([
		['reset', 0],
		['lostAnswer', 2],
	] as const)('%s breaks the connection; of two writes %d are applied', async (fault, applied) => {
		const { count } = await control.records('products');
		await set({ fault, method: 'POST' });
		expect(await statuses(2, '/products', 'POST')).toEqual([0, 0]);
		expect(await control.records('products')).toEqual({ count: count + applied });
	});

	it('`html` answers with an HTML page', async () => {
		await set({ fault: 'html' });
		const headers = { 'content-type': 'text/html; charset=utf-8' };
		expect(await api.send('/account')).toMatchObject({ status: 502, headers, json: undefined });
	});
});

describe('a fault rule', () => {
	it('matches only its method and path, by template or by beginning, at most `times` times', async () => {
		await set(
			{ fault: 'status', status: 500, path: '/orders/{id}', times: 2 },
			{ fault: 'status', status: 502, path: '/products', method: 'POST' },
		);
		expect(await statuses(3, '/orders/ord_none')).toEqual([500, 500, 404]);
		expect(await statuses(1, '/orders')).toEqual([200]);
		expect(await statuses(1, '/products')).toEqual([200]);
		expect(await statuses(1, '/products', 'POST')).toEqual([502]);
		await set();
		expect(await statuses(1, '/products', 'POST')).toEqual([201]);
	});

	it('may name a text within the body', async () => {
		await set({ fault: 'status', status: 503, body: 'Kite' });
		const create = async (title: string) =>
			(await api.send('/products', { method: 'POST', body: { title } })).status;
		expect(await create('A red Kite')).toBe(503);
		expect(await create('A ball')).toBe(201);
		expect(await statuses(1)).toEqual([200]);
	});

	it('follows a script, one step per matching request, and then does nothing', async () => {
		await set({ path: '/products', script: ['ok', '503', 'reset', '429'] });
		expect(await statuses(1)).toEqual([200]);
		expect(await statuses(6, '/products')).toEqual([200, 503, 0, 429, 200, 200]);
	});

	it('draws one of several faults with its probability, the same in every run with the same seed', async () => {
		const run = async () => {
			await set({
				probability: 0.2,
				seed: 3,
				anyOf: [{ fault: 'status', status: 500 }, { fault: 'lostAnswer' }],
			});
			return await statuses(300);
		};
		const first = await run();
		expect(new Set(first)).toEqual(new Set([200, 500, 0]));
		const share = first.filter((status) => status !== 200).length / 300;
		expect(Math.abs(share - 0.2)).toBeLessThan(0.07);
		expect(await run()).toEqual(first);
	});

	it.each([
		{ probability: 1 },
		{ fault: 'gremlin' } as unknown as FaultRule,
		{ script: ['ok', 'gremlin'] },
		{ anyOf: [] },
	])('is refused with no fault or an unknown one: %j', async (rule) => {
		await expect(set(rule)).rejects.toThrow(/fault/);
		expect(await control.faults()).toEqual([]);
	});
});
