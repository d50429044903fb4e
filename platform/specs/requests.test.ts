import { setTimeout as pause } from 'node:timers/promises';
import { PLANS, type Plan } from '../plans';
import { patch, post, remove, usePlatform } from './usePlatform';

const { platform, control, api } = usePlatform();
beforeEach(async () => await control.reset());

/** Longer than any test, so that none meets the end of a window. */
const HOUR_MS = 3_600_000;
const made = async () => (await control.records('products')).count - 300;
const firstProduct = async () =>
	String((await control.list({ kind: 'products', limit: 1 })).records[0].id);

it('a key that is missing, unknown, broken or revoked is answered 401', async () => {
	const { apiKey: revoked } = await control.createKey();
	await control.revokeKey(revoked);
	for (const apiKey of [null, 'cpk_0000', 'cpk 0000', revoked]) {
		expect((await api.send('/account', { apiKey })).headers['www-authenticate']).toBe('Bearer');
		expect(await api.refusal('/account', { apiKey })).toBe('401 UNAUTHORIZED');
	}
});

it.each([
	['of a wrong field names it', '{"title":5}', 'application/json', /^400 .*title must be string/],
	['that is not JSON', '{"title":', 'application/json', /^400 .*INVALID_JSON/],
	['of another type', 'title=x', 'text/plain', /^415 .*UNSUPPORTED_MEDIA_TYPE/],
])('the error about a body %s', async (_what, body, type, refusal) => {
	const headers = { authorization: `Bearer ${platform.apiKey}`, 'content-type': type };
	const response = await fetch(`${platform.baseUrl}/products`, { method: 'POST', body, headers });
	expect(`${response.status} ${await response.text()}`).toMatch(refusal);
});

it('an id in the path is decoded once and never leads anywhere else', async () => {
	const odd = ['..%2F..%2Faccount', '%2e%2e', 'prod_%2f', '%E0%A4', 'a%3Fb', '%25', 'ä', '%20'];
	for (const id of [...odd, 'x'.repeat(8_000)]) {
		expect([400, 404]).toContain((await api.send(`/products/${id}`)).status);
	}
	const id = await firstProduct();
	const encoded = id.replace('_', '%5F');
	expect(await api.data(`/products/${encoded}`)).toMatchObject({ id });
	expect(await api.refusal(`/products/${encoded.replace('%', '%25')}`)).toBe('404 NOT_FOUND');
});

it('a conditional read of a record or a page is answered 304 until it changes', async () => {
	const record = `/products/${await firstProduct()}`;
	for (const path of [record, '/products?limit=3&sort=created_at:desc']) {
		const { headers } = await api.send(path);
		const conditional = { headers: { 'if-none-match': `W/"old", W/${headers.etag}` } };
		const unchanged = await api.send(path, conditional);
		expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag } });
		await api.data(record, patch({ title: `New for ${path}` }));
		const changed = await api.send(path, conditional);
		expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false]);
	}
});

const create = (key: string, title = 'Kite') => post({ title }, { 'idempotency-key': key });

it('an applied write is answered the same again under its Idempotency-Key, for one API key, body, path and method', async () => {
	expect((await api.send('/products', create('c', ''))).status).toBe(400);
	const { id } = await api.data('/products', create('c'));
	const again = await api.send('/products', create('c'));
	expect(again.json).toMatchObject({ data: { id } });
	expect(again.headers['idempotency-replayed']).toBe('true');
	for (const [target, request] of [
		['/products', create('c', 'Other')],
		['/customers', { ...create('c'), body: { email: 'x' } }],
		[`/products/${String(id)}`, { ...create('c'), method: 'PATCH' }],
	] as const) {
		expect(await api.refusal(target, request)).toBe('422 IDEMPOTENCY_KEY_REUSED');
	}
	const { apiKey } = await control.createKey();
	await api.data('/products', { ...create('c'), apiKey });
	const keyed = remove(undefined, { 'idempotency-key': 'd' });
	for (let n = 0; n < 2; n++) {
		expect((await api.send(`/products/${String(id)}`, keyed)).status).toBe(204);
	}
	expect(await made()).toBe(1);
	for (const key of ['', 'k'.repeat(256)]) {
		expect((await api.send('/products', create(key))).status).toBe(400);
	}
});

describe('the budgets', () => {
	const left = ({ headers }: { headers: Record<string, string> }) => [
		headers['x-ratelimit-remaining'],
		headers['x-ratelimit-remaining-day'],
	];

	it.each(Object.entries(PLANS))(
		'of the plan %s are those of the document, in headers and account',
		async (plan, { minuteBudget, dayBudget }) => {
			const { apiKey } = await control.createKey({ plan: plan as Plan });
			const { headers, json } = await api.send('/account', { apiKey });
			expect(headers).toMatchObject({
				'x-ratelimit-limit': String(minuteBudget),
				'x-ratelimit-limit-day': String(dayBudget),
				'x-ratelimit-remaining': String(minuteBudget - 1),
				'x-ratelimit-remaining-day': String(dayBudget - 1),
			});
			const reset = Number(headers['x-ratelimit-reset']);
			expect(Math.abs(reset - 30 - Date.now() / 1_000)).toBeLessThan(32);
			const minute = { limit: minuteBudget, remaining: minuteBudget - 1, reset };
			const rate_limits = { minute, day: { limit: dayBudget } };
			expect(json).toMatchObject({ data: { rate_limits } });
		},
	);

	it('are counted per key, and refusals count, but 429s do not', async () => {
		await control.configure({ minuteBudget: 3, minuteWindowMs: HOUR_MS });
		const { apiKey } = await control.createKey();
		await api.send('/products/none');
		await api.send('/products?limit=0');
		const last = left(await api.send('/account'));
		const over = await api.send('/account');
		expect([last[0], over.status, ...left(over)]).toEqual(['0', 429, ...last]);
		expect(left(await api.send('/account', { apiKey }))[0]).toBe('2');
	});

	it('are full again at the end of their window, which Retry-After names', async () => {
		await control.configure({ dayBudget: 1 });
		await api.send('/account');
		const over = await api.send('/account');
		expect([over.status, left(over)[1]]).toEqual([429, '0']);
		const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
		expect(Math.abs(Number(over.headers['retry-after']) - untilMidnight)).toBeLessThanOrEqual(1);
		await control.configure({ dayBudget: null, minuteBudget: 1, minuteWindowMs: 1_000 });
		await pause(1_000 - (Date.now() % 1_000));
		await api.send('/account');
		const { status, headers } = await api.send('/account');
		expect([status, headers['retry-after']]).toEqual([429, '1']);
		await pause(Number(headers['x-ratelimit-reset']) * 1_000 - Date.now() + 5);
		expect((await api.send('/account')).status).toBe(200);
	});
});
