import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const product = (amount: number, more: IDataObject = {}) => ({
	id: 'prod_1',
	title: 'Shirt',
	variants: [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }],
	...more,
});

/** A shop with one product, whose writes are answered so. */
function shop(written: IDataObject | undefined, shown = product(500)): void {
	nock(BASE_URL)
		.get('/products')
		.query(true)
		.reply(200, { data: [product(500)] });
	nock(BASE_URL).get('/products/prod_1').reply(200, { data: shown });
	nock(BASE_URL)
		.patch('/products/prod_1')
		.reply(written === undefined ? 204 : 200, written && { data: written });
}

const setPrice = async () =>
	await runNode({
		parameters: {
			resource: 'product',
			operation: 'setPrices',
			sku: 'A',
			amountsAreIn: 'minor',
			amount: 1100,
			currency: 'EUR',
		},
	});
const update = async () =>
	await runNode({
		parameters: {
			resource: 'product',
			operation: 'update',
			productId: byId('prod_1'),
			updateFields: { title: 'New', description: 'Soft' },
		},
	});
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message).join(' ');

describe('an answer to a write', () => {
	it('that shows another price is told of, and stands beside what was written', async () => {
		shop(product(1200));
		const result = await setPrice();
		expect(result.items[0].json).toMatchObject({ amount: 1200, written: 1100 });
		expect(hintsOf(result)).toContain('SKU “A” has 1200 and not 1100 in EUR');
	});

	it.each([
		['the price', product(1100)],
		['no price', { id: 'prod_1' }],
		['nothing', undefined],
	])('that shows %s is not', async (_what, written) => {
		shop(written);
		const result = await setPrice();
		expect(result.items[0].json).toMatchObject({ amount: 1100 });
		expect(result.items[0].json).not.toHaveProperty('written');
		expect(hintsOf(result)).not.toContain('otherwise');
	});

	it('that shows other fields of an update is told of', async () => {
		shop(product(500, { description: 'Soft' }));
		const result = await update();
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toContain('shows other values than were written: title.');
	});

	it.each([
		['the fields', product(500, { title: 'New', description: 'Soft' })],
		['none of them', { id: 'prod_1' }],
		['nothing', undefined],
	])('that shows %s of an update is not', async (_what, written) => {
		shop(written);
		expect(hintsOf(await update())).not.toContain('other values');
	});
});

it('writes nothing of a product that is another one than was asked for', async () => {
	shop(product(1100), { ...product(500), id: 'prod_2' });
	const { error } = await setPrice();
	expect(error?.message).toContain('“prod_1” is not the record that the platform answered');
	expect(error?.description).toContain('prod_2');
});
