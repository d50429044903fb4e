import { text, textList } from '../../../shared/values/readers';
import { choice, collection, textField } from '../../fields/build';
import { bodyField, type Field } from '../../fields/field';
import { variants, variantsJson } from './variants';

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
