import { decimalAmounts } from '../../../shared/fields';
import { someText } from '../../../shared/values/readers';
import type { EachOperation, Resource } from '../../run/operation';
import { bodyField } from '../../fields/field';
import { amountsAreIn } from '../../fields/money';
import { recordOptions } from '../../fields/options';
import { getAll } from './getAll';
import { importCatalog } from './importCatalog';
import { additionalFields, CHEAPER_WAY, productByHandle, productId, title } from './productFields';
import { setPrices } from './setPrices';
import { update } from './update';
import { upsert } from './upsert';

const create: EachOperation = {
	kind: 'each',
	scope: 'products.write',
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create a product',
		description: 'Create a product with its variants and prices',
		routing: { request: { method: 'POST', url: '/products' } },
	},
	cheaperWay: CHEAPER_WAY,
	fields: [
		bodyField({ ...title, required: true }, someText),
		amountsAreIn,
		additionalFields,
		recordOptions('POST', [decimalAmounts]),
	],
};

const remove: EachOperation = {
	kind: 'each',
	scope: 'products.write',
	reads: { scope: 'products.read', when: ['Handle'] },
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete a product',
		description: 'Delete a product permanently',
		routing: { request: { method: 'DELETE', url: '/products/{productId}' } },
	},
	run: async (call) => await call.record(await productByHandle(call)),
	fields: [productId, recordOptions('DELETE')],
};

const get: EachOperation = {
	kind: 'each',
	scope: 'products.read',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a product',
		description: 'Get one product with its variants and prices',
		routing: { request: { method: 'GET', url: '/products/{productId}' } },
	},
	run: async (call) => await call.record(await productByHandle(call)),
	fields: [productId, recordOptions('GET', [decimalAmounts])],
};

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [create, upsert, remove, get, getAll, importCatalog, setPrices, update],
};
