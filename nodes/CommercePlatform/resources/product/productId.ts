import { located } from '../../../shared/declarative/locate';
import { locator } from '../../fields/locator';

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
export const productByHandle = located({
	parameter: 'productId',
	mode: 'handle',
	path: '/products',
	searchable: true,
	field: 'Product',
});
