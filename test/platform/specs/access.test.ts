import { patch, post, usePlatform } from './usePlatform';

const { platform, control, api } = usePlatform();
const firstProduct = async () =>
	String((await control.list({ kind: 'products', limit: 1 })).records[0].id);

describe('a key', () => {
	it.each([
		['is missing', null],
		['is unknown', 'cpk_0000'],
		['holds a line break', 'cpk 0000'],
	])('that %s is answered 401', async (_what, apiKey) => {
		const { headers } = await api.send('/account', { apiKey });
		expect(headers['www-authenticate']).toBe('Bearer');
		expect(await api.refusal('/account', { apiKey })).toBe('401 UNAUTHORIZED');
	});

	it('opens only what its scopes name; refunds need the scope of payments', async () => {
		const scopes = ['orders.read', 'orders.write', 'fulfillments.write'];
		const { apiKey } = await control.createKey({ scopes });
		const account = await api.data('/account', { apiKey });
		expect(account).toMatchObject({ credential: { scopes } });
		const { order } = await control.payOrder();
		const refund = `/orders/${String(order.id)}/refunds`;
		expect((await api.send('/orders', { apiKey })).status).toBe(200);
		expect(await api.refusal('/products', { apiKey })).toBe('403 INSUFFICIENT_SCOPE');
		expect(await api.refusal(refund, { ...post(), apiKey })).toBe('403 INSUFFICIENT_SCOPE');
	});

	it('of another plan than enterprise does not open the event stream', async () => {
		const { apiKey } = await control.createKey({ plan: 'platform' });
		expect(await api.refusal('/events', { apiKey })).toBe('403 PLAN_REQUIRED');
	});

	it('opens nothing once it is revoked', async () => {
		const { apiKey } = await control.createKey();
		await control.revokeKey(apiKey);
		expect(await api.refusal('/account', { apiKey })).toBe('401 UNAUTHORIZED');
	});
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

describe('an id in the path', () => {
	const LONG = 'x'.repeat(8_000);

	it.each(['..%2F..%2Faccount', '%2e%2e', 'prod_%2f', '%E0%A4', 'a%3Fb', '%25', 'ä', '%20', LONG])(
		'%.20s never leads anywhere else',
		async (id) => {
			expect([400, 404]).toContain((await api.send(`/products/${id}`)).status);
		},
	);

	it('is decoded exactly once', async () => {
		const id = await firstProduct();
		const encoded = id.replace('_', '%5F');
		expect(await api.data(`/products/${encoded}`)).toMatchObject({ id });
		expect(await api.refusal(`/products/${encoded.replace('%', '%25')}`)).toBe('404 NOT_FOUND');
	});
});

it.each(['record', 'page'])(
	'a conditional read of a %s is answered 304 until it changes',
	async (what) => {
		const record = `/products/${await firstProduct()}`;
		const path = what === 'record' ? record : '/products?limit=3&sort=created_at:desc';
		const { headers } = await api.send(path);
		const conditional = { headers: { 'if-none-match': `W/"old", W/${headers.etag}` } };
		const unchanged = await api.send(path, conditional);
		expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag } });
		expect(unchanged.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
		await api.data(record, patch({ title: `New ${what}` }));
		const changed = await api.send(path, conditional);
		expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false]);
	},
);
