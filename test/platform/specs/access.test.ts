import { patch, post, usePlatform } from './usePlatform';

const { platform, control, api } = usePlatform();
const firstId = async (list: string) =>
	(await api.data<Array<{ id: string }>>(`${list}?limit=1`))[0].id;

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
		expect((await api.send('/orders', { apiKey })).status).toBe(200);
		const account = await api.data('/account', { apiKey });
		expect(account).toMatchObject({ credential: { scopes } });
		const { order } = await control.payOrder();
		const refund = `/orders/${String(order.id)}/refunds`;
		expect(await api.refusal('/products', { apiKey })).toBe('403 INSUFFICIENT_SCOPE');
		expect(await api.refusal(refund, { ...post(), apiKey })).toBe('403 INSUFFICIENT_SCOPE');
	});

	it('of another plan than enterprise does not open the event stream', async () => {
		const { apiKey } = await control.createKey({ plan: 'platform' });
		expect(await api.refusal('/events', { apiKey })).toBe('403 PLAN_REQUIRED');
	});

	it('with scopes or a plan that do not exist cannot be made', async () => {
		await expect(control.createKey({ scopes: ['all'] })).rejects.toThrow('no scope all');
		await expect(control.createKey({ plan: 'gold' as 'starter' })).rejects.toThrow('no plan gold');
	});

	it('opens nothing once it is revoked', async () => {
		const { apiKey } = await control.createKey();
		await control.revokeKey(apiKey);
		expect(await api.refusal('/account', { apiKey })).toBe('401 UNAUTHORIZED');
		await expect(control.revokeKey(apiKey)).rejects.toThrow('There is no such key');
	});
});

describe('an error', () => {
	it.each([
		['nested', 1],
		['top', 1],
		['header', 0],
	] as const)('carries its request id %s', async (requestId, places) => {
		await control.configure({ dialect: { requestId } });
		const { text, headers } = await api.send('/products/none');
		expect(headers['x-request-id']).toMatch(/^req_/);
		expect(text.split(headers['x-request-id']).length - 1).toBe(places);
		await control.configure({ dialect: 'default' });
	});

	it('of an endpoint that does not exist is a 404', async () => {
		expect(await api.refusal('/baskets')).toBe('404 NOT_FOUND');
		expect(await api.refusal('/account', { method: 'DELETE' })).toBe('404 NOT_FOUND');
	});

	it.each([
		['of a wrong field names it', '{"title":5}', 'application/json', /^400 .*title must be string/],
		['that is not JSON', '{"title":', 'application/json', /^400 .*INVALID_JSON/],
		['of another type', 'title=x', 'text/plain', /^415 .*UNSUPPORTED_MEDIA_TYPE/],
	])('about a body %s', async (_what, body, type, refusal) => {
		const headers = { authorization: `Bearer ${platform.apiKey}`, 'content-type': type };
		const response = await fetch(`${platform.baseUrl}/products`, { method: 'POST', body, headers });
		expect(`${response.status} ${await response.text()}`).toMatch(refusal);
	});
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
		const id = await firstId('/products');
		const encoded = id.replace('_', '%5F');
		expect(await api.data(`/products/${encoded}`)).toMatchObject({ id });
		expect(await api.refusal(`/products/${encoded.replace('%', '%25')}`)).toBe('404 NOT_FOUND');
	});
});

describe('a conditional read', () => {
	it.each(['record', 'page'])('of a %s is answered 304 until it changes', async (what) => {
		const record = `/products/${await firstId('/products')}`;
		const path = what === 'record' ? record : '/products?limit=3';
		const { headers } = await api.send(path);
		const conditional = { headers: { 'if-none-match': `W/"old", W/${headers.etag}` } };
		const unchanged = await api.send(path, conditional);
		expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag } });
		expect(unchanged.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
		await api.data(record, patch({ title: `New ${what}` }));
		const changed = await api.send(path, conditional);
		expect([changed.status, changed.headers.etag === headers.etag]).toEqual([200, false]);
		expect((await api.send('/products?limit=4', conditional)).status).toBe(200);
	});
});
