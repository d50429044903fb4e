import type { Resource } from '../../run/operation';
import { filters } from '../../fields/filters';
import { CHANGES_TRIGGER } from '../../fields/options';
import { getMany } from '../operation';
import { adjust } from './adjust';
import { set } from './set';

export const inventory: Resource = {
	name: 'Inventory',
	value: 'inventory',
	description: 'Stock levels by SKU and location',
	noun: 'stock level',
	operations: [
		adjust,
		getMany(
			{ one: 'a stock level', many: 'stock levels', path: '/inventory/levels' },
			{ cheaperWay: CHANGES_TRIGGER, fields: filters(['location_id', 'sku']) },
		),
		set,
	],
};
