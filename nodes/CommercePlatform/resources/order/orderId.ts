import { locator } from '../../fields/locator';

/** The order that an operation works on. */
export const orderId = locator({
	displayName: 'Order',
	name: 'orderId',
	what: 'an order',
	search: 'searchOrders',
	example: 'ord_1001',
});
