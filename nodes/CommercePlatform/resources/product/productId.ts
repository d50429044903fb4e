import { lookUp } from '../../engine/lookUp';
import { locator } from '../../fields/build';

/** The product that an operation works on. */
export const productId = locator(
	{
		displayName: 'Product',
		name: 'productId',
		what: 'a product',
		search: 'searchProducts',
		example: 'prod_1001',
	},
	[
		{
			displayName: 'By Handle',
			name: 'handle',
			placeholder: 'e.g. linen-shirt',
			hint: 'The product’s URL slug; it is looked up first, which is one more request',
		},
	],
);

/** Looks up the product that is named by its handle. */
export const productByHandle = lookUp({
	parameter: 'productId',
	mode: 'handle',
	path: '/products',
	takesQuery: true,
	field: 'Product',
});
