import { decimalAmounts } from '../../../shared/fields';
import { someText } from '../../../shared/values/readers';
import type { Resource } from '../../run/operation';
import { bodyField } from '../../fields/field';
import { amountsAreIn } from '../../fields/money';
import { create, getOne, remove } from '../operation';
import { getAll } from './getAll';
import { importCatalog } from './importCatalog';
import { additionalFields, CHEAPER_WAY, PRODUCTS, title } from './productFields';
import { setPrices } from './setPrices';
import { updateProduct } from './update';
import { upsert } from './upsert';

const createProduct = create(PRODUCTS, {
	description: 'Create a product with its variants and prices',
	cheaperWay: CHEAPER_WAY,
	fields: [bodyField({ ...title, required: true }, someText), amountsAreIn, additionalFields],
	options: [decimalAmounts],
});

const get = getOne(PRODUCTS, {
	description: 'Get one product with its variants and prices',
	options: [decimalAmounts],
});

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [
		createProduct,
		upsert,
		remove(PRODUCTS),
		get,
		getAll,
		importCatalog,
		setPrices,
		updateProduct,
	],
};
