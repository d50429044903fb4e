import type { Resource } from '../../engine/operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const customer: Resource = {
	name: 'Customer',
	value: 'customer',
	description: 'Customers of the shop; their marketing consent must be respected',
	noun: 'customer',
	operations: [create, get, getAll, update],
};
