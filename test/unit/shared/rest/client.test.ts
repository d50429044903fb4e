import type { PlatformRequest, SendOptions } from '../../../../nodes/shared/rest/request';
import { FakeClock, settle } from '../../fakeClock';
import { type Answer, failure, GET, POST, type Scripted, scriptedClient } from './scriptedClient';

const DELETE: PlatformRequest = { ...GET, method: 'DELETE' };
const LONGEST_KEY = '~'.repeat(255);
const lost = failure('ECONNRESET');
/** An answer that shows the rest of the day’s budget. */
const day = (left: number) => ({
	headers: { 'x-ratelimit-limit-day': '100', 'x-ratelimit-remaining-day': String(left) },
});

describe('a request', () => {
	it('is sent as it was described', async () => {
		const { request, sent } = await scriptedClient([{ body: { data: { id: 'ord_1' } } }]);
		await request({
			...POST,
			path: '/orders/{id}/x',
			pathParams: { id: 'a/b' },
			query: { q: 'ä&', empty: '', none: undefined, n: 0, yes: false },
			headers: { 'If-Match': '"v1"' },
			idempotencyKey: LONGEST_KEY,
		});
		expect(sent[0]).toEqual({
			method: 'POST',
			url: 'https://api.shop.example/v1/orders/a%2Fb/x?q=%C3%A4%26&n=0&yes=false',
			headers: {
				Accept: 'application/json',
				'Content-Type': 'application/json',
				'If-Match': '"v1"',
				'Idempotency-Key': LONGEST_KEY,
			},
			body: '{"a":1}',
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
			abortSignal: expect.any(AbortSignal) as AbortSignal,
		});
	});

	it('is sent without a body or a key if it reads, and with the user’s settings', async () => {
		const proxy = { host: 'proxy.example', port: 3128 };
		const options = { proxy, skipSslCertificateValidation: true, timeoutMs: 5 };
		const { request, sent } = await scriptedClient([{}], options);
		await request();
		expect(sent[0]).toMatchObject({ proxy, timeout: 5, skipSslCertificateValidation: true });
		expect(sent[0].url).toBe('https://api.shop.example/v1/orders/ord_1');
		expect(sent[0].headers).toEqual({ Accept: 'application/json' });
		expect(sent[0].body).toBeUndefined();
	});

	it('gets a random key if a write has none, the same for all attempts', async () => {
		const { request, after, sent } = await scriptedClient([{ status: 503 }, {}, {}]);
		await after(1_000, POST);
		await request(POST);
		const [first, again, next] = sent.map(({ headers }) => headers?.['Idempotency-Key']);
		expect([again === first, next === first]).toEqual([true, false]);
		expect(first).toMatch(/^[\w-]{36}$/);
	});

	it('is given its answer with the headers, the record, its id and its time', async () => {
		const date = 'Sun, 01 Mar 2026 12:00:09 GMT';
		const said = { ETag: '"v1"', 'X-Request-Id': 'req_1', Date: date, 'Set-Cookie': ['a', 'b'] };
		const headers = { ...said, Missing: undefined, Empty: null };
		const { request } = await scriptedClient([{ body: { data: { id: 'x' } }, headers }]);
		expect((await request()).value).toEqual({
			status: 200,
			headers: { etag: '"v1"', 'x-request-id': 'req_1', date, 'set-cookie': 'a,b' },
			body: { data: { id: 'x' } },
			record: { id: 'x' },
			requestId: 'req_1',
			serverTimeMs: Date.parse(date),
		});
	});

	it('that fails for good tells what was requested, and what was answered how often', async () => {
		const body = { error: { code: 'CONFLICT', message: 'stale', request_id: 'req_9' } };
		const { request } = await scriptedClient([{ status: 409, body }]);
		const code = { code: 'CONFLICT', platformMessage: 'stale', requestId: 'req_9' };
		expect((await request()).error).toMatchObject({
			problem: 'refused',
			request: { method: 'GET', path: '/orders/{id}', host: 'api.shop.example' },
			details: { status: 409, ...code, attempts: 1, timeoutMs: 60_000 },
		});
	});
});

