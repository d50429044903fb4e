import type { Resource } from '../../engine/operation';
import { adjust } from './adjust';
import { getAll } from './getAll';
import { set } from './set';

export const inventory: Resource = {
	name: 'Inventory',
	value: 'inventory',
	description: 'Stock levels by SKU and location',
	noun: 'stock level',
	operations: [adjust, getAll, set],
};
