import type { Resource } from '../../run/operation';
import { cancel } from './cancel';
import { fulfill } from './fulfill';
import { get, getAll } from './read';
import { refund } from './refund';
import { update } from './update';

export const order: Resource = {
	name: 'Order',
	value: 'order',
	description: 'Orders with their line items, totals and state',
	noun: 'order',
	operations: [cancel, fulfill, get, getAll, refund, update],
};
