import type { IDataObject } from 'n8n-workflow';

import { decimalAmounts, simplify } from '../../../shared/fields';
import { lineItemsOf, simplifyOrder } from '../../../shared/model/records';
import { isObject } from '../../../shared/values/json';
import type { EachOperation, ListOperation, Rows } from '../../run/operation';
import { COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, listFields, recordOptions } from '../../fields/options';
import { orderNumberOf, placedAt } from '../../model/orderNames';
import { orderByNumber, orderId } from './order';

export const get: EachOperation = {
	kind: 'each',
	scope: 'orders.read',
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get an order',
		description: 'Get one order with its line items, totals, payment summary and fulfillment state',
		routing: { request: { method: 'GET', url: '/orders/{orderId}' } },
	},
	run: async (call) => await call.record(await orderByNumber(call)),
	simplify: simplifyOrder,
	fields: [orderId, simplify, ...recordOptions('GET', [decimalAmounts])],
};

const LINE_ITEMS = 'lineItems';

/** A line with what it takes of its order to stand alone; the line’s own fields stay as they are. */
function rowsOf(order: IDataObject): IDataObject[] {
	const { id, status, total, currency, updated_at: updatedAt } = order;
	const ofOrder: IDataObject = {
		order_id: id,
		order_number: orderNumberOf(order),
		order_status: status,
		currency: isObject(total) ? total.currency : currency,
		order_created_at: placedAt(order),
		order_updated_at: updatedAt,
	};
	for (const name of Object.keys(ofOrder)) if (ofOrder[name] === undefined) delete ofOrder[name];
	return (lineItemsOf(order) ?? []).map((line) => ({ ...ofOrder, ...line }));
}

/** One item a line (API document, "Order": line items are "included on get"). */
const lineItemRows: Rows = {
	output: LINE_ITEMS,
	of: rowsOf,
	isWhole: (order) => lineItemsOf(order) !== undefined,
	missing: 'Orders of which the platform shows no line items, so that they have no item here:',
	recordPath: '/orders/{id}',
};

export const getAll: ListOperation = {
	kind: 'list',
	cheaperWay: CHANGES_TRIGGER,
	scope: 'orders.read',
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many orders',
		description: 'Get a list of orders',
		routing: { request: { method: 'GET', url: '/orders' } },
	},
	simplify: simplifyOrder,
	newestFirst: true,
	rows: lineItemRows,
	fields: listFields(
		filters(COMMON_FILTERS, {
			status: knownStates('orders', ['cancelled', 'fulfilled', 'paid']),
			sort: {
				description:
					'The order of the records. Without it, a Limit gives the orders that changed last, and Return All keeps the platform’s order.',
			},
		}),
		{
			simplify,
			options: [decimalAmounts],
			outputs: [
				{
					name: 'Line Items',
					value: LINE_ITEMS,
					description:
						'One item per line, with its order’s ID, number, status, currency and dates. Limit counts orders. Lines not listed cost a request per order.',
				},
			],
		},
	),
};
