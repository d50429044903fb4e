import type { IDataObject } from 'n8n-workflow';

import { byMode, onlyPage, runOperation, stubApi, writesIn } from '../../support/engine';

/** A platform whose lists leave out the variants, also those that a search gives. */
function shop() {
	const products = [1, 2, 3, 4, 5, 6].map((n) => ({
		id: `prod_${n}`,
		title: `Shirt ${n}`,
		variants: ['M', 'L'].map((size) => ({
			sku: `S${n}-${size}`,
			title: size,
			prices: ['EUR', 'USD'].map((currency) => ({ amount: 1000, currency })),
		})),
	}));
	return stubApi({
		'GET /products': ({ query }) =>
			onlyPage(
				products
					.filter(({ variants }) => !query.sku || variants.some(({ sku }) => sku === query.sku))
					.map(({ id, title }) => ({ id, title })),
			),
		'GET /products/*': ({ target }) => [
			200,
			{ data: products.find(({ id }) => target.endsWith(`/${id}`)) },
		],
		'PATCH *': [[200, { data: { id: 'prod_1' } }]],
		'POST /products/batch': ({ body }) => [
			200,
			{
				data: ((body as IDataObject).operations as IDataObject[]).map(({ sku }) => ({
					sku,
					status: 'updated',
				})),
			},
		],
	});
}

describe.each([3, 6])('%i rows about products whose list leaves out the variants', (count) => {
	const items = Array.from({ length: count }, (_, n) => ({
		...{ sku: `S${n + 1}-M`, price: '9.00', currency: 'EUR' },
	}));
	const variants = (n: number) => [
		{
			...{ sku: `S${n}-M`, title: 'M' },
			prices: [
				{ amount: 900, currency: 'EUR' },
				{ amount: 1000, currency: 'USD' },
			],
		},
		expect.objectContaining({ sku: `S${n}-L`, title: 'L' }),
	];

	it('are merged into their variants', async () => {
		const sent = shop();
		const parameters = { specifyProduct: 'autoMapInputData' };
		const { error } = await runOperation('product.upsert', parameters, { items });
		expect(error).toBeUndefined();
		const [{ body }, ...others] = writesIn(sent);
		expect(others).toEqual([]);
		const operations = items.map(({ sku }, n) => ({
			op: 'upsert',
			sku,
			variants: variants(n + 1),
		}));
		expect(body).toEqual({ operations });
	});

	it('set their prices', async () => {
		const sent = shop();
		const parameters = {
			sku: byMode('sku', '={{ $json.sku }}'),
			...{ amount: '={{ $json.price }}', currency: 'EUR' },
		};
		const { error } = await runOperation('product.setPrices', parameters, { items });
		expect(error).toBeUndefined();
		const bodies = writesIn(sent).map(({ body }) => body);
		expect(bodies).toHaveLength(count);
		expect(bodies).toContainEqual({ variants: variants(1) });
	});
});
