import { randomUUID } from 'node:crypto';

import type { IHttpRequestOptions, INode } from 'n8n-workflow';

import { createClient } from '../../../../nodes/shared/api/client';
import {
	CancelledError,
	CredentialError,
	InputError,
	PlatformError,
} from '../../../../nodes/shared/errors/errors';
import type {
	PlatformContext,
	PlatformRequest,
	SendOptions,
} from '../../../../nodes/shared/api/request';
import { FakeClock, settle } from '../../fakeClock';

interface Scripted {
	status?: number;
	body?: unknown;
	headers?: Record<string, unknown>;
}
/** `nothing` never comes, but ends when it is given up; `deaf` does not even end then. */
type Answer = Scripted | Error | 'nothing' | 'deaf';

const failure = (code: string) => Object.assign(new Error(code), { code });

const GET: PlatformRequest = { method: 'GET', path: '/orders/{id}', pathParams: { id: 'ord_1' } };
const POST: PlatformRequest = { method: 'POST', path: '/orders', body: { a: 1 } };
const DELETE: PlatformRequest = { ...GET, method: 'DELETE' };

async function setUp(answers: Answer[], options: Partial<SendOptions> = {}) {
	const clock = new FakeClock();
	const controller = new AbortController();
	const sent: IHttpRequestOptions[] = [];
	const credential = { baseUrl: 'https://api.shop.example/v1/', apiKey: `cpk_${randomUUID()}` };
	const context: PlatformContext = {
		getNode: () => ({}) as INode,
		getCredentials: async <T extends object>() => credential as T,
		getExecutionCancelSignal: () => controller.signal,
		helpers: {
			async httpRequestWithAuthentication(_type, request) {
				const answer = answers[sent.length];
				sent.push(request);
				if (answer === undefined) throw new Error('asked for too much');
				if (answer instanceof Error) throw answer;
				if (answer === 'deaf') return await new Promise(() => undefined);
				if (answer === 'nothing') return await aborted(request.abortSignal as AbortSignal);
				const { status = 200, body, headers = {} } = answer;
				const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
				return { statusCode: status, headers, body: [Buffer.from(text)] };
			},
		},
	};
	const client = await createClient(context, options, clock);
	const request = async (one = GET) => await outcomeOf(client.request(one));
	/** The outcome of a request, after so many ms. */
	const after = async (ms: number, one = GET) => {
		const waiting = request(one);
		await clock.advance(ms);
		return await waiting;
	};
	return { client, clock, sent, request, after, credential, cancel: () => controller.abort() };
}

/** As axios does it. */
const aborted = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(failure('ERR_CANCELED')), { once: true });
	});

const outcomeOf = async (work: Promise<unknown>) =>
	await work.then(
		(value) => ({ value, error: undefined }),
		(error: unknown) => ({ value: undefined, error: error as PlatformError }),
	);

const redirected = (status: number, location?: string) => ({
	error: { problem: 'redirect', details: { status, location } },
});

