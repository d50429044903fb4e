import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform();
beforeEach(async () => await platform.control.reset());

const create = (key: string, title = 'Kite') => ({
	method: 'POST',
	body: { title },
	headers: { 'idempotency-key': key },
});

describe('a write with an Idempotency-Key', () => {
	it('is applied once and answered alike ever after', async () => {
		const before = await platform.control.records('products');
		const first = await api.send('/products', create('a'));
		const second = await api.send('/products', create('a'));
		expect(second.text).toBe(first.text);
		expect(second.status).toBe(201);
		expect(first.headers['idempotency-replayed']).toBeUndefined();
		expect(second.headers['idempotency-replayed']).toBe('true');
		expect(await platform.control.records('products')).toEqual({ count: before.count + 1 });
		expect(await platform.control.counters()).toMatchObject({
			writesByIdempotencyKey: { a: 1 },
			replays: 1,
		});
	});

	it('is applied once though it comes fifty times at the same moment', async () => {
		const before = await platform.control.records('products');
		await platform.control.configure({ latencyMs: 5 });
		const answers = await Promise.all(
			Array.from({ length: 50 }, async () => await api.send('/products', create('b'))),
		);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(await platform.control.records('products')).toEqual({ count: before.count + 1 });
		const { writesByIdempotencyKey, replays } = await platform.control.counters();
		expect({ writesByIdempotencyKey, replays }).toEqual({
			writesByIdempotencyKey: { b: 1 },
			replays: 49,
		});
	});

	it('is refused if the key belongs to another body, path or method', async () => {
		const made = await api.data('/products', create('c'));
		const path = `/products/${String(made.id)}`;
		for (const [target, request] of [
			['/products', create('c', 'Other')],
			['/customers', { ...create('c'), body: { email: 'x' } }],
			[path, { ...create('c'), method: 'PATCH' }],
		] as const) {
			expect(await api.refusal(target, request)).toBe('422 IDEMPOTENCY_KEY_REUSED');
		}
	});

	it('of another API key is another write', async () => {
		const { apiKey } = await platform.control.createKey();
		const mine = await api.data('/products', create('d'));
		const theirs = await api.data('/products', { ...create('d'), apiKey });
		expect(theirs.id).not.toBe(mine.id);
	});

	it('that was refused can be sent again, mended', async () => {
		expect(await api.refusal('/products', create('e', ''))).toBe('400 INVALID_PARAMETER');
		expect((await api.send('/products', create('e'))).status).toBe(201);
	});

	it('deletes once and says so twice', async () => {
		const made = await api.data('/products', create('f'));
		const path = `/products/${String(made.id)}`;
		const remove = { method: 'DELETE', headers: { 'idempotency-key': 'g' } };
		expect((await api.send(path, remove)).status).toBe(204);
		expect((await api.send(path, remove)).status).toBe(204);
		expect((await api.send(path, { method: 'DELETE' })).status).toBe(404);
	});

	it('whose answer is lost has been applied, and the retry gets the answer', async () => {
		const before = await platform.control.records('products');
		await platform.control.setFaults([{ fault: 'lostAnswer', times: 1 }]);
		await expect(api.send('/products', create('h'))).rejects.toThrow('fetch failed');
		expect(await platform.control.records('products')).toEqual({ count: before.count + 1 });
		expect((await api.send('/products', create('h'))).status).toBe(201);
		expect(await platform.control.records('products')).toEqual({ count: before.count + 1 });
	});

	it.each([
		['empty', ''],
		['256 characters long', 'k'.repeat(256)],
	])('is refused if the key is %s', async (_what, key) => {
		expect(await api.refusal('/products', create(key))).toBe('400 INVALID_PARAMETER');
	});
});
