import type { Resource } from '../../../shared/declarative/operation';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const order: Resource = {
	name: 'Order',
	value: 'order',
	description: 'Orders with their line items, totals and state',
	noun: 'order',
	operations: [get, getAll, update],
};
