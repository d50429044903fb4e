import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../../../shared/n8n';
import { InputError } from '../../../shared/rest/errors';
import { lineItemsOf, orderNumberOf, simplifyOrder } from '../../../shared/shop/records';
import {
	choice,
	type Item,
	jsonField,
	numberField,
	rows,
	shownWhen,
	textField,
} from '../../../shared/values/fields';
import { isObject } from '../../../shared/values/json';
import { nameText, plainName } from '../../../shared/values/names';
import { rowsOf, saysNothing, someText, wholeNumber } from '../../../shared/values/readers';
import type { Call } from '../../runner/operation';
import { chosenOrEntered, enteredText } from '../../fields/locator';
import { sentJson } from '../../fields/jsonText';
import { dryRun } from '../../fields/options';
import { openItemsOf } from './openItems';
import { each } from '../makeOperation';
import { CHANGE, changeOrder, currentInstead, GO_ON, plainNumber, readOrder } from './order';

/** The choice of Items to Send with which each input item is a row of a list: an order, a line and its pieces. */
const FROM_ROWS = 'rows';

/**
 * Reads what an item's own row says: a line and its pieces.
 *
 * @throws InputError that names the field
 */
const parcelRow = (item: Item) => ({
	line: nameText('SKU or Line Item', item.parameter('rowLine', '')),
	quantity: wholeNumber('Quantity', item.parameter('rowQuantity', ''), 1),
});

/** Rows of one order with one tracking number are one parcel. */
function parcelOfRow(item: Item): string | undefined {
	if (item.parameter('specifyItems', '') !== FROM_ROWS) return undefined;
	const order = plainNumber(plainName(String(item.resourceId('orderId'))));
	const number = item.parameter('trackingNumber', '');
	return JSON.stringify([order, saysNothing(number) ? '' : nameText('Tracking Number', number)]);
}

/** Sends the rows of one parcel as one fulfillment. What no row names is not sent. */
async function sendParcel(call: Call): Promise<IDataObject> {
	const { request, earlierRequest } = call;
	// What may have been applied is sent again as it was.
	if (earlierRequest !== undefined) return await changeOrder(call);
	const { record: order } = await readOrder(call, request);
	const pieces = new Map<string, number>();
	for (const row of call.rows) {
		const { line, quantity } = parcelRow(row);
		const id = wantedLine(order, line, row);
		pieces.set(id, (pieces.get(id) ?? 0) + quantity);
	}
	const items = [...pieces].map(([line_item_id, quantity]) => ({ line_item_id, quantity }));
	return await changeOrder(call, { ...request, body: { ...request.body, items } });
}

/** The ID of the one line that has an ID or a SKU. Some platforms keep the SKU in the line's variant. */
function wantedLine(order: IDataObject, wanted: string, { row }: Item): string {
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
		`Nothing of this parcel was sent. ${matching.length === 0 ? 'Check the SKU' : 'Use the ID of the line'} in row ${row}.`,
	);
}

const BY_ID = 'id';

const itemsJson = jsonField(
	'Items (JSON)',
	'itemsJson',
	'The line items to send as a JSON array, e.g. [{ "line_item_id": "li_1001", "quantity": 1 }]',
);

const lineItem = chosenOrEntered(
	'a line item',
	'searchOpenItems',
	[{ displayName: 'ID', name: BY_ID, placeholder: 'e.g. li_1001' }],
	{
		displayName: 'Line Item',
		name: 'line_item_id',
		description: 'ID of the order’s line item, as Get an order shows it',
		listHint: 'Its open line items, where the order is chosen and not an expression',
	},
);

/** The body of a fulfillment (API document, "Fulfillment (request shape)"). */
const fulfillmentFields = [
	textField('Tracking Number', 'trackingNumber', 'The carrier’s number; left out when empty', {
		example: '00340434161094042557',
		body: 'tracking_number',
		read: nameText,
	}),
	textField('Carrier', 'carrier', 'The carrier’s code; sent in lower case, left out when empty', {
		example: 'dhl',
		body: 'carrier',
		// The API document wants a lower-case carrier code.
		read: (label, value) => nameText(label, value).toLowerCase(),
	}),
	choice(
		'Items to Send',
		'specifyItems',
		{
			open: ['All Open Items', 'Read the order first, one more request, and send what is open'],
			defineBelow: ['Choose', 'Enter line items one by one'],
			[FROM_ROWS]: [
				'From Input Items',
				'Each item is a row with an order, a SKU or line, and a quantity; rows of one order and tracking number are one parcel',
			],
			json: ['JSON', 'Enter one JSON list'],
			everything: ['Leave to the Platform', 'Send no items; the platform decides what that means'],
		},
		'Which line items are sent',
		{ noDataExpression: true, send: { in: 'body', read: readChosenItems } },
	),
	...shownWhen(
		'specifyItems',
		['defineBelow'],
		rows('Items', 'items', 'Item', 'The line items that are sent, each with its number of pieces', [
			lineItem,
			numberField('Quantity', 'quantity', 'How many pieces of it are sent, at least 1', {
				required: true,
				example: '1',
			}),
		]),
	),
	// What a row names. The order and the tracking number are fields of their own.
	...shownWhen(
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
	),
	...shownWhen('specifyItems', ['json'], itemsJson),
];

