import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';

type Product = IDataObject & {
	variants: Array<{ sku: string; prices: Array<{ amount: number; currency: string }> }>;
};

describe.each(chosenDialects().map((one) => [one.name, one.dialect] as const))(
	'one price in the dialect %s',
	(_name, dialect) => {
		let shop: DialectShop;
		beforeAll(async () => {
			shop = await openDialectShop(dialect);
		});
		afterAll(async () => await shop.close());

		it.each(['update', 'setPrices'])('is all that %s changes', async (operation) => {
			const { product: id } = await shop.fresh();
			const before = (await shop.record('products', id)) as Product;
			const [{ sku, prices }] = before.variants;
			const { currency } = prices[0];
			const price = { amount: '77', currency };
			const { error } = await shop.run({
				resource: 'product',
				operation,
				amountsAreIn: 'minor',
				...(operation === 'update'
					? {
							productId: byId(id),
							updateFields: { variants: { variant: [{ sku, prices: { price: [price] } }] } },
						}
					: { sku, ...price }),
			});
			expect(error).toBeUndefined();
			const after = (await shop.record('products', id)) as Product;
			const expected = structuredClone(before);
			expected.variants[0].prices[0].amount = 77;
			expect({ ...after, updated_at: null }).toEqual({ ...expected, updated_at: null });
		});
	},
);
