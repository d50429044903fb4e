import { startReceiver } from './receiver';
import { usePlatform } from './usePlatform';

type Endpoint = { id: string; url: string; secret?: string; status: string };

const BODY = { url: 'https://receiver.example/hook', events: ['order.paid'] };

const { platform, api } = usePlatform();
beforeEach(async () => await platform.control.reset());

const create = async (body: object = BODY) =>
	await api.data<Endpoint>('/webhooks', { method: 'POST', body });

describe('a webhook endpoint', () => {
	it('shows its secret once, on its creation', async () => {
		const { secret, ...endpoint } = await create({ ...BODY, description: 'Mine' });
		expect(secret).toMatch(/^\S{16,}$/);
		expect(endpoint).toMatchObject({ ...BODY, description: 'Mine', status: 'enabled' });
		const [listed, got] = [await api.send('/webhooks'), await api.send(`/webhooks/${endpoint.id}`)];
		expect(listed.json).toMatchObject({ data: [endpoint] });
		expect(got.json).toEqual({ data: endpoint });
		expect(listed.text + got.text).not.toContain(secret);
		expect(await platform.control.endpointSecret(endpoint.id)).toBe(secret);
	});

	it.each([
		'http://receiver.example/hook',
		'http://127.0.0.1.receiver.example/',
		'http://10.0.0.1/',
		'ftp://receiver.example/',
		'receiver',
		'',
	])('cannot be at %s', async (url) => {
		expect(await api.refusal('/webhooks', { method: 'POST', body: { ...BODY, url } })).toBe(
			'400 INVALID_PARAMETER',
		);
	});

	it.each(['http://127.0.0.1:5678/x', 'http://localhost:5678/x', 'http://[::1]:5678/x'])(
		'may be at %s, on this machine',
		async (url) => {
			expect(await create({ ...BODY, url })).toMatchObject({ url });
		},
	);

	it.each([[[]], [['order']], [['Order.Paid']], [['order.paid ']], ['order.paid'], [undefined]])(
		'cannot subscribe to %j',
		async (events) => {
			const body = { ...BODY, events };
			expect(await api.refusal('/webhooks', { method: 'POST', body })).toBe(
				'400 INVALID_PARAMETER',
			);
		},
	);

	it('is gone once deleted', async () => {
		const { id } = await create();
		expect((await api.send(`/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204);
		expect(await api.refusal(`/webhooks/${id}`)).toBe('404 NOT_FOUND');
		expect(await api.refusal(`/webhooks/${id}`, { method: 'DELETE' })).toBe('404 NOT_FOUND');
		expect(await platform.control.endpoints()).toEqual([]);
	});

	it('is one of as many as are made, which a list without a query shows', async () => {
		for (let n = 0; n < 30; n++) await create({ ...BODY, url: `https://r.example/${n}` });
		expect(await api.data('/webhooks')).toHaveLength(30);
		expect(await api.refusal('/webhooks?limit=25')).toBe('400 INVALID_PARAMETER');
		await platform.control.configure({ dialect: { webhookList: 'paged' } });
		const pages = await api.walk('/webhooks', 25);
		expect(pages.map(({ data }) => data.length)).toEqual([25, 5]);
		expect(await platform.control.endpoints()).toHaveLength(30);
	});
});

describe('an endpoint in development', () => {
	it.each([
		['PATCH', '', { description: 'new' }],
		['POST', '/rotate_secret', undefined],
		['POST', '/test', undefined],
	])('%s /webhooks/{id}%s returns errors until it is announced', async (method, path, body) => {
		const { id } = await create();
		expect(await api.refusal(`/webhooks/${id}${path}`, { method, body })).toBe(
			'501 IN_DEVELOPMENT',
		);
	});

	it('changes address, events, description and status once it is released', async () => {
		await platform.control.configure({ inDevelopment: { webhookUpdate: true } });
		const { id } = await create();
		const change = { url: 'https://new.example/', events: ['order.created'], status: 'disabled' };
		const patch = (body: object) => ({ method: 'PATCH', body });
		expect(await api.data(`/webhooks/${id}`, patch(change))).toMatchObject(change);
		expect(await api.refusal(`/webhooks/${id}`, patch({ url: 'http://new.example/' }))).toBe(
			'400 INVALID_PARAMETER',
		);
		expect(await api.refusal(`/webhooks/${id}`, patch({ status: 'odd' }))).toBe(
			'400 INVALID_PARAMETER',
		);
	});

	it('rotates the secret once it is released', async () => {
		await platform.control.configure({ inDevelopment: { rotateSecret: true } });
		const { id, secret } = await create();
		const rotated = await api.data<Endpoint>(`/webhooks/${id}/rotate_secret`, {
			method: 'POST',
		});
		expect(rotated.secret).not.toBe(secret);
		expect(await platform.control.endpointSecret(id)).toBe(rotated.secret);
	});

	it('sends a test event once it is released', async () => {
		await platform.control.configure({ inDevelopment: { webhookTest: true } });
		const receiver = await startReceiver();
		const { id } = await create({ ...BODY, url: receiver.url });
		const { delivery_id } = await api.data<{ delivery_id: string }>(`/webhooks/${id}/test`, {
			method: 'POST',
		});
		await platform.control.settled();
		expect(receiver.received[0].headers['x-shop-delivery-id']).toBe(delivery_id);
		await receiver.close();
	});
});
