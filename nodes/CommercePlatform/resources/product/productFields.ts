import type { INodeProperties } from 'n8n-workflow';

import { text, textList } from '../../../shared/values/readers';
import { bodyField } from '../../fields/body';
import { variants, variantsJson } from './variants';

export const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Linen shirt',
	description: 'Name of the product, as customers see it',
};

/** The fields of a product that can be written, but for its title (API document, "Product"). */
export const productFields: INodeProperties[] = [
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
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'Text that describes the product',
		},
		text,
	),
	bodyField(
		{
			displayName: 'Handle',
			name: 'handle',
			type: 'string',
			default: '',
			placeholder: 'e.g. linen-shirt',
			description: 'The product’s part of its web address',
		},
		text,
	),
	bodyField(
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			options: [
				{ name: 'Draft', value: 'draft', description: 'Not shown in the shop' },
				{ name: 'Published', value: 'published', description: 'Shown in the shop' },
			],
			default: 'draft',
			description: 'Whether the product is a draft or published',
		},
		text,
	),
	variants,
	variantsJson,
];
