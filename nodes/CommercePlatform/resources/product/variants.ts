import type { INodeProperties } from 'n8n-workflow';

import { writtenIn } from '../../fields/saidFields';
import { bodyField } from '../../fields/body';
import { amountFields, amountUnit } from '../../fields/money';
import { readVariantList, readVariants } from './readVariants';

const currency: INodeProperties = {
	displayName: 'Currency',
	name: 'currency',
	type: 'string',
	default: '',
	placeholder: 'e.g. EUR',
	description: 'Three-letter currency code of ISO 4217, e.g. EUR',
};

const prices: INodeProperties = {
	displayName: 'Prices',
	name: 'prices',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Price',
	default: {},
	description: 'The prices of the variant, one for each currency',
	options: [
		{ displayName: 'Price', name: 'price', values: [...amountFields('The price'), currency] },
	],
};

const variant: INodeProperties[] = [
	{
		displayName: 'SKU',
		name: 'sku',
		type: 'string',
		default: '',
		placeholder: 'e.g. SHIRT-BLUE-M',
		description: 'Stock keeping unit that names the variant',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Blue, M',
		description: 'Name of the variant; left out when empty',
	},
	prices,
];

/** The variants of a product, one after the other in the editor. */
export const variants: INodeProperties = bodyField(
	{
		displayName: 'Variants',
		name: 'variants',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Variant',
		default: {},
		description: 'The variants of the product with their prices',
		options: [{ displayName: 'Variant', name: 'variant', values: variant }],
	},
	(field, value, item) => readVariants(field, value, amountUnit(item), writtenIn(item, 'variants')),
);

/** The same as one list, for expressions and AI agents. */
export const variantsJson: INodeProperties = bodyField(
	{
		displayName: 'Variants (JSON)',
		name: 'variantsJson',
		type: 'json',
		default: '[]',
		description:
			'The variants as one JSON array, in place of Variants, e.g. [{ "sku": "SHIRT-M", "title": "M", "prices": [{ "amount": 1999, "currency": "EUR" }] }]. Amounts are in minor units.',
	},
	(field, value, item) =>
		readVariantList(field, value, amountUnit(item), writtenIn(item, 'variantsJson')),
	'variants',
);
