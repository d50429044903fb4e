import type { IDataObject } from 'n8n-workflow';

import type { NodeRun } from '../../support/engine/runNode';
import { CONTINUE, useBulkShop } from './bulkShop';

const shop = useBulkShop();

/** Answers the next batches by the script; later ones as usual. */
const answerBatches = async (...script: string[]) =>
	await shop.control.setFaults([{ method: 'POST', path: '/products/batch', script }]);

const item = (sku: string, title = sku): IDataObject => ({ sku, title });
const TWO = [item('A'), item('B')];

const upsert = async (items: IDataObject[], more: Partial<NodeRun> = CONTINUE, options = {}) =>
	await shop.upsert(items, { ifBatchNotAvailable: 'single', ...options }, more);
const titlesNow = async () => (await shop.all('product')).map(({ title }) => title).sort();

describe('a refused batch among others, whose products are sent one by one', () => {
	it('is described as one of several', async () => {
		await answerBatches('ok', '422');
		const items = ['A', 'B', 'C', 'D'].map((sku) => item(sku));
		const { hint } = await upsert(items, {}, { batchSize: 2 });
		expect(hint).toContain('The platform refused 1 batch, so 2 products went one by one');
	});

	it('does not make single products look like an endpoint in development', async () => {
		await shop.control.setFaults([{ method: 'POST', path: '/products', script: ['422', '422'] }]);
		const { failures } = await upsert([item('A')]);
		expect(failures[0]?.message).toBe(
			'Product with the title “A”: A fault was switched on (HTTP 422)',
		);
		expect(failures[0]?.description).not.toMatch(/development|released|One by One/);
	});
});

it('a batch whose body is too large for the platform is sent one by one', async () => {
	await answerBatches('413');
	const { errorItems, json } = await upsert(TWO, {});
	expect([json.map(({ title }) => title), errorItems]).toEqual([['A', 'B'], []]);
	expect((await shop.batches()).map((batch) => batch.length)).toEqual([2]);
});

it('counts a batch that was refused, not one whose answer was lost', async () => {
	await answerBatches('422', ...Array<string>(8).fill('lostAnswer'));
	const items = ['A', 'B', 'C', 'D'].map((sku) => item(sku));
	const { hints } = await upsert(items, CONTINUE, { batchSize: 2 });
	const texts = hints.map(({ message }) => message).join(' ');
	expect(texts).toContain('The platform refused 1 batch, so 2 products went one by one');
});

it('a batch that was refused has a new key when n8n runs the node again', async () => {
	await answerBatches('422', 'ok');
	const retryOnFail = { maxTries: 2 };
	const { error } = await upsert(TWO, { retryOnFail }, { ifBatchNotAvailable: 'stop' });
	expect(error).toBeUndefined();
	const requests = await shop.control.requests();
	expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
	expect(await titlesNow()).toEqual(['A', 'B']);
});

it('says if the platform takes no batches', async () => {
	await shop.takesBatches(false);
	const { hint } = await upsert([item('A')]);
	expect(hint).toContain('The platform takes no batches, so 1 product went one by one');
});

describe('a batch that may have been done', () => {
	it.each([
		['after a lost answer', ['lostAnswer', '422'], 422],
		['where its endpoint is no longer there after a lost answer', ['lostAnswer', '404'], 404],
		['where the platform may know its key', ['409'], 409],
	])('is neither called refused nor sent one by one: %s', async (_when, script, status) => {
		await answerBatches(...script);
		const { failures } = await upsert(TWO);
		expect(failures).toMatchObject([{ status }, { status }]);
		expect(failures[0]?.description).toContain('may have done it all the same');
		expect(failures[0]?.description).not.toContain('None of its 2 operations was written');
		expect((await shop.requests())['GET /products']).toBeUndefined();
	});

	it.each([
		['the budget is spent', '429'],
		['the key is not accepted', '401'],
	])('is no batch that was refused because %s', async (_why, status) => {
		await answerBatches(status);
		const requestOptions = { maxRetryWait: 0 };
		const { failures } = await shop.upsert(TWO, {}, CONTINUE, { requestOptions });
		expect(failures).toHaveLength(TWO.length);
		expect(failures[0]?.description).not.toContain('may have done it');
	});

	it('keeps its key when n8n runs the node again, and a refusal then proves nothing', async () => {
		await answerBatches(...Array<string>(8).fill('lostAnswer'), '422', '409', 'ok');
		const { error } = await upsert(TWO, { retryOnFail: { maxTries: 4 } });
		expect(error).toBeUndefined();
		const requests = await shop.control.requests();
		expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
		expect((await shop.requests())['POST /products']).toBeUndefined();
		expect(await titlesNow()).toEqual(['A', 'B']);
	});
});

it.each([
	['501', undefined],
	['404', undefined],
	['503', 'IN_DEVELOPMENT'],
	['500', 'IN_DEVELOPMENT'],
	['409', 'IN_DEVELOPMENT'],
])(
	'takes status %s with the code %s as a plain refusal, does not repeat it, and names the alternative',
	async (status, code) => {
		await shop.control.setFaults([
			{ method: 'POST', path: '/products/batch', fault: 'status', status: Number(status), code },
		]);
		const { error } = await upsert(TWO, {}, { ifBatchNotAvailable: 'stop' });
		const said = `${error?.message} ${error?.description}`;
		expect(said).toContain('Send One by One');
		expect(said).not.toMatch(/all the same|check the ID/);
		expect(await shop.requests()).toEqual({ 'POST /products/batch': 1 });
	},
);
