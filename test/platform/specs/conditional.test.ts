import { usePlatform } from './usePlatform';

const { api } = usePlatform();

describe('a conditional read', () => {
	it('is answered 304 without a body until the record changes', async () => {
		const [{ id }] = await api.data<Array<{ id: string }>>('/products?limit=1');
		const { headers } = await api.send(`/products/${id}`);
		const conditional = { headers: { 'if-none-match': `W/"old", ${headers.etag}` } };
		const unchanged = await api.send(`/products/${id}`, conditional);
		expect(unchanged).toMatchObject({ status: 304, text: '' });
		expect(unchanged.headers.etag).toBe(headers.etag);
		expect(unchanged.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
		await api.data(`/products/${id}`, { method: 'PATCH', body: { title: 'New' } });
		const changed = await api.send(`/products/${id}`, conditional);
		expect(changed.status).toBe(200);
		expect(changed.headers.etag).not.toBe(headers.etag);
	});

	it('works for pages of lists too', async () => {
		const { headers } = await api.send('/orders?limit=3');
		const conditional = { headers: { 'if-none-match': headers.etag } };
		expect((await api.send('/orders?limit=3', conditional)).status).toBe(304);
		expect((await api.send('/orders?limit=4', conditional)).status).toBe(200);
		const [{ id }] = await api.data<Array<{ id: string }>>('/orders?limit=1');
		await api.data(`/orders/${id}`, { method: 'PATCH', body: { merchant_note: 'new' } });
		expect((await api.send('/orders?limit=3', conditional)).status).toBe(200);
	});
});
