import { patch, post, remove, usePlatform } from './usePlatform';

const { control, api } = usePlatform();
let before: number;
beforeEach(async () => {
	await control.reset();
	before = (await control.records('products')).count;
});

const create = (key: string, title = 'Kite') => post({ title }, { 'idempotency-key': key });
const made = async () => (await control.records('products')).count - before;
const pathOf = async (key: string) =>
	`/products/${String((await api.data('/products', create(key))).id)}`;

describe('a write with an Idempotency-Key', () => {
	it('is applied once and answered alike ever after', async () => {
		const first = await api.send('/products', create('a'));
		const second = await api.send('/products', create('a'));
		expect(second).toMatchObject({ status: 201, text: first.text });
		expect(first.headers['idempotency-replayed']).toBeUndefined();
		expect(second.headers['idempotency-replayed']).toBe('true');
		expect(await made()).toBe(1);
	});

	it('is applied once though it comes fifty times at the same moment', async () => {
		await control.configure({ latencyMs: 5 });
		const sent = Array.from({ length: 50 }, async () => await api.send('/products', create('b')));
		const answers = await Promise.all(sent);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(await made()).toBe(1);
		const counted = { writesByIdempotencyKey: { b: 1 }, replays: 49 };
		expect(await control.counters()).toMatchObject(counted);
	});

	it('is refused if the key belongs to another body, path or method', async () => {
		const path = await pathOf('c');
		for (const [target, request] of [
			['/products', create('c', 'Other')],
			['/customers', { ...create('c'), body: { email: 'x' } }],
			[path, { ...create('c'), method: 'PATCH' }],
		] as const) {
			expect(await api.refusal(target, request)).toBe('422 IDEMPOTENCY_KEY_REUSED');
		}
	});

	it('of another API key is another write', async () => {
		const { apiKey } = await control.createKey();
		await api.data('/products', create('d'));
		await api.data('/products', { ...create('d'), apiKey });
		expect(await made()).toBe(2);
	});

	it('that was refused can be sent again, mended', async () => {
		expect(await api.refusal('/products', create('e', ''))).toBe('400 INVALID_PARAMETER');
		expect((await api.send('/products', create('e'))).status).toBe(201);
	});

	it('deletes once and says so twice', async () => {
		const path = await pathOf('f');
		const keyed = remove(undefined, { 'idempotency-key': 'g' });
		expect((await api.send(path, keyed)).status).toBe(204);
		expect((await api.send(path, keyed)).status).toBe(204);
		expect(await api.refusal(path, remove())).toBe('404 NOT_FOUND');
		expect(await api.refusal(path, patch({ title: 'x' }))).toBe('404 NOT_FOUND');
	});

	it('whose answer is lost has been applied, and the retry gets the answer', async () => {
		await control.setFaults([{ fault: 'lostAnswer', times: 1 }]);
		await expect(api.send('/products', create('h'))).rejects.toThrow('fetch failed');
		expect(await made()).toBe(1);
		expect((await api.send('/products', create('h'))).status).toBe(201);
		expect(await made()).toBe(1);
	});

	it.each(['', 'k'.repeat(256)])('is refused if the key is %j', async (key) => {
		expect(await api.refusal('/products', create(key))).toBe('400 INVALID_PARAMETER');
	});
});