function readChosenItems(_label: string, mode: unknown, item: Item): IDataObject | undefined {
	checkTracking(item);
	if (mode === FROM_ROWS) parcelRow(item);
	if (mode === 'everything' || mode === 'open' || mode === FROM_ROWS) return undefined;
	const isJson = mode === 'json';
	const field = isJson ? itemsJson.displayName : 'Items';
	const entered = item.parameter(isJson ? itemsJson.name : 'items', {});
	const chosenRows =
		rowsOf(field, isJson ? sentJson(field, item, itemsJson.name, entered) : entered, 'item') ?? [];
	if (chosenRows.length === 0)
		throw new InputError(
			field,
			'is empty',
			"Add the line items that are sent, or choose 'All Open Items'.",
		);
	const items = chosenRows.map((row, index) => {
		const label = `${field} ${index + 1}`;
		return {
			...(isJson && row),
			line_item_id: someText(`${label}: Line Item`, enteredText(row.line_item_id, BY_ID)),
			quantity: wholeNumber(`${label}: Quantity`, row.quantity, 1),
		};
	});
	return { items };
}

/**
 * Refuses a row whose cell for the tracking number is blank: in a list of tracking numbers that means “not yet”. A field
 * that was left empty by hand ships without one, and so does an AI tool: its model leaves out a field by leaving it empty.
 *
 * @throws InputError
 */
function checkTracking(item: Item): void {
	const isCell = item.isExpression('trackingNumber') && !isTool(item.node);
	if (!isCell || !saysNothing(item.parameter('trackingNumber', ''))) return;
	throw new InputError(
		'Tracking Number',
		'is empty',
		'Nothing was sent for this row, since its expression returns no number. Filter such rows out before this node.',
	);
}

/**
 * The status that makes a fulfillment needless. A tracking number that the user entered would get lost, so with one
 * there is none.
 */
const wantedStatus = ({ request }: Call) =>
	request.body?.tracking_number === undefined ? ('fulfilled' as const) : undefined;

/** For the tracking number of a further parcel: it goes with a fulfillment, and there is nothing to fulfill. */
const PARCELS_OF_ONE_ORDER =
	'Nothing was sent, and the tracking number was not saved. For several rows of the same order, join their numbers with Summarize before this node, or choose the items of each parcel.';

/** Sends the line items that the user chose, or reads the order and sends its open ones. */
async function sendFulfillment(call: Call): Promise<IDataObject> {
	const { item, request, earlierRequest } = call;
	// If an earlier try may have sent a fulfillment, the order does not show for certain what is open. So that very
	// request is sent again.
	const mode = item.parameter('specifyItems', '');
	if (mode === FROM_ROWS) return await sendParcel(call);
	if (mode !== 'open' || earlierRequest !== undefined)
		return await changeOrder(call, request, undefined, wantedStatus(call));
	const { record: order } = await readOrder(call, request);
	const items = openItemsOf(order);
	if (items.length > 0) {
		const body = { ...request.body, items };
		return await changeOrder(call, { ...request, body }, undefined, wantedStatus(call));
	}
	const current = currentInstead(call, order, wantedStatus(call));
	if (current !== undefined) return current;
	throw new InputError(
		'Order',
		`“${orderNumberOf(order) ?? String(order.id)}” has nothing left to send`,
		request.body?.tracking_number === undefined
			? `Nothing was sent. ${GO_ON}`
			: PARCELS_OF_ONE_ORDER,
	);
}

export const fulfill = each({
	...CHANGE,
	request: 'POST /orders/{orderId}/fulfillments',
	name: 'Fulfill',
	value: 'fulfill',
	action: 'Fulfill order',
	description: 'Create a fulfillment: line items of an order that are on their way',
	run: sendFulfillment,
	rowOf: parcelOfRow,
	madeOfRows: 'parcel',
	// A fulfillment is short. An order that was left as it is, is not.
	simplify: (record) => (record.transitionSkipped === true ? simplifyOrder(record) : record),
	fields: fulfillmentFields,
	options: [...CHANGE.options, dryRun],
});
