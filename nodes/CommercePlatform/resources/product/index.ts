import type { Resource } from '../../engine/operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { importCatalog } from './importCatalog';
import { setPrices } from './setPrices';
import { update } from './update';
import { upsert } from './upsert';

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [create, upsert, remove, get, getAll, importCatalog, setPrices, update],
};
