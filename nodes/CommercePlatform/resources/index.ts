import type { Resource } from '../run/operation';
import { account } from './account';
import { category } from './category';
import { customer } from './customer';
import { event } from './event';
import { inventory } from './inventory';
import { order } from './order';
import { product } from './product';
import { webhook } from './webhook';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [
	account,
	category,
	customer,
	event,
	inventory,
	order,
	product,
	webhook,
];
