import { text, textList } from '../../../shared/values/readers';
import { choice, collection, textField } from '../../fields/build';
import { bodyField, type Field } from '../../fields/field';
import { located, type Records } from '../operation';
import { variants, variantsJson } from './variants';

export const PRODUCTS: Records = {
	one: 'a product',
	many: 'products',
	path: '/products',
	locator: located(
		{
			displayName: 'Product',
			name: 'productId',
			what: 'a product',
			search: 'searchProducts',
			example: 'prod_1001',
		},
		{
			displayName: 'Handle',
			name: 'handle',
			placeholder: 'e.g. linen-shirt',
			hint: 'The product’s URL slug. Looked up first, which is one more request.',
		},
		{
			path: '/products',
			records: 'products',
			keys: 'handles',
			plain: (entered) => entered,
			keysOf: ({ handle }) => (typeof handle === 'string' ? [handle] : []),
		},
	),
};

/** What products that are written one by one could be done with. */
export const CHEAPER_WAY =
	'Create or Update sends up to 100 products in one request, where the platform takes batches.';

export const title = textField('Title', 'title', 'Name of the product, as customers see it', {
	example: 'Linen shirt',
});

/** The fields of a product that can be written, but for its title (API document, "Product"). */
export const productFields: Field[] = [
	bodyField(
		{
			displayName: 'Category Names or IDs',
			name: 'categories',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getCategories' },
			default: [],
			description:
				'The categories that the product belongs to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		textList,
	),
	bodyField(
		textField('Description', 'description', 'Text that describes the product', {
			typeOptions: { rows: 3 },
		}),
		text,
	),
	bodyField(
		textField('Handle', 'handle', 'The product’s part of its web address', {
			example: 'linen-shirt',
		}),
		text,
	),
	bodyField(
		choice(
			'Status',
			'status',
			{
				draft: ['Draft', 'Not shown in the shop'],
				published: ['Published', 'Shown in the shop'],
			},
			'Whether the product is a draft or published',
		),
		text,
	),
	variants,
	variantsJson,
];

export const additionalFields = collection(
	'Additional Fields',
	'additionalFields',
	'Add Field',
	'Further fields of the product; what is left empty is not sent',
	productFields,
);
