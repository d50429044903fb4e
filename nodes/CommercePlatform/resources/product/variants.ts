import { jsonField, rows, textField } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { amountFields, amountUnit } from '../../fields/money';
import { writtenIn } from '../../fields/saidFields';
import { readVariantList, readVariants } from './readVariants';

const price = [
	...amountFields('The price'),
	textField('Currency', 'currency', 'Three-letter currency code of ISO 4217, e.g. EUR', {
		example: 'EUR',
	}),
];

const variant = [
	textField('SKU', 'sku', 'Stock keeping unit that names the variant', { example: 'SHIRT-BLUE-M' }),
	textField('Title', 'title', 'Name of the variant; left out when empty', { example: 'Blue, M' }),
	rows('Prices', 'prices', 'Price', 'The prices of the variant, one for each currency', price),
];

/** The variants of a product, one after the other in the editor. */
export const variants = bodyField(
	rows('Variants', 'variants', 'Variant', 'The variants of the product with their prices', variant),
	(field, value, item) => readVariants(field, value, amountUnit(item), writtenIn(item, 'variants')),
);

/** The same as one list, for expressions and AI agents. */
export const variantsJson = bodyField(
	jsonField(
		'Variants (JSON)',
		'variantsJson',
		'[]',
		'The variants as one JSON array, in place of Variants, e.g. [{ "sku": "SHIRT-M", "title": "M", "prices": [{ "amount": 1999, "currency": "EUR" }] }]. Amounts are in minor units.',
	),
	(field, value, item) =>
		readVariantList(field, value, amountUnit(item), writtenIn(item, 'variantsJson')),
	'variants',
);