describe('a write whose first attempt may have been applied', () => {
	it.each<[string, Scripted, Partial<SendOptions>]>([
		['budget-spent', { status: 429, headers: { 'retry-after': '3600' } }, {}],
		['budget-kept', day(1), { keepDailyBudgetPercent: 20 }],
	])('says so also where %s ends it', async (problem, answer, options) => {
		const { request, clock } = await scriptedClient([lost, answer], options);
		clock.randoms = [0, 0.9];
		const writing = request(POST);
		await settle();
		const other = request();
		await clock.advance(1_000);
		await other;
		expect((await writing).error).toMatchObject({ problem, details: { mayBeApplied: true } });
	});

	it('takes a 404 for success only if it deletes', async () => {
		const gone = { status: 404 };
		const outcome = async (one: PlatformRequest, ...answers: Answer[]) =>
			await (await scriptedClient(answers)).after(1_000, one);
		expect((await outcome(DELETE, lost, gone)).value).toMatchObject(gone);
		for (const before of [[failure('ECONNREFUSED')], [{ status: 429 }], []])
			expect((await outcome(DELETE, ...before, gone)).error?.details).toMatchObject(gone);
		const other: PlatformRequest = { ...GET, method: 'PATCH' };
		expect((await outcome(other, lost, gone)).error?.details).toMatchObject(gone);
	});

	it('tells so of its answer', async () => {
		const { request, after } = await scriptedClient([lost, {}, {}]);
		expect((await after(1_000, POST)).value).toMatchObject({ earlierMayBeApplied: true });
		expect((await request(POST)).value).not.toHaveProperty('earlierMayBeApplied');
	});

	it.each<[boolean | undefined, PlatformRequest, Answer[]]>([
		[true, POST, [{ status: 503 }]],
		[true, POST, [lost, { status: 409 }]],
		[undefined, POST, [failure('ECONNREFUSED'), { status: 409 }]],
		[undefined, GET, [{ status: 503 }]],
	])('tells so of its error: %s of %j after %p', async (mayBeApplied, one, answers) => {
		const { after } = await scriptedClient(answers, { maxAttempts: answers.length });
		expect((await after(5_000, one)).error?.details.mayBeApplied).toBe(mayBeApplied);
	});

	it('is repeated as Retry Writes says', async () => {
		const attempts = async (retryWrites: SendOptions['retryWrites'], first: Answer) => {
			const { after, sent } = await scriptedClient([first, {}], { retryWrites });
			await after(1_000, POST);
			return sent.length;
		};
		expect(await attempts('whenSurelyNotApplied', failure('ECONNREFUSED'))).toBe(2);
		expect(await attempts('whenSurelyNotApplied', lost)).toBe(1);
		expect(await attempts('automatic', lost)).toBe(2);
	});
});

describe('the key’s budget', () => {
	it('that is spent makes the key’s other requests wait as well', async () => {
		const answers = [{ status: 429, headers: { 'retry-after': '7' } }, {}, {}];
		const { request, sent, clock, client } = await scriptedClient(answers);
		const first = request();
		await settle();
		const second = request();
		await clock.advance(6_990);
		expect(sent).toHaveLength(1);
		await clock.advance(300);
		expect((await Promise.all([first, second])).map(({ error }) => error)).toEqual([
			undefined,
			undefined,
		]);
		expect(sent).toHaveLength(3);
		const waited = { rateLimitMs: 7_000, retries: 1, longestRetryWaitMs: 7_000 };
		expect(client.waited).toEqual(waited);
		expect(client.requestsSent).toBe(3);
	});

	it('that is spent for longer than it waits ends it at once, and the next before it is sent', async () => {
		const held = { status: 429, headers: { 'retry-after': '3600' } };
		const { request, sent, clock } = await scriptedClient([held]);
		const resumeAtMs = clock.now() + 3_600_000;
		for (const [retryAfterMs, more] of [
			[3_600_000, { attempts: 1 }],
			[3_599_000, {}],
		] as const) {
			const details = { status: 429, retryAfterMs, resumeAtMs, day: false, ...more };
			expect((await request()).error).toMatchObject({ problem: 'budget-spent', details });
			await clock.advance(1_000);
		}
		expect(sent).toHaveLength(1);
	});

	it('that holds it counts against its longest wait', async () => {
		const busy = { status: 429, headers: { 'retry-after': '0' } };
		const { after, sent } = await scriptedClient(Array(8).fill(busy), { maxWaitMs: 3_000 });
		const { error } = await after(10_000);
		// Waits of 0.5, 1 and 2 s leave no time for a further attempt.
		expect(error).toMatchObject({ problem: 'budget-spent', details: { attempts: 5 } });
		expect(sent).toHaveLength(5);
	});

	it('of the day is shown, and kept if the user says so; the slot is released', async () => {
		const options = { keepDailyBudgetPercent: 20, maxInFlight: 1 };
		const { request, sent, client } = await scriptedClient([day(20), day(19)], options);
		await request();
		await request();
		expect(client.rateLimit()).toMatchObject({ dayLimit: 100, dayRemaining: 19, dayPercent: 19 });
		const hint = "19.0 % of the day's requests are left; the node keeps 20 %.";
		for (let n = 0; n < 3; n++) {
			const { error } = await request();
			expect(error).toMatchObject({ problem: 'budget-kept', details: { day: true, hint } });
			expect(error?.details.resumeAtMs).toEqual(expect.any(Number));
		}
		expect(sent).toHaveLength(2);
	});

	it('of the minute is kept by waiting', async () => {
		const reset = { 'x-ratelimit-reset': String(new FakeClock().now() / 1000 + 30) };
		const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '50', ...reset };
		const options = { keepMinuteBudgetPercent: 50 };
		const { request, sent, clock, client } = await scriptedClient([{ headers }, {}], options);
		await request();
		const second = request();
		await clock.advance(29_000);
		expect(sent).toHaveLength(1);
		await clock.advance(1_500);
		await second;
		expect(sent).toHaveLength(2);
		expect(client.waited.rateLimitMs).toBeGreaterThanOrEqual(30_000);
	});
});

