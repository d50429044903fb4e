import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import {
	choice,
	choices,
	collection,
	type Field,
	type Item,
	jsonField,
	rows,
	textField,
} from '../../../shared/values/fields';
import { type AmountForm, readMoney } from '../../../shared/values/money';
import { describe, rowsOf, saysNothing, someText, text } from '../../../shared/values/readers';
import { sentJson } from '../../fields/jsonText';
import { otherFields } from '../../fields/freeBody';
import { exactName, nameText } from '../../../shared/values/names';
import { amountForm } from '../../fields/amounts';
import { categoriesEntered } from './categories';

export const title = (required?: true): Field =>
	textField('Title', 'title', 'Name of the product, as customers see it', {
		required,
		example: 'Linen shirt',
		body: 'title',
		read: someText,
	});

const price = [
	textField(
		'Amount',
		'amount',
		"The price in major units, e.g. 19.99. For minor units, add the option 'Amounts Are In'.",
		{ example: '19.99' },
	),
	textField('Currency', 'currency', 'Three-letter currency code, e.g. EUR', {
		example: 'EUR',
	}),
];

const variant = [
	textField('SKU', 'sku', 'Stock keeping unit that names the variant', { example: 'SHIRT-BLUE-M' }),
	textField('Title', 'title', 'Name of the variant; left out when empty', { example: 'Blue, M' }),
	rows('Prices', 'prices', 'Price', 'The prices of the variant, one for each currency', price),
];

/** Fields of a product that can be written (API document, "Product"). */
const someFields: Field[] = [
	choices(
		'Category Names or IDs',
		'categories',
		'The categories that the product belongs to, by name or ID. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		{
			typeOptions: { loadOptionsMethod: 'getCategories' },
			body: 'categories',
			read: categoriesEntered,
		},
	),
	textField('Description', 'description', 'Text that describes the product', {
		typeOptions: { rows: 3 },
		body: 'description',
	}),
	textField('Handle', 'handle', 'The product’s part of its web address', {
		example: 'linen-shirt',
		body: 'handle',
		read: exactName,
	}),
	choice(
		'Status',
		'status',
		{
			draft: ['Draft', 'Not shown in the shop'],
			published: ['Published', 'Shown in the shop'],
		},
		'Whether the product is a draft or published',
		{ body: 'status' },
	),
	jsonField(
		'Variants (JSON)',
		'variantsJson',
		'Variants as a JSON array, in minor units, e.g. [{ "sku": "SHIRT-M", "prices": [{ "amount": 1999, "currency": "EUR" }] }]',
		{
			body: 'variants',
			read: (field, value, item, sent, path) => {
				const variants = sentJson(field, item, path, value);
				if (Array.isArray(variants)) return readVariants(field, variants, item, sent, path);
				throw new InputError(field, 'must be a JSON array', `It is ${describe(variants)}.`);
			},
		},
	),
];

/** The fields of one product that can be written, except its title. */
export const productFields: Field[] = [
	...someFields,
	// A second field for the variants: rows for the editor, and one list for expressions and AI agents.
	rows('Variants', 'variants', 'Variant', 'The variants with their prices', variant, {
		body: 'variants',
		read: readVariants,
	}),
	otherFields('Further fields by name and value', 'searchProductFields'),
];

/** Reads the price beside a SKU. The currency stands in its own field. */
export function readOwnPrice(label: string, value: unknown, item: Item): IDataObject {
	const entered = { amount: value, currency: item.parameter('currency', '') };
	const money = readMoney({ amount: label, currency: 'Currency' }, entered, amountForm(item));
	if (money.amount < 0) throw new InputError(label, 'must not be less than 0');
	return money;
}

/** A currency is asked for once there is a price. */
export const WITH_PRICE = { displayOptions: { hide: { price: [''] } } };

/** SKU, price and currency of a product with one variant. */
export const oneVariant: Field[] = [
	textField('SKU', 'sku', 'Stock keeping unit of a product with one variant', {
		example: 'SHIRT-BLUE-M',
		body: 'variants',
		read: (label, value, item) => {
			const sku = nameText(label, value);
			const amount = item.parameter('price', '');
			return [
				{ sku, ...(!saysNothing(amount) && { prices: [readOwnPrice('Price', amount, item)] }) },
			];
		},
	}),
	textField(
		'Price',
		'price',
		"The price of that SKU in major units, e.g. 19.99; left out when empty. For minor units: option 'Amounts Are In'.",
		{
			example: '19.99',
			body: 'price',
			read: (_label, _value, item) => {
				if (!saysNothing(item.parameter('sku', ''))) return undefined;
				throw new InputError('SKU', 'is empty', 'Nothing was sent. A price belongs to a SKU.');
			},
		},
	),
	textField('Currency', 'currency', 'Three-letter currency code for that price, e.g. EUR', {
		example: 'EUR',
		...WITH_PRICE,
	}),
];

const additional = (fields: Field[]): Field =>
	collection(
		'Additional Fields',
		'additionalFields',
		'Add Field',
		fields,
		'Further fields of the product; what is left empty is not sent',
	);

export const additionalFields = additional(productFields);

/** For many products at once, whose variants come from the rows. */
export const additionalFieldsOfRows = additional(someFields);

/**
 * Brings the variants that the user entered into the form of the API document (Resources, "Variant").
 *
 * @param value rows of the editor's collection, or a list from an expression, which has the API's form already
 * @returns undefined if there is no row
 * @throws InputError that names the variant and price
 */
function readVariants(
	field: string,
	value: unknown,
	item: Item,
	_sent: IDataObject,
	path: string,
): IDataObject[] | undefined {
	const entered = Array.isArray(value) ? sentJson(field, item, path, value) : value;
	const form = amountForm(item);
	return rowsOf(field, entered, 'variant')?.map((entry, index) =>
		readVariant(`${field} ${index + 1}`, entry, form),
	);
}

function readVariant(label: string, entry: IDataObject, form: AmountForm): IDataObject {
	const { sku, title: name, prices, ...others } = entry;
	const sentVariant: IDataObject = { sku: nameText(`${label}: SKU`, sku) };
	if (!saysNothing(name)) sentVariant.title = text(`${label}: Title`, name);
	const priceRows = rowsOf(`${label}: Prices`, prices, 'price');
	if (priceRows !== undefined && priceRows.length > 0) {
		const priceForm: AmountForm = Array.isArray(prices) ? { unit: 'minor' } : form;
		sentVariant.prices = priceRows.map((row, index) =>
			readPrice(`${label}, Price ${index + 1}`, row, priceForm),
		);
	}
	return { ...sentVariant, ...others };
}

function readPrice(label: string, entry: IDataObject, form: AmountForm): IDataObject {
	const names = { amount: `${label}: Amount`, currency: `${label}: Currency` };
	const money = readMoney(names, entry, form);
	if (money.amount < 0) throw new InputError(names.amount, 'must not be less than 0');
	return { ...entry, ...money };
}
