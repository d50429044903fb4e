import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();

type Fields = Record<string, unknown>;

async function first(dialect: Switches, path: string): Promise<Fields> {
	return (await shop.json<{ data: Fields[] }>(dialect, path)).data[0];
}

async function order(dialect: Switches): Promise<Fields> {
	const { id } = await first({}, '/orders?limit=1');
	return (await shop.json<{ data: Fields }>(dialect, `/orders/${String(id)}`)).data;
}

describe('orderFields', () => {
	it.each([
		['snake', ['line_items', 'payment_summary', 'fulfillment_state', 'totals']],
		['camel', ['lineItems', 'paymentSummary', 'fulfillmentState', 'totals']],
		['short', ['items', 'payment', 'fulfillment', 'totals']],
	])('are %s', async (orderFields, names) => {
		expect(Object.keys(await order({ orderFields }))).toEqual(expect.arrayContaining(names));
	});
});

describe('orderList', () => {
	it('leaves details out, or has them', async () => {
		expect(await first({}, '/orders')).not.toHaveProperty('line_items');
		expect(await first({ orderList: 'whole' }, '/orders')).toHaveProperty('line_items');
	});
});

describe('orderWords', () => {
	it('are in records, in the filter and in deliveries', async () => {
		const pending = { orderWords: 'pending' };
		const found = await first(pending, '/orders?status=pending_payment');
		expect(found).toMatchObject({ status: 'pending_payment' });
		expect((await shop.in(pending, '/orders?status=created')).status).toBe(400);
		expect(await first(pending, '/orders?status=paid')).toMatchObject({ status: 'paid' });
		const webhook = { url: 'http://127.0.0.1:9/', events: ['order.created'] };
		await shop.in(pending, '/webhooks', { method: 'POST', body: webhook });
		await shop.platform.control.createOrder();
		const [{ body }] = await shop.platform.control.deliveries();
		expect(JSON.parse(body).payload.status).toBe('pending_payment');
	});
});

describe('personalData', () => {
	const street = async (dialect: Switches) => {
		const { email, shipping_address } = (await order(dialect)) as {
			email?: unknown;
			shipping_address?: Fields;
		};
		return { email, street: shipping_address?.street, city: typeof shipping_address?.city };
	};

	it('is shown, masked, empty or absent', async () => {
		expect(await street({})).toMatchObject({ email: expect.stringContaining('@customer') });
		expect(await street({ personalData: 'masked' })).toEqual({
			email: expect.stringMatching(/^.\*\*\*@\*\*\*$/),
			street: 'M***',
			city: 'string',
		});
		expect(await street({ personalData: 'empty' })).toEqual({
			email: null,
			street: null,
			city: 'string',
		});
		const absent = await order({ personalData: 'absent' });
		expect(absent).not.toHaveProperty('email');
		expect(absent.shipping_address).not.toHaveProperty('street');
	});
});

describe('records whose fields are not shown', () => {
	it('customerFields are flat or nested', async () => {
		expect(await first({}, '/customers')).toMatchObject({ email: expect.any(String) });
		const nested = await first({ customerFields: 'nested' }, '/customers');
		expect(nested).toMatchObject({
			name: { first: expect.any(String), last: expect.any(String) },
			contact: { email: expect.any(String) },
			consents: { email: expect.any(Boolean), sms: expect.any(Boolean) },
		});
		expect(nested).not.toHaveProperty('email');
	});

	it('categoryFields have a name or a title', async () => {
		const named = await first({}, '/categories');
		const titled = await first({ categoryFields: 'title' }, '/categories');
		expect(titled).toMatchObject({ title: named.name, parent: null });
		expect(titled).not.toHaveProperty('name');
	});

	it('accountFields are nested or flat', async () => {
		const nested = (await shop.json<{ data: Fields }>({}, '/account')).data;
		const flat = (await shop.json<{ data: Fields }>({ accountFields: 'flat' }, '/account')).data;
		expect(nested).toMatchObject({ credential: { scopes: expect.any(Array) } });
		expect(flat).toMatchObject({
			scopes: (nested.credential as Fields).scopes,
			rate_limits: [{ window: 'minute' }, { window: 'day' }],
		});
	});
});

describe('levelVersion', () => {
	it.each([
		['both', true, true],
		['field', true, false],
		['etag', false, true],
		['absent', false, false],
	])('is shown %s', async (levelVersion, inRecord, inHeader) => {
		const { sku, location_id } = await first({}, '/inventory/levels?limit=1');
		const body = { sku, location_id, quantity: 5, updated_at: new Date().toISOString() };
		const request = { method: 'PUT', body };
		const { json, headers } = await shop.in({ levelVersion }, '/inventory/levels', request);
		expect('version' in (json as { data: Fields }).data).toBe(inRecord);
		expect('etag' in headers).toBe(inHeader);
	});
});

describe('etags and cacheControl', () => {
	it.each([
		['strong', /^"/],
		['weak', /^W\/"/],
	])('are %s, and answered 304 when they come back', async (etags, form) => {
		const { headers } = await shop.in({ etags }, '/orders?limit=1');
		expect(headers.etag).toMatch(form);
		const request = { headers: { 'if-none-match': headers.etag } };
		expect((await shop.in({ etags }, '/orders?limit=1', request)).status).toBe(304);
	});

	it('are absent, and no answer is 304', async () => {
		const { headers } = await shop.in({}, '/orders?limit=1');
		const request = { headers: { 'if-none-match': headers.etag } };
		const answer = await shop.in({ etags: 'absent' }, '/orders?limit=1', request);
		expect(answer.status).toBe(200);
		expect(answer.headers.etag).toBeUndefined();
	});

	it.each([
		['revalidate', 'private, no-cache'],
		['maxAge', 'private, max-age=5'],
		['absent', undefined],
	])('cacheControl is %s', async (cacheControl, expected) => {
		const { headers } = await shop.in({ cacheControl }, '/orders?limit=1');
		expect(headers['cache-control']).toBe(expected);
	});
});