describe('a client', () => {
	it('has n8n read the credential once, however many requests are sent', async () => {
		const { request, getCredentials } = await scriptedClient([{}, {}, {}]);
		for (let n = 0; n < 3; n++) expect((await request()).error).toBeUndefined();
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});

	it('has defaults for missing options', async () => {
		const { client } = await scriptedClient([], { maxInFlight: 2 });
		expect(client.options).toMatchObject({ maxInFlight: 2, maxAttempts: 8, maxWaitMs: 120_000 });
	});

	it('names each key at each address by an id that reveals neither', async () => {
		const idOf = async (host: string, apiKey: string) => {
			const credential = { baseUrl: `https://${host}.example/v1`, apiKey };
			return (await scriptedClient([], {}, credential)).client.credentialId;
		};
		const keys = [idOf('a', 'k1'), idOf('a', 'k2'), idOf('b', 'k1'), idOf('a', 'k1')];
		const ids = await Promise.all(keys);
		expect(ids[3]).toBe(ids[0]);
		expect(new Set(ids).size).toBe(3);
		expect(ids.join()).not.toMatch(/k1|example/);
	});
});

describe('a key that is not accepted', () => {
	const refused = { status: 401, body: { message: 'revoked', request_id: 'req_1' } };

	it('is not sent again by the same client, and the further requests fail for the same reason', async () => {
		const { request, sent } = await scriptedClient(Array<Answer>(4).fill(refused));
		const first = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => await request()));
		const more = [await request(), await request(POST)];
		expect(sent).toHaveLength(4);
		const details = { status: 401, platformMessage: 'revoked', requestId: 'req_1' };
		for (const { error } of [...first, ...more])
			expect(error).toMatchObject({ problem: 'refused', details });
		expect(more[1].error?.request).toMatchObject({ method: 'POST', path: '/orders' });
		expect(more[1].error?.details.mayBeApplied).toBeUndefined();
	});

	it('is one that the platform has refused: a login page does not count', async () => {
		const page = { status: 401, headers: { 'content-type': 'text/html' }, body: '<html>' };
		const { request, sent } = await scriptedClient([page, {}]);
		expect((await request()).error?.details).toMatchObject({ status: 401, isHtml: true });
		expect((await request()).error).toBeUndefined();
		expect(sent).toHaveLength(2);
	});
});

describe('a client for a person who waits', () => {
	const TOTAL = { totalMs: 8_000 };

	it.each<[string, Answer[], object]>([
		['that fails again and again', Array<Answer>(8).fill({ status: 503 }), { status: 503 }],
		['that never comes', ['nothing'], { timeoutMs: 8_000 }],
		['without a budget', [{ status: 429, headers: { 'retry-after': '30' } }], { status: 429 }],
	])('ends in its time, with the reason of the answer %s', async (_what, answers, details) => {
		const { request, clock } = await scriptedClient(answers, TOTAL);
		clock.randoms = Array<number>(9).fill(0.9);
		let endedAtMs: number | undefined;
		const outcome = request().finally(() => (endedAtMs = clock.monotonic()));
		await clock.advance(20_000);
		expect((await outcome).error?.details).toMatchObject(details);
		expect(endedAtMs).toBeLessThanOrEqual(8_000);
	});

	it('does not wait longer for its turn, nor send anything later', async () => {
		const credential = { baseUrl: 'https://api.shop.example/v1', apiKey: 'cpk_one_key_for_two' };
		const busy = await scriptedClient(
			Array<Answer>(10).fill('nothing'),
			{ maxInFlight: 10 },
			credential,
		);
		const waiting = await createdBeside(busy.clock, credential);
		for (let n = 0; n < 10; n++) void busy.request();
		await settle();
		const outcome = waiting.request();
		await busy.clock.advance(8_000);
		const { error } = await outcome;
		expect(error).toMatchObject({
			problem: 'timeout',
			details: { timeoutMs: 8_000, isFixedTime: true },
		});
		expect((await waiting.request()).error?.problem).toBe('timeout');
		expect(waiting.sent).toEqual([]);
	});

	const createdBeside = async (clock: FakeClock, credential: { baseUrl: string; apiKey: string }) =>
		await scriptedClient([{}], TOTAL, credential, clock);
});
