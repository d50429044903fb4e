import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop } from '../operations/shop';
import { inEachDialect } from './chosen';

type Product = IDataObject & {
	variants: Array<{ sku: string; prices: Array<{ amount: number; currency: string }> }>;
};

inEachDialect('one price', (dialect) => {
	const { shop, fixtures } = useShop('each', dialect);
	const product = async () => (await shop.record('products', fixtures.product)) as Product;

	it.each(['update', 'setPrices'])('is all that %s changes', async (operation) => {
		const before = await product();
		const [{ sku, prices }] = before.variants;
		const price = { amount: '77', currency: prices[0].currency };
		const variants = { variant: [{ sku, prices: { price: [price] } }] };
		const updated = { productId: byId(fixtures.product), updateFields: { variants } };
		const fields = operation === 'update' ? updated : { sku, ...price };
		const { error } = await shop.run(`product.${operation}`, { amountsAreIn: 'minor', ...fields });
		expect(error).toBeUndefined();
		prices[0].amount = 77;
		expect({ ...(await product()), updated_at: null }).toEqual({ ...before, updated_at: null });
	});
});
