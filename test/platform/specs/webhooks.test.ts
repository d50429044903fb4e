import { startReceiver } from './receiver';
import { INVALID, patch, post, remove, usePlatform } from './usePlatform';

type Endpoint = { id: string; url: string; secret?: string; status: string };

const BODY = { url: 'https://receiver.example/hook', events: ['order.paid'] };

const { control, api } = usePlatform();
beforeEach(async () => await control.reset());

const create = async (body: object = {}) =>
	await api.data<Endpoint>('/webhooks', post({ ...BODY, ...body }));

describe('a webhook endpoint', () => {
	it('shows its secret once, on its creation', async () => {
		const { secret, ...endpoint } = await create({ description: 'Mine' });
		expect(secret).toMatch(/^\S{16,}$/);
		expect(endpoint).toMatchObject({ ...BODY, description: 'Mine', status: 'enabled' });
		expect(await api.data('/webhooks')).toEqual([endpoint]);
		expect(await api.data(`/webhooks/${endpoint.id}`)).toEqual(endpoint);
		expect(await control.endpointSecret(endpoint.id)).toBe(secret);
	});

	it.each([
		...['http://receiver.example/hook', 'http://127.0.0.1.receiver.example/', 'http://10.0.0.1/'],
		...['ftp://receiver.example/', 'receiver', ''],
	])('cannot be at "%s"', async (url) => {
		expect(await api.refusal('/webhooks', post({ ...BODY, url }))).toBe(INVALID);
	});

	it.each([[[]], [['order']], [['Order.Paid']], [['order.paid ']], ['order.paid'], [undefined]])(
		'cannot subscribe to %j',
		async (events) => {
			expect(await api.refusal('/webhooks', post({ ...BODY, events }))).toBe(INVALID);
		},
	);

	it.each(['http://127.0.0.1:5678/x', 'http://localhost:5678/x', 'http://[::1]:5678/x'])(
		'may be at %s, on this machine',
		async (url) => {
			expect(await create({ url })).toMatchObject({ url });
		},
	);

	it('is gone once deleted', async () => {
		const path = `/webhooks/${(await create()).id}`;
		expect((await api.send(path, remove())).status).toBe(204);
		for (const request of [{}, remove()]) {
			expect(await api.refusal(path, request)).toBe('404 NOT_FOUND');
		}
		expect(await control.endpoints()).toEqual([]);
	});

	it('is one of as many as are made, which a list without a query shows', async () => {
		for (let n = 0; n < 30; n++) await create({ url: `https://r.example/${n}` });
		expect(await api.data('/webhooks')).toHaveLength(30);
		expect(await api.refusal('/webhooks?limit=25')).toBe(INVALID);
		await control.configure({ dialect: { webhookList: 'paged' } });
		const pages = await api.walk('/webhooks', 25);
		expect(pages.map(({ data }) => data.length)).toEqual([25, 5]);
	});

	it('changes address, events, description and status once that is released', async () => {
		const path = `/webhooks/${(await create()).id}`;
		const change = { url: 'https://new.example/', events: ['order.created'], status: 'disabled' };
		expect(await api.refusal(path, patch(change))).toBe('501 IN_DEVELOPMENT');
		await control.configure({ inDevelopment: { webhookUpdate: true } });
		expect(await api.data(path, patch(change))).toMatchObject(change);
		for (const wrong of [{ url: 'http://new.example/' }, { status: 'odd' }]) {
			expect(await api.refusal(path, patch(wrong))).toBe(INVALID);
		}
	});

	it('gets another secret and a test event once that is released', async () => {
		const receiver = await startReceiver();
		const { id, secret } = await create({ url: receiver.url });
		for (const action of ['rotate_secret', 'test']) {
			const refusal = await api.refusal(`/webhooks/${id}/${action}`, post());
			expect(refusal).toBe('501 IN_DEVELOPMENT');
		}
		await control.configure({ inDevelopment: { rotateSecret: true, webhookTest: true } });
		const rotated = await api.data<Endpoint>(`/webhooks/${id}/rotate_secret`, post());
		expect(rotated.secret).not.toBe(secret);
		expect(await control.endpointSecret(id)).toBe(rotated.secret);
		const sent = await api.data(`/webhooks/${id}/test`, post());
		await control.settled();
		expect(receiver.received[0].headers['x-shop-delivery-id']).toBe(sent.delivery_id);
		await receiver.close();
	});
});
