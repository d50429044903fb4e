import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform();

describe('a key', () => {
	it.each([
		['is missing', null],
		['is unknown', 'cpk_0000'],
		['holds a line break', 'cpk 0000'],
	])('that %s is answered 401', async (_what, apiKey) => {
		const answer = await api.send('/account', { apiKey });
		expect(answer.status).toBe(401);
		expect(answer.json).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
		expect(answer.headers['www-authenticate']).toBe('Bearer');
	});

	it('opens only what its scopes name', async () => {
		const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
		expect((await api.send('/orders', { apiKey })).status).toBe(200);
		expect(await api.refusal('/products', { apiKey })).toBe('403 INSUFFICIENT_SCOPE');
		expect((await api.send('/account', { apiKey })).json).toMatchObject({
			data: { credential: { scopes: ['orders.read'] } },
		});
	});

	it('with scopes or a plan that do not exist cannot be made', async () => {
		const { control } = platform;
		await expect(control.createKey({ scopes: ['all'] })).rejects.toThrow('no scope all');
		await expect(control.createKey({ plan: 'gold' as 'starter' })).rejects.toThrow('no plan gold');
	});

	it('opens nothing once it is revoked', async () => {
		const { apiKey } = await platform.control.createKey();
		await platform.control.revokeKey(apiKey);
		expect(await api.refusal('/account', { apiKey })).toBe('401 UNAUTHORIZED');
		await expect(platform.control.revokeKey(apiKey)).rejects.toThrow('There is no such key');
	});

	it('needs the scope of payments for refunds, whatever other scopes it has', async () => {
		const { apiKey } = await platform.control.createKey({
			scopes: ['orders.read', 'orders.write', 'fulfillments.write'],
		});
		const { order } = await platform.control.payOrder();
		const path = `/orders/${String(order.id)}/refunds`;
		expect(await api.refusal(path, { method: 'POST', apiKey })).toBe('403 INSUFFICIENT_SCOPE');
	});
});

describe('the event stream', () => {
	it('is for the enterprise plan only', async () => {
		const { apiKey } = await platform.control.createKey({ plan: 'platform' });
		expect(await api.refusal('/events', { apiKey })).toBe('403 PLAN_REQUIRED');
		expect((await api.send('/events')).status).toBe(200);
	});
});

describe('an error', () => {
	it.each([
		['nested', { error: { request_id: expect.stringMatching(/^req_/) } }],
		['top', { request_id: expect.stringMatching(/^req_/) }],
		['header', { error: { code: 'NOT_FOUND', message: expect.any(String) } }],
	] as const)('carries its request id %s', async (requestId, shape) => {
		await platform.control.configure({ dialect: { requestId } });
		const answer = await api.send('/products/none');
		expect(answer.json).toMatchObject(shape);
		expect(answer.headers['x-request-id']).toMatch(/^req_/);
		const places = answer.text.split(answer.headers['x-request-id']).length - 1;
		expect(places).toBe(requestId === 'header' ? 0 : 1);
		await platform.control.configure({ dialect: { requestId: 'nested' } });
	});

	it('of an endpoint that does not exist is a 404', async () => {
		expect(await api.refusal('/baskets')).toBe('404 NOT_FOUND');
		expect(await api.refusal('/account', { method: 'DELETE' })).toBe('404 NOT_FOUND');
	});

	it('names what is wrong with a body', async () => {
		const answer = await api.send('/products', { method: 'POST', body: { title: 5 } });
		expect(answer.status).toBe(400);
		expect(answer.text).toMatch('title must be string');
	});

	it.each([
		['that is not JSON', '{"title":', 'application/json', '400 INVALID_JSON'],
		['of another type', 'title=x', 'text/plain', '415 UNSUPPORTED_MEDIA_TYPE'],
	])('answers a body %s', async (_what, body, type, refusal) => {
		const response = await fetch(`${platform.baseUrl}/products`, {
			method: 'POST',
			body,
			headers: { authorization: `Bearer ${platform.apiKey}`, 'content-type': type },
		});
		const { error } = (await response.json()) as { error: { code: string } };
		expect(`${response.status} ${error.code}`).toBe(refusal);
	});
});

describe('an id in the path', () => {
	it.each([
		['that climbs', '..%2F..%2Faccount'],
		['of encoded dots', '%2e%2e'],
		['with an encoded slash', 'prod_%2f'],
		['of a broken encoding', '%E0%A4'],
		['with a question mark', 'a%3Fb'],
		['with a percent sign', '%25'],
		['with an umlaut', 'ä'],
		['of a space', '%20'],
		['of 8,000 characters', 'x'.repeat(8_000)],
	])('%s never leads anywhere else', async (_what, id) => {
		const answer = await api.send(`/products/${id}`);
		expect([400, 404]).toContain(answer.status);
	});

	it('is decoded exactly once', async () => {
		const [{ id }] = await api.data<Array<{ id: string }>>('/products?limit=1');
		const encoded = id.replace('_', '%5F');
		expect(await api.data(`/products/${encoded}`)).toMatchObject({ id });
		expect(await api.refusal(`/products/${encoded.replace('%', '%25')}`)).toBe('404 NOT_FOUND');
	});
});
