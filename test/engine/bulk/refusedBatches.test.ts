import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';
import { INPUT_ITEM, useBulkShop, type BulkShop } from './bulkShop';

const SINGLE = { ...INPUT_ITEM, options: { ifBatchNotAvailable: 'single' } };
const CONTINUE = { onError: 'continueRegularOutput' as const };

let shop: BulkShop;
afterAll(() => nock.restore());
useBulkShop((opened) => {
	shop = opened;
});

/** How batches are answered, in their order; further ones as usual. */
const answerBatches = async (...script: string[]) =>
	await shop.platform.control.setFaults([{ method: 'POST', path: '/products/batch', script }]);

const item = (sku: string, title: string): IDataObject => ({ sku, title });
const upsert = async (items: IDataObject[]) =>
	await shop.run('product.upsert', items, SINGLE, CONTINUE);
const titlesNow = async () => {
	const { items } = await shop.run('product.getAll', [{}], { returnAll: true, simplify: false });
	return items.map(({ json }) => json.title).sort();
};
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message).join(' ');

describe('a refused batch among others, whose products are sent one by one', () => {
	it('never lets an earlier value of a SKU come after a later one', async () => {
		await answerBatches('422');
		const items = [item('A', 'first'), item('B', 'b'), item('A', 'last')];
		const { items: output } = await upsert(items);
		expect(output.map(({ json }) => json.title)).toEqual(['first', 'b', 'last']);
		expect(await titlesNow()).toContain('last');
		expect(await titlesNow()).not.toContain('first');
	});

	it('takes all later items of its SKUs with it, through any number of batches', async () => {
		await answerBatches('422');
		const all = [item('A', '1'), item('A', '2'), item('B', '3'), item('A', '4'), item('B', '5')];
		await upsert(all);
		expect(await titlesNow()).toEqual(['4', '5']);
		expect(await shop.requests()).toMatchObject({
			'POST /products/batch': 1,
			'POST /products': 2,
			'PATCH /products/{id}': 3,
		});
	});

	it('is called what it is: one of several', async () => {
		await answerBatches('ok', '422');
		const result = await shop.run(
			'product.upsert',
			['A', 'B', 'C', 'D'].map((sku) => item(sku, sku)),
			{ ...SINGLE, options: { ...SINGLE.options, batchSize: 2 } },
		);
		expect(hintsOf(result)).toContain('The platform refused 1 batch, so 2 products are looked up');
	});

	it('does not make the endpoint of single products one in development', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', path: '/products', script: ['422', '422'] },
		]);
		const { items } = await upsert([item('A', 'a')]);
		expect(items[0].json.error).toBe('The platform refused the request (HTTP 422)');
		expect(items[0].json.description).not.toMatch(/development|released|One by One/);
	});
});

it('says of a platform without batches that it takes none', async () => {
	await shop.platform.control.configure({ inDevelopment: { batch: false } });
	const result = await upsert([item('A', 'a')]);
	expect(hintsOf(result)).toContain('The platform takes no batches, so 1 product is looked up');
});

describe('a batch that may have been done', () => {
	const SURE = 'None of its 2 operations was written';
	const two = [item('A', 'a'), item('B', 'b')];

	it.each([
		['after a lost answer', ['lostAnswer', '422'], 422],
		['where its endpoint is no longer there after a lost answer', ['lostAnswer', '404'], 404],
		['where the platform may know its key', ['409'], 409],
	])('is neither called refused nor sent one by one: %s', async (_when, script, status) => {
		await answerBatches(...script);
		const { items } = await upsert(two);
		expect(items.map(({ json }) => json.status)).toEqual([status, status]);
		expect(items[0].json.description).toContain('may have done it all the same');
		expect(items[0].json.description).not.toContain(SURE);
		expect((await shop.requests())['GET /products']).toBeUndefined();
	});

	it('keeps its key when n8n runs the node again, and its refusal then is no proof', async () => {
		await answerBatches(...Array<string>(8).fill('lostAnswer'), '422', '409', 'ok');
		const keysOf = async () =>
			new Set(
				(await shop.platform.control.requests()).map(({ headers }) => headers['idempotency-key']),
			);
		const { error } = await shop.run('product.upsert', two, SINGLE, {
			retryOnFail: { maxTries: 4 },
		});
		expect(error).toBeUndefined();
		expect((await keysOf()).size).toBe(1);
		expect((await shop.requests())['POST /products']).toBeUndefined();
		expect(await titlesNow()).toEqual(['a', 'b']);
	}, 60_000);

	it('is plainly refused where the platform has no batches, by status 501', async () => {
		await answerBatches('501');
		const { error } = await shop.run('product.upsert', two, {
			...INPUT_ITEM,
			options: { ifBatchNotAvailable: 'stop' },
		});
		expect(error?.message).toContain('not released');
		expect(error?.description).not.toContain('all the same');
	});
});

it.each([503, 500, 409])(
	'takes %d with the code of an endpoint in development for a plain refusal, and does not repeat it',
	async (status) => {
		const scope = nock(BASE_URL)
			.post('/products/batch')
			.reply(status, { error: { code: 'IN_DEVELOPMENT', message: 'in development' } });
		const { error } = await runNode({
			items: [item('A', 'a')],
			parameters: {
				resource: 'product',
				operation: 'upsert',
				...INPUT_ITEM,
				options: { ifBatchNotAvailable: 'stop' },
			},
		});
		expect(scope.isDone()).toBe(true);
		expect(error?.description).not.toContain('all the same');
		expect(`${error?.message} ${error?.description}`).toContain('Send One by One');
	},
);

it('names no ID where the address of batches is not there', async () => {
	await answerBatches('404');
	const { error } = await shop.run('product.upsert', [item('A', 'a')], {
		...INPUT_ITEM,
		options: { ifBatchNotAvailable: 'stop' },
	});
	expect(error?.description).toContain('Send One by One');
	expect(error?.description).not.toContain('check the ID');
});
