import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { lineItemsOf } from '../../../shared/shop/records';
import { type Item, shownWhen, textField } from '../../../shared/values/fields';
import { isObject } from '../../../shared/values/json';
import { optionalText, wholeNumber } from '../../../shared/values/readers';
import { nameText } from '../../fields/spreadsheet';
import type { Call } from '../../runner/operation';
import { changeOrder, readOrder } from './order';

/** The choice of Items to Send with which each input item is a row of a list: an order, a line and its pieces. */
export const FROM_ROWS = 'rows';

/** What a row names. The order and the tracking number are fields of their own. */
export const rowFields = shownWhen(
	'specifyItems',
	[FROM_ROWS],
	textField(
		'SKU or Line Item',
		'rowLine',
		'The SKU of the line that is sent, or the ID of the line',
		{
			required: true,
			example: 'SHIRT-BLUE-M',
		},
	),
	textField('Quantity', 'rowQuantity', 'How many pieces of it are sent, at least 1', {
		required: true,
		example: '1',
	}),
);

/** A row of the list. */
interface Row {
	itemIndex: number;
	line: string;
	quantity: number;
}

/**
 * Reads an item's own row.
 *
 * @throws InputError that names the field
 */
export const rowOf = (item: Item): Row => ({
	itemIndex: item.itemIndex,
	line: nameText('SKU or Line Item', item.parameter('rowLine', '')),
	quantity: wholeNumber('Quantity', item.parameter('rowQuantity', ''), 1),
});

/** Rows of one order with one tracking number are one parcel. */
const parcelOf = (item: Item): string =>
	JSON.stringify([
		String(item.resourceId('orderId')).trim().replace(/^#\s*/, ''),
		optionalText('Tracking Number', item.parameter('trackingNumber', '')) ?? '',
	]);

/** The rows of all parcels of a run. A row that cannot be read fails by itself, and is in no parcel. */
function parcelsOf(items: readonly Item[]): Map<string, Row[]> {
	const parcels = new Map<string, Row[]>();
	for (const item of items) {
		try {
			const parcel = parcelOf(item);
			parcels.set(parcel, [...(parcels.get(parcel) ?? []), rowOf(item)]);
		} catch {
			// The item itself reads its row before it sends, and says what is wrong.
		}
	}
	return parcels;
}

/** The fulfillments of a run by their parcels. */
const sentParcels = () => new Map<string, Promise<IDataObject>>();

/**
 * Sends the rows of one order and tracking number as one fulfillment, with the first of them. The others get the same
 * record. What no row names is not sent.
 */
export async function sendParcel(call: Call): Promise<IDataObject> {
	const parcel = parcelOf(call.item);
	const rows = call.shared(parcelsOf).get(parcel) ?? [rowOf(call.item)];
	const [{ itemIndex: first }] = rows;
	const sent = call.shared(sentParcels);
	const earlier =
		sent.get(parcel) ?? (first === call.item.itemIndex ? undefined : call.earlierRecord(first));
	if (earlier !== undefined) return await earlier;
	const fulfillment = send(call, rows);
	sent.set(parcel, fulfillment);
	return await fulfillment;
}

async function send(call: Call, rows: readonly Row[]): Promise<IDataObject> {
	const { request, earlierRequest } = call;
	// What may have been applied is sent again as it was.
	if (earlierRequest !== undefined) return await changeOrder(call);
	const order = await readOrder(call, request);
	const pieces = new Map<string, number>();
	for (const { line, quantity } of rows) {
		const id = lineIdOf(order, line);
		pieces.set(id, (pieces.get(id) ?? 0) + quantity);
	}
	const items = [...pieces].map(([line_item_id, quantity]) => ({ line_item_id, quantity }));
	return await changeOrder(call, { ...request, body: { ...request.body, items } });
}

/** The ID of the one line that has an ID or a SKU. Some platforms keep the SKU in the line's variant. */
function lineIdOf(order: IDataObject, wanted: string): string {
	const lines = lineItemsOf(order) ?? [];
	const matching = lines.filter((line) =>
		[line, line.product_variant, line.variant, line.product]
			.filter(isObject)
			.some(({ sku, line_item_id: id }) => id === wanted || String(sku ?? '').trim() === wanted),
	);
	if (matching.length === 1) return String(matching[0].line_item_id);
	throw new InputError(
		'SKU or Line Item',
		matching.length === 0
			? `“${wanted}” is no line of this order`
			: `“${wanted}” names ${matching.length} lines of this order`,
		`Nothing of this parcel was sent. ${matching.length === 0 ? 'Check the SKU.' : 'Use the ID of the line.'}`,
	);
}
