import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { byId } from '../../support/parameters';

const product = (amount: number, more: IDataObject = {}) => ({
	id: 'prod_1',
	title: 'Shirt',
	variants: [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }],
	...more,
});

/** Writes to a shop with one product, which answers so. */
async function write(operation: string, data: IDataObject | undefined) {
	stubApi({
		'GET /products': [[200, { data: [product(500)] }]],
		'GET *': [[200, { data: product(500) }]],
		'PATCH *': [data === undefined ? [204] : [200, { data }]],
	});
	return await runOperation(operation, {
		...{ sku: 'A', amountsAreIn: 'minor', amount: 1100, currency: 'EUR' },
		...{ productId: byId('prod_1'), updateFields: { title: 'New', description: 'Soft' } },
	});
}

describe('an answer to a write', () => {
	it('that shows another price is told of, and stands beside what was written', async () => {
		const { json, hint } = await write('product.setPrices', product(1200));
		expect(json).toMatchObject([{ amount: 1200, written: 1100 }]);
		expect(hint).toContain('shows other prices than were written');
	});

	it.each([
		['the price', product(1100)],
		['no price', { id: 'prod_1' }],
		['nothing', undefined],
	])('that shows %s is not', async (_what, written) => {
		const { json, hint } = await write('product.setPrices', written);
		expect(json).toMatchObject([{ amount: 1100 }]);
		expect(json[0]).not.toHaveProperty('written');
		expect(hint).not.toContain('other prices');
	});

	it('that shows other fields of an update is told of', async () => {
		const { error, hint } = await write('product.update', product(500, { description: 'Soft' }));
		expect(error).toBeUndefined();
		expect(hint).toContain('shows other values than were written: title.');
	});

	it.each([
		['the fields', product(500, { title: 'New', description: 'Soft' })],
		['none of them', { id: 'prod_1' }],
		['nothing', undefined],
	])('that shows %s of an update is not', async (_what, written) => {
		expect((await write('product.update', written)).hint).not.toContain('other values');
	});
});
