import { lookUpKey } from '../../engine/lookUp';
import type { NaturalKey } from '../../engine/naturalKey';
import { locator } from '../../fields/build';
import { plainNumber, plainNumbersOf } from '../../model/orderNames';

/** Pages of up to 250 orders that are read for a number at most: the newest 10,000. */
const MAX_PAGES = 40;

/** The order that an operation works on. */
export const orderId = locator(
	{
		displayName: 'Order',
		name: 'orderId',
		what: 'an order',
		search: 'searchOrders',
		example: 'ord_1001',
	},
	[
		{
			displayName: 'By Number',
			name: 'number',
			placeholder: 'e.g. 1041',
			hint: 'With or without “#”. It is looked up first: one more request, or up to 40 a run where the platform’s search does not find numbers.',
		},
	],
);

/** Orders by their number, with or without “#”. */
export const NUMBER: NaturalKey = {
	path: '/orders',
	records: 'orders',
	keys: 'order numbers',
	maxPages: MAX_PAGES,
	plain: plainNumber,
	keysOf: plainNumbersOf,
};

/** Looks up the order that is named by its number. */
export const orderByNumber = lookUpKey({
	parameter: 'orderId',
	mode: 'number',
	field: 'Order',
	key: NUMBER,
});
