import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/values/json';
import { lineItemsOf } from '../../../shared/model/lineItems';
import type { Rows } from '../../engine/rows';
import type { OutputChoice } from '../../fields/options';
import { orderNumberOf, placedAt } from '../../model/orderNames';

/** The choice of Output that gives them. */
export const lineItemsOutput: OutputChoice = {
	name: 'Line Items',
	value: 'lineItems',
	description:
		'One item a line, with its order’s ID, number, status, currency and dates. Limit counts orders. Where the list leaves out line items, each order is read: one request an order.',
};

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
export const lineItemRows: Rows = {
	output: lineItemsOutput.value,
	of: rowsOf,
	isWhole: (order) => lineItemsOf(order) !== undefined,
	missing: 'Orders of which the platform shows no line items, so that they have no item here:',
	recordPath: '/orders/{id}',
};
