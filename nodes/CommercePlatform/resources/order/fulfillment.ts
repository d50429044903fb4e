import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { isObject } from '../../../shared/values/json';
import { json, rowsOf, someText, text, wholeNumber } from '../../../shared/values/readers';
import { bodyField, type Field, type Item } from '../../fields/field';
import { enteredText, suggestedText } from '../../fields/build';
import { OPEN_ITEMS } from './sendOpenItems';

const JSON_MODE = 'json';
const BY_ID = 'id';
const EVERYTHING = 'everything';
const ITEMS_JSON = 'Items (JSON)';

/** The body of a fulfillment (API document, "Fulfillment (request shape)"). */
export const fulfillmentFields: Field[] = [
	bodyField(
		{
			displayName: 'Tracking Number',
			name: 'trackingNumber',
			type: 'string',
			default: '',
			placeholder: 'e.g. 00340434161094042557',
			description: 'The carrier’s number of the parcel; left out when empty',
		},
		text,
		'tracking_number',
	),
	bodyField(
		{
			displayName: 'Carrier',
			name: 'carrier',
			type: 'string',
			default: '',
			placeholder: 'e.g. dhl',
			description: 'The carrier’s code; sent in lower case, left out when empty',
		},
		readCarrier,
	),
	{
		displayName: 'Items to Send',
		name: 'specifyItems',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Open Items',
				value: OPEN_ITEMS,
				description: 'Read the order first, and send what is not sent yet: one more request',
			},
			{ name: 'Choose', value: 'defineBelow', description: 'Enter line items one by one' },
			{ name: 'JSON', value: JSON_MODE, description: 'Enter one JSON list' },
			{
				name: 'Leave to the Platform',
				value: EVERYTHING,
				description: 'Send no items; the platform decides what that means',
			},
		],
		default: OPEN_ITEMS,
		description: 'Which line items are sent',
		send: { in: 'body', read: readChosenItems },
	},
	{
		displayName: 'Items',
		name: 'items',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Item',
		default: {},
		displayOptions: { show: { specifyItems: ['defineBelow'] } },
		description: 'The line items that are sent, each with its number of pieces',
		options: [
			{
				displayName: 'Item',
				name: 'item',
				values: [
					suggestedText({
						displayName: 'Line Item',
						name: 'line_item_id',
						description: 'ID of the order’s line item, as Get an order shows it',
						search: 'searchOpenItems',
						listHint: 'What is open, where the order is chosen and not an expression',
						what: 'a line item',
						typed: { displayName: 'By ID', name: BY_ID, placeholder: 'e.g. li_1001' },
					}),
					{
						displayName: 'Quantity',
						name: 'quantity',
						type: 'number',
						default: '',
						placeholder: 'e.g. 1',
						description: 'How many pieces of it are sent, at least 1',
					},
				],
			},
		],
	},
	{
		displayName: ITEMS_JSON,
		name: 'itemsJson',
		type: 'json',
		default: '[]',
		displayOptions: { show: { specifyItems: [JSON_MODE] } },
		description:
			'The line items that are sent as a JSON array, e.g. [{ "line_item_id": "li_1001", "quantity": 1 }]; the line items of Get an order fit as they are',
	},
];

/** The document wants a lower-case carrier code ("Fulfillment (request shape)"). */
function readCarrier(field: string, value: unknown): string {
	return text(field, value).toLowerCase();
}

function readChosenItems(_label: string, mode: unknown, item: Item): IDataObject | undefined {
	if (mode === EVERYTHING || mode === OPEN_ITEMS) return undefined;
	if (mode !== JSON_MODE) return { items: readItems('Items', item.parameter('items', {})) };
	return { items: readItems(ITEMS_JSON, json(ITEMS_JSON, item.parameter('itemsJson', {}))) };
}

function readItems(field: string, value: unknown): IDataObject[] {
	const rows = rowsOf(field, value, 'item') ?? [];
	if (rows.length === 0)
		throw new InputError(
			field,
			'is empty',
			'Add the line items that are sent, or choose “All Open Items”.',
		);
	return rows.map((row, index) => {
		const place = `${field} ${index + 1}`;
		if (!isObject(row)) throw new InputError(place, 'must have a line_item_id and a quantity');
		return {
			line_item_id: someText(`${place}: Line Item`, enteredText(row.line_item_id, BY_ID)),
			quantity: wholeNumber(`${place}: Quantity`, row.quantity, 1),
		};
	});
}
