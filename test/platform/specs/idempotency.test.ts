import { INVALID, post, remove, usePlatform } from './usePlatform';

const { control, api } = usePlatform();
let before: number;
beforeEach(async () => {
	await control.reset();
	before = (await control.records('products')).count;
});

const create = (key: string, title = 'Kite') => post({ title }, { 'idempotency-key': key });
const made = async () => (await control.records('products')).count - before;

describe('a write with an Idempotency-Key', () => {
	it('is applied once and answered alike, though it comes fifty times at the same moment', async () => {
		await control.configure({ latencyMs: 5 });
		const sent = Array.from({ length: 50 }, async () => await api.send('/products', create('b')));
		const answers = await Promise.all(sent);
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
		expect([await made(), replayed.length]).toEqual([1, 49]);
		const counted = { writesByIdempotencyKey: { b: 1 }, replays: 49 };
		expect(await control.counters()).toMatchObject(counted);
	});

	it('is refused if the key belongs to another body, path or method', async () => {
		const { id } = await api.data('/products', create('c'));
		for (const [target, request] of [
			['/products', create('c', 'Other')],
			['/customers', { ...create('c'), body: { email: 'x' } }],
			[`/products/${String(id)}`, { ...create('c'), method: 'PATCH' }],
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
		expect(await api.refusal('/products', create('e', ''))).toBe(INVALID);
		expect((await api.send('/products', create('e'))).status).toBe(201);
	});

	it('deletes once and says so twice', async () => {
		const path = `/products/${String((await api.data('/products', create('f'))).id)}`;
		const keyed = remove(undefined, { 'idempotency-key': 'g' });
		for (let n = 0; n < 2; n++) expect((await api.send(path, keyed)).status).toBe(204);
		expect(await api.refusal(path, remove())).toBe('404 NOT_FOUND');
	});

	it.each(['', 'k'.repeat(256)])('is refused if the key is %j', async (key) => {
		expect(await api.refusal('/products', create(key))).toBe(INVALID);
	});
});