describe('a request', () => {
	it('is sent as it was described', async () => {
		const { request, sent } = await setUp([{ body: { data: { id: 'ord_1' } } }]);
		await request({
			...POST,
			path: '/orders/{id}/x',
			pathParams: { id: 'a/b' },
			query: { q: 'ä&', empty: '', none: undefined, n: 0, yes: false },
			headers: { 'If-Match': '"v1"' },
			idempotencyKey: 'my-key',
		});
		expect(sent[0]).toMatchObject({
			method: 'POST',
			url: 'https://api.shop.example/v1/orders/a%2Fb/x?q=%C3%A4%26&n=0&yes=false',
			headers: {
				Accept: 'application/json',
				'Content-Type': 'application/json',
				'If-Match': '"v1"',
				'Idempotency-Key': 'my-key',
			},
			body: '{"a":1}',
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
		});
		expect(sent[0]).not.toHaveProperty('skipSslCertificateValidation');
		expect(sent[0]).not.toHaveProperty('proxy');
	});

	it('is read without a body, a key or a content type', async () => {
		const { request, sent } = await setUp([{}]);
		await request();
		expect(sent[0].headers).toEqual({ Accept: 'application/json' });
		expect(sent[0].body).toBeUndefined();
		expect(sent[0].url).toBe('https://api.shop.example/v1/orders/ord_1');
	});

	it('takes the user’s proxy and certificate settings', async () => {
		const proxy = { host: 'proxy.example', port: 3128 };
		const options = { proxy, skipSslCertificateValidation: true, timeoutMs: 5 };
		const { request, sent } = await setUp([{}], options);
		await request();
		expect(sent[0]).toMatchObject({ proxy, timeout: 5, skipSslCertificateValidation: true });
	});

	it('gets a random key of its own where a write has none, the same over all attempts', async () => {
		const { request, after, sent } = await setUp([{ status: 503 }, {}, {}]);
		await after(1_000, POST);
		await request(POST);
		const keys = sent.map(({ headers }) => headers?.['Idempotency-Key']);
		expect(keys[0]).toMatch(/^[\w-]{36}$/);
		expect(keys[1]).toBe(keys[0]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	it.each([
		[{ ...GET, pathParams: { id: '' } }, '“id” is empty'],
		[{ ...GET, pathLabels: { id: 'Order' }, pathParams: { id: '..' } }, '“Order” is not an id'],
		[{ ...GET, query: { q: '\ud800' } }, '“q” is not valid Unicode text'],
		[{ ...GET, headers: { 'If-Match': 'a\nb' } }, '“If-Match” may hold printable ASCII'],
		[{ ...POST, idempotencyKey: 'x'.repeat(256) }, '“Idempotency-Key” is longer than 255'],
		[{ ...POST, body: { total: { amount: Number.NaN } } }, '“total.amount” is NaN'],
		[{ ...POST, body: { list: [undefined] } }, '“list[0]” is undefined'],
	] as Array<[PlatformRequest, string]>)(
		'is refused before it is sent: %#',
		async (one, message) => {
			const { request, sent } = await setUp([]);
			const { error } = await request(one);
			expect(error).toBeInstanceOf(InputError);
			expect(error?.message).toContain(message);
			expect(sent).toEqual([]);
		},
	);
});

describe('an answer', () => {
	it('is handed on with its record, its headers and its time', async () => {
		const headers = {
			ETag: '"v1"',
			'X-Request-Id': 'req_1',
			Date: 'Sun, 01 Mar 2026 12:00:09 GMT',
			'Set-Cookie': ['a', 'b'],
			Missing: undefined,
			Empty: null,
		};
		const { request } = await setUp([{ body: { data: { id: 'x' } }, headers }]);
		expect((await request()).value).toEqual({
			status: 200,
			headers: {
				etag: '"v1"',
				'x-request-id': 'req_1',
				date: headers.Date,
				'set-cookie': 'a,b',
			},
			body: { data: { id: 'x' } },
			record: { id: 'x' },
			requestId: 'req_1',
			serverTimeMs: Date.parse('2026-03-01T12:00:09Z'),
		});
	});

	const partly = { errors: [{ index: 1, code: 'X' }] };
	const damaged = { body: '{"data":', headers: { 'content-type': 'application/json' } };
	const html = { body: '<html>', headers: { 'content-type': 'text/html' } };
	const redirect = (status: number, location?: string): Answer => ({
		status,
		headers: location ? { location } : {},
	});

	it.each<[Answer, PlatformRequest, object]>([
		...[200, 207, 304].map((status): [Answer, PlatformRequest, object] => [
			{ status, body: ' ' },
			GET,
			{ value: { status, body: undefined, record: undefined } },
		]),
		// Errors for some of many operations are no error of the request.
		[{ status: 207, body: partly }, POST, { value: { status: 207, body: partly } }],
		[redirect(302, 'https://evil.example/steal?x=1'), GET, redirected(302, 'https://evil.example')],
		[redirect(307, '/elsewhere'), GET, redirected(307, 'https://api.shop.example')],
		[redirect(399), GET, redirected(399)],
		[redirect(300, 'http://['), GET, redirected(300)],
		[html, GET, { error: { problem: 'not-json', details: { status: 200, attempts: 1 } } }],
		[{ ...html, status: 404 }, GET, { error: { problem: 'refused', details: { status: 404 } } }],
		// A write that is damaged counts as done; a web page does not.
		[damaged, POST, { value: { status: 200, incomplete: true } }],
		[html, POST, { error: { problem: 'not-json' } }],
	])('%j to %j is what it says', async (answer, asked, outcome) => {
		const { request } = await setUp([answer]);
		expect(await request(asked)).toMatchObject(outcome);
	});

	it('to a read that is damaged is asked for again', async () => {
		const { after, sent } = await setUp([damaged, { body: { id: 'x' } }]);
		expect((await after(1_000)).value).toMatchObject({ record: { id: 'x' } });
		expect(sent).toHaveLength(2);
	});

	it('with an error status has code, message, request id and attempts', async () => {
		const body = { error: { code: 'CONFLICT', message: 'stale', request_id: 'req_9' } };
		const { request } = await setUp([{ status: 409, body }]);
		const { error } = await request();
		const code = { code: 'CONFLICT', platformMessage: 'stale', requestId: 'req_9' };
		expect(error).toMatchObject({
			problem: 'refused',
			request: { method: 'GET', path: '/orders/{id}', host: 'api.shop.example' },
			details: { status: 409, ...code, attempts: 1 },
		});
	});
});

describe('an attempt without an answer', () => {
	it.each([
		['ECONNABORTED', 'timeout'],
		['ETIMEDOUT', 'timeout'],
		['ESOCKETTIMEDOUT', 'timeout'],
		['ECONNRESET', 'unreachable'],
		['ENOTFOUND', 'unreachable'],
	])('with %s is a %s', async (networkCode, problem) => {
		const { request } = await setUp([failure(networkCode)], { maxAttempts: 1 });
		expect((await request()).error).toMatchObject({
			problem,
			details: { networkCode, timeoutMs: 60_000, attempts: 1 },
		});
	});

	it('tells the system’s code from under n8n’s errors', async () => {
		const wrapped = new Error('outer', { cause: new Error('inner', { cause: failure('EPIPE') }) });
		const { request } = await setUp([wrapped], { maxAttempts: 1 });
		expect((await request()).error?.details.networkCode).toBe('EPIPE');
		const none = await setUp([new Error('no code')], { maxAttempts: 1 });
		expect((await none.request()).error?.details.networkCode).toBeUndefined();
	});

	it.each([
		[{ timeoutMs: 60_000 }, 120_000],
		[{ timeoutMs: 5_001 }, 10_002],
		[{ timeoutMs: 1_000 }, 10_000],
		[{ timeoutMs: 30_000, deadlineMs: 7_000 }, 7_000],
	])('is given up: %j', async (options, afterMs) => {
		const { request, clock } = await setUp(['nothing'], { ...options, maxAttempts: 1 });
		let over = false;
		const waiting = request().finally(() => (over = true));
		await clock.advance(afterMs - 1_001);
		expect(over).toBe(false);
		await clock.advance(2_001);
		expect((await waiting).error).toMatchObject({
			problem: 'timeout',
			details: { networkCode: 'ETIMEDOUT' },
		});
	});

	it('leaves its slot at the deadline even where n8n does not end it', async () => {
		const options = { deadlineMs: 7_000, maxAttempts: 1, maxInFlight: 1 };
		const { request, clock } = await setUp(['deaf', { body: { id: 'x' } }], options);
		const first = request();
		const second = request();
		await clock.advance(8_000);
		expect((await first).error).toMatchObject({ problem: 'timeout' });
		expect((await second).value).toMatchObject({ record: { id: 'x' } });
	});

	it.each(['nothing', 'deaf'] as const)(
		'ends at once when the execution is cancelled (%s)',
		async (answer) => {
			const { request, cancel } = await setUp([answer]);
			const waiting = request();
			await settle();
			cancel();
			expect((await waiting).error).toBeInstanceOf(CancelledError);
		},
	);
});

describe('a write whose first attempt may have been applied', () => {
	it.each<[string, Scripted, Partial<SendOptions>]>([
		['budget-spent', { status: 429, headers: { 'retry-after': '3600' } }, {}],
		[
			'budget-kept',
			{ headers: { 'x-ratelimit-limit-day': '100', 'x-ratelimit-remaining-day': '1' } },
			{ keepDailyBudgetPercent: 20 },
		],
	])('says so also where %s ends it', async (problem, answer, options) => {
		const { request, clock } = await setUp([failure('ECONNRESET'), answer], options);
		clock.randoms = [0, 0.9];
		const writing = request(POST);
		await settle();
		const other = request();
		await clock.advance(1_000);
		await other;
		expect((await writing).error).toMatchObject({ problem, details: { mayBeApplied: true } });
	});
});

describe('a repeated request', () => {
	it('waits as told, and makes the key’s other requests wait as well', async () => {
		const answers = [{ status: 429, headers: { 'retry-after': '7' } }, {}, {}];
		const { request, sent, clock, client } = await setUp(answers);
		const first = request();
		await settle();
		const second = request();
		await clock.advance(6_990);
		expect(sent).toHaveLength(1);
		await clock.advance(300);
		expect((await first).error).toBeUndefined();
		expect((await second).error).toBeUndefined();
		expect(sent).toHaveLength(3);
		const waited = { rateLimitMs: 7_000, retries: 1, longestRetryWaitMs: 7_000 };
		expect(client.waited).toEqual(waited);
		expect(client.requestsSent).toBe(3);
	});

	it('fails at once where the platform holds the key for longer than it waits', async () => {
		const held = { status: 429, headers: { 'retry-after': '3600' } };
		const { request, sent, clock } = await setUp([held]);
		const spent = (retryAfterMs: number, more: object = {}) => {
			const resumeAtMs = clock.now() + retryAfterMs;
			return {
				problem: 'budget-spent',
				details: { status: 429, retryAfterMs, resumeAtMs, ...more },
			};
		};
		expect((await request()).error).toMatchObject(spent(3_600_000, { day: false, attempts: 1 }));
		await clock.advance(1_000);
		expect((await request()).error).toMatchObject(spent(3_599_000));
		expect(sent).toHaveLength(1);
	});

	it('says that the whole day is meant, where nothing is left of it', async () => {
		const headers = { 'x-ratelimit-limit-day': '100', 'x-ratelimit-remaining-day': '0' };
		const { request } = await setUp([{ status: 429, headers }]);
		expect((await request()).error?.details.day).toBe(true);
		expect((await request()).error?.details.day).toBe(true);
	});

	it('counts the time that the rate limit holds it against the longest wait', async () => {
		const busy = { status: 429, headers: { 'retry-after': '0' } };
		const { after, sent } = await setUp(Array<Answer>(8).fill(busy), { maxWaitMs: 3_000 });
		const { error } = await after(10_000);
		expect(error?.problem).toBe('budget-spent');
		expect(error?.details.retryAfterMs).toEqual(expect.any(Number));
		expect(sent.length).toBeLessThanOrEqual(5);
	});

	it('takes a 404 for success only where the delete may have gone through before', async () => {
		const gone = { status: 404 };
		const lost = failure('ECONNRESET');
		const outcome = async (one: PlatformRequest, ...answers: Answer[]) =>
			await (await setUp(answers)).after(1_000, one);
		expect((await outcome(DELETE, lost, gone)).value).toMatchObject(gone);
		for (const before of [[failure('ECONNREFUSED')], [{ status: 429 }], []]) {
			const { error } = await outcome(DELETE, ...before, gone);
			expect(error).toMatchObject({ problem: 'refused', details: gone });
		}
		expect((await outcome(GET, lost, gone)).error?.details).toMatchObject(gone);
	});

	it('tells of an answer that an earlier attempt may have been applied', async () => {
		const { request, after } = await setUp([failure('ECONNRESET'), {}, {}]);
		expect((await after(1_000, POST)).value).toMatchObject({ afterLost: true });
		expect((await request(POST)).value).not.toHaveProperty('afterLost');
	});

	it('is not sent where the endpoint is in development', async () => {
		const { request, sent } = await setUp([{ status: 503, body: { code: 'IN_DEVELOPMENT' } }]);
		expect((await request(POST)).error).toMatchObject({
			problem: 'refused',
			details: { status: 503, attempts: 1, mayBeApplied: undefined },
		});
		expect(sent).toHaveLength(1);
	});

	it.each([
		['never', failure('ECONNREFUSED'), 1],
		['whenSurelyNotApplied', failure('ECONNREFUSED'), 2],
		['whenSurelyNotApplied', failure('ECONNRESET'), 1],
		['whenSurelyNotApplied', { status: 503 }, 1],
		['automatic', { status: 503 }, 2],
	] as const)('obeys Retry Writes “%s” after %p', async (retryWrites, first, requests) => {
		const { after, sent } = await setUp([first, {}], { retryWrites });
		await after(1_000, POST);
		expect(sent).toHaveLength(requests);
	});

	it.each<[boolean | undefined, PlatformRequest, Answer[]]>([
		[true, POST, [{ status: 503 }]],
		[true, POST, [{ status: 408 }]],
		[true, POST, [failure('ECONNRESET')]],
		[true, POST, [{ body: '<html>' }]],
		[true, POST, [failure('ECONNRESET'), { status: 409 }]],
		[undefined, POST, [failure('ECONNREFUSED'), { status: 409 }]],
		[undefined, POST, [{ status: 499 }]],
		[undefined, POST, [{ body: { error: 'invalid' } }]],
		[undefined, POST, [{ status: 302 }]],
		[undefined, GET, [{ status: 503 }]],
	])('may have been applied: %s of %j after %p', async (mayBeApplied, one, answers) => {
		const { after } = await setUp(answers, { maxAttempts: answers.length });
		expect((await after(5_000, one)).error?.details.mayBeApplied).toBe(mayBeApplied);
	});

	it('ends its wait when the execution is cancelled', async () => {
		const { request, cancel } = await setUp([{ status: 503, headers: { 'retry-after': '60' } }]);
		const waiting = request();
		await settle();
		cancel();
		expect((await waiting).error).toBeInstanceOf(CancelledError);
	});
});

describe('the key’s budget', () => {
	const day = (left: number) => ({
		headers: { 'x-ratelimit-limit-day': '100', 'x-ratelimit-remaining-day': String(left) },
	});

	it('is shown', async () => {
		const { request, client } = await setUp([day(21)]);
		await request();
		expect(client.rateLimit()).toMatchObject({ dayLimit: 100, dayRemaining: 21, dayPercent: 21 });
	});

	it('is kept where the user says so, and the slot is given back', async () => {
		const options = { keepDailyBudgetPercent: 20, maxInFlight: 1 };
		const { request, sent } = await setUp([day(20), day(19)], options);
		await request();
		await request();
		const hint = "19.0 % of the day's requests are left; the node keeps 20 %.";
		for (let n = 0; n < 3; n++) {
			const { error } = await request();
			expect(error).toMatchObject({ problem: 'budget-kept', details: { day: true, hint } });
			expect(error?.details.resumeAtMs).toEqual(expect.any(Number));
		}
		expect(sent).toHaveLength(2);
	});

	it('of the minute is kept by waiting', async () => {
		const headers = (clock: FakeClock) => ({
			'x-ratelimit-limit': '100',
			'x-ratelimit-remaining': '50',
			'x-ratelimit-reset': String(clock.now() / 1000 + 30),
		});
		const answers: Scripted[] = [{}, {}];
		const { request, sent, clock, client } = await setUp(answers, { keepMinuteBudgetPercent: 50 });
		answers[0].headers = headers(clock);
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

describe('createClient', () => {
	it('refuses a credential that cannot be used', async () => {
		const { credential } = await setUp([]);
		const context = (more: object) =>
			({ getCredentials: async () => ({ ...credential, ...more }) }) as unknown as PlatformContext;
		for (const more of [
			{ baseUrl: 'https://x.example' },
			{ apiKey: 'a b' },
			{ apiKey: undefined },
		]) {
			await expect(createClient(context(more))).rejects.toThrow(CredentialError);
		}
	});

	it('has n8n read the credential once, however many requests are sent', async () => {
		const getCredentials = jest.fn(async () =>
			Promise.resolve({ baseUrl: 'https://a.example/v1', apiKey: `cpk_${randomUUID()}` }),
		);
		const context = {
			getCredentials,
			helpers: {
				/** As n8n's helper does it. */
				async httpRequestWithAuthentication(this: PlatformContext, type: string) {
					const { apiKey } = await this.getCredentials<{ apiKey: string }>(type);
					return { statusCode: 200, headers: { etag: String(apiKey.length) } };
				},
			},
		};
		const client = await createClient(context as unknown as PlatformContext);
		for (let n = 0; n < 3; n++) expect((await client.request(GET)).headers).toEqual({ etag: '40' });
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});

	it('has the defaults for what is left out, and names its host', async () => {
		const { client, clock } = await setUp([], { maxInFlight: 2 });
		expect(client.options).toEqual({
			maxInFlight: 2,
			maxAttempts: 8,
			maxWaitMs: 120_000,
			timeoutMs: 60_000,
			keepDailyBudgetPercent: 0,
			keepMinuteBudgetPercent: 0,
			retryWrites: 'automatic',
		});
		expect(client.host).toBe('api.shop.example');
		expect(client.clock).toBe(clock);
		expect(client.signal?.aborted).toBe(false);
	});

	it('names each key at each address by an id that tells neither', async () => {
		const idOf = async (host: string, apiKey: string) => {
			const credential = { baseUrl: `https://${host}.example/v1`, apiKey };
			const context = { getCredentials: async () => Promise.resolve(credential) };
			return (await createClient(context as unknown as PlatformContext)).credentialId;
		};
		const ids = await Promise.all([
			idOf('a', 'k1'),
			idOf('a', 'k2'),
			idOf('b', 'k1'),
			idOf('a', 'k1'),
		]);
		expect(ids[3]).toBe(ids[0]);
		expect(new Set(ids).size).toBe(3);
		expect(ids.join()).not.toMatch(/k1|example/);
	});

	it('walks a list page by page', async () => {
		const answers = [
			{ body: { data: [{ id: 1 }], pagination: { next_cursor: 'c', has_more: true } } },
			{ body: { data: [{ id: 2 }, { id: 3 }] } },
		];
		const { client } = await setUp(answers);
		const found = [];
		for await (const { records } of client.pages({ method: 'GET', path: '/orders' }))
			found.push(...records);
		expect(found).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
	});
});
