import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/rest/request';
import { documentedCode, isKindOf409 } from '../../../shared/rest/errorBody';
import { InputError, PlatformError } from '../../../shared/rest/errors';
import {
	customerOf,
	isWritten,
	lineItemsOf,
	orderNumberOf,
	orderNumbersOf,
	personOf,
	placedAt,
	SURE_NUMBER_FIELDS,
	simplifyOrder,
} from '../../../shared/shop/records';
import { RESOURCES } from '../../../shared/shop/resources';
import {
	choice,
	decimalAmounts,
	type Item,
	jsonField,
	shownWhen,
	textField,
} from '../../../shared/values/fields';
import { isObject, snakeName } from '../../../shared/values/json';
import { minorToMajor } from '../../../shared/values/money';
import {
	boolean,
	describe,
	saysNothing,
	searchedText,
	text,
	textList,
} from '../../../shared/values/readers';
import { checkFilterGiven, knownStates, sort } from '../../fields/filters';
import { otherFields, updateFields } from '../../fields/freeBody';
import { sentObject } from '../../fields/jsonText';
import { CHANGES_TRIGGER } from '../../fields/options';
import type { Call, ListCall, ListPage, ReadItem } from '../../runner/operation';
import { readRecord, rewrite } from '../../runner/rewrite';
import { each, getMany, getOne, recordsOf, update } from '../makeOperation';

/** Brings a number into the form in which numbers are compared: `#1041` and `1041` are the same. */
export const plainNumber = (written: string): string => written.trim().replace(/^#\s*/, '');

const plainNumbers = (values: unknown[]): string[] => [
	...new Set(values.filter(isWritten).map((value) => plainNumber(String(value)))),
];

/** Fields whose numbers are of the customer, or count something. */
const NO_ORDER_NUMBER =
	/(?:^|_)(?:customer|counts?|quantity|quantities|totals?|amounts?|version)(?:_|$)/;

/** The number of an order that shows none where numbers surely stand: it may be in a field of nearly any other name. */
function furtherNumbersOf(order: IDataObject): string[] {
	if (orderNumbersOf(order, SURE_NUMBER_FIELDS).length > 0) return [];
	const others = Object.entries(order).filter(([name]) => !NO_ORDER_NUMBER.test(snakeName(name)));
	return plainNumbers(others.map(([, value]) => value));
}

/** Orders can be named by their number, with or without “#”. */
export const ORDERS = recordsOf(RESOURCES.order, 'ord_1001', {
	displayName: 'Number',
	name: 'number',
	placeholder: 'e.g. 1041',
	hint: 'With or without “#”',
	comparable: plainNumber,
	keysOf: (order) => plainNumbers(orderNumbersOf(order)),
	searchedKeysOf: furtherNumbersOf,
});

/** A status that a change leads to (API document, "States and transitions"). */
type OrderStatus = 'cancelled' | 'fulfilled';

const NOT_ALLOWED = 'INVALID_STATE_TRANSITION';

/** What to do when the order's state forbids it (API document, "States and transitions"). */
const ifNotAllowed = choice(
	'If Not Allowed in This State',
	'ifNotAllowed',
	{
		returnCurrent: [
			'Return Current Order',
			"Get the order as it is and continue, with one more request; it carries 'transitionSkipped'",
		],
		stop: ['Stop', 'Fail with an error'],
	},
	'The result if the order’s state does not allow the change, or nothing is left to fulfill',
	{ default: 'stop' },
);

/** What all operations that change an order have in common. */
export const CHANGE = {
	locator: ORDERS.locator,
	options: [ifNotAllowed],
};

/** Whether the user wants the present order instead of an error. */
const returnsCurrent = ({ item }: Call): boolean => item.options.ifNotAllowed === 'returnCurrent';

/**
 * The order as it is, marked as left so, if the user wants that instead of an error or it has the wanted status already.
 *
 * @returns undefined if it is to be an error
 */
export const currentInstead = (
	call: Call,
	order: IDataObject,
	wanted?: OrderStatus,
): IDataObject | undefined =>
	returnsCurrent(call) || (wanted !== undefined && order.status === wanted)
		? { ...order, transitionSkipped: true }
		: undefined;

/**
 * Sends a change of an order. If the order's state does not allow it, returns the order as it is, provided that it is in
 * the wanted state already, or that the user chose so (API document, "Errors", rule 2). After a lost answer it throws
 * instead, since this very change may have led to the state.
 *
 * @param step as in `Call.send`
 * @param wanted the status that the change leads to
 * @throws InputError, PlatformError
 */
export async function changeOrder(
	call: Call,
	request = call.request,
	step?: string,
	wanted?: OrderStatus,
): Promise<IDataObject> {
	return await call.record(request, step).catch(async (error: unknown) => {
		if (!isNotAllowed(error, request)) throw error;
		if (returnsCurrent(call) || wanted !== undefined) {
			const { record: order } = await readOrder(call, request);
			const current = currentInstead(call, order, wanted);
			if (current !== undefined) return current;
		}
		throw new PlatformError(error.problem, error.request, { ...error.details, hint: GO_ON });
	});
}

/** How to go on after a change that is not allowed. */
export const GO_ON =
	"To get the order as it is instead of an error, use 'If Not Allowed in This State'.";

/**
 * Whether the platform refuses a change because of the order's state. A 409 without a code may also be about the user's
 * own key, which stands for a change that was made before.
 */
function isNotAllowed(error: unknown, { idempotencyKey }: PlatformRequest): error is PlatformError {
	if (!(error instanceof PlatformError) || error.details.mayBeApplied === true) return false;
	if (documentedCode(error.details.code) === NOT_ALLOWED) return true;
	return idempotencyKey === undefined && isKindOf409(NOT_ALLOWED, error.details);
}

/**
 * Reads the order that a request is about.
 *
 * @returns the answer with the order as its record
 * @throws InputError if the answer holds another order
 */
export async function readOrder(call: Call, { pathParams }: PlatformRequest) {
	const request = { method: 'GET', path: '/orders/{orderId}', pathParams } as const;
	const send: Call['send'] = async (toSend) => await call.send(toSend, 'read');
	return await readRecord(send, 'Order', request);
}

const NOTE = 'merchant_note';

const addedNote = textField(
	'Add to Merchant Note',
	'addToMerchantNote',
	'A line below the order’s note, which is read first: one more request. Running again adds it again.',
	{ typeOptions: { rows: 2 }, example: 'Called the customer', body: NOTE },
);

/** Whether the item's note is a line to add. Fields that set the note twice were refused when they were read. */
function addsNote({ item }: Call): boolean {
	const entered = item.parameter('updateFields', {});
	return isObject(entered) && !saysNothing(entered[addedNote.name]);
}

/** Whether the items set nothing but a line to add. The fields that were added to the node are the same for all items. */
function onlyAddsNote({ node }: Item): boolean {
	const { updateFields: entered, clearFields } = node.parameters;
	const names = isObject(entered) ? Object.keys(entered) : [];
	return names.length === 1 && names[0] === addedNote.name && saysNothing(clearFields);
}

/**
 * Changes an order. A line that is to be added to the note goes below the note that the order has now.
 *
 * @throws InputError, PlatformError
 */
async function updateOrder(call: Call): Promise<IDataObject> {
	const { request, earlierRequest } = call;
	if (earlierRequest !== undefined || !addsNote(call)) return await changeOrder(call);
	const { answer } = await rewrite(
		async () => await readOrder(call, request),
		({ [NOTE]: note }) => ({
			...request,
			body: { ...request.body, [NOTE]: noteWith(note, String(request.body?.[NOTE])) },
		}),
		async (toSend, step) => await changeOrder(call, toSend, step),
		{ countsTwice: true },
	);
	return answer;
}

function noteWith(note: unknown, line: string): string {
	if (saysNothing(note)) return line;
	if (typeof note === 'string') return `${note}\n${line}`;
	throw new InputError(
		addedNote.displayName,
		'cannot be added',
		`Nothing was written. The order’s note is ${describe(note)} and no text.`,
	);
}

/** Other Fields as one JSON object. */
const otherFieldsJson = jsonField(
	'Other Fields (JSON)',
	'otherFieldsJson',
	'Further fields as one JSON object, with the names that the platform uses',
	{
		hint: 'What an expression leaves empty is not sent',
		send: {
			in: 'body',
			read: (label, value, item, _sent, path) => sentObject(label, item, path, value),
		},
	},
);

const updateOne = update(ORDERS, {
	...CHANGE,
	description: 'Change an order, e.g. add a line to its merchant note',
	run: updateOrder,
	addsUp: onlyAddsNote,
	fields: updateFields(
		[
			addedNote,
			textField(
				'Merchant Note',
				NOTE,
				'Internal note on the order; replaces the note that it has',
				{
					typeOptions: { rows: 3 },
					example: 'Gift wrap, please',
					body: NOTE,
				},
			),
			otherFields('Further fields by name and value', 'searchOrderFields'),
			otherFieldsJson,
		],
		{ [NOTE]: ['Merchant Note', ''] },
	),
});

/**
 * Makes a row of each line, with the fields of its order that it needs to stand alone. The line’s own fields stay as
 * they are.
 */
function lineItemRows(order: IDataObject): IDataObject[] {
	const { id, status, total, currency, updated_at: updatedAt } = order;
	const orderFields = {
		order_id: id,
		order_number: orderNumberOf(order),
		customer_name: personOf(order),
		customer_email: customerOf(order).emails.at(0),
		order_status: status,
		currency: isObject(total) ? total.currency : currency,
		order_created_at: placedAt(order),
		order_updated_at: updatedAt,
	};
	const presentFields = Object.entries(orderFields).filter(([, value]) => value !== undefined);
	const ofOrder = Object.fromEntries(presentFields);
	return (lineItemsOf(order) ?? []).map((line) => ({ ...ofOrder, ...line }));
}

const TOTALS = 'totals';

const statuses = textField(
	'Statuses in Totals',
	'statusesInTotals',
	'For Totals by Currency: only orders with these statuses count, separated by commas. Without it, all count.',
	{ example: 'paid, fulfilled' },
);

/** The item if no order counts. Its currency is unknown. */
const NO_ORDERS = { currency: null, orders: 0, total: 0, total_minor: 0, text: '0' };

/**
 * Refuses totals of a part of the list, which users would take for the totals of all orders, and totals of all orders
 * where an expression was to give statuses.
 *
 * @throws InputError
 */
function checkTotals({ item }: ReadItem): void {
	const { output, startCursor, statusesInTotals } = item.options;
	if (output !== TOTALS) return;
	const entered = item.parameter('options', {});
	if (statusesInTotals === undefined && isObject(entered) && statuses.name in entered)
		checkFilterGiven(item, statuses.displayName, `options.${statuses.name}`);
	const returnsAll = boolean('Return All', item.parameter('returnAll', false));
	if (returnsAll && startCursor === undefined) return;
	throw new InputError(
		'Output',
		'needs the whole list for totals',
		"Nothing was sent. Switch 'Return All' on, and leave 'Start Cursor' out.",
	);
}

/**
 * The orders of the list by currency: how many, and the exact sum of their totals, as money and as text. Orders
 * that show no total (API document, "Order") are counted separately. If no order counts, one item says so: without an
 * item n8n would not run the next nodes, and a daily report would be missing.
 *
 * @throws InputError, PlatformError
 */
async function* totalsOf(call: ListCall): AsyncIterable<ListPage> {
	const wantedStatuses = textList(statuses.displayName, call.item.options.statusesInTotals);
	const missingStatuses = new Map(wantedStatuses.map((entry) => [entry.toLowerCase(), entry]));
	const wanted = new Set(missingStatuses.keys());
	const sums = new Map<string | null, { orders: number; amount: number }>();
	for await (const page of call.pages()) {
		if (page.response?.status === 304) return yield page;
		for (const { status, total } of page.records) {
			const orderStatus = String(status).toLowerCase();
			if (wanted.size > 0 && !wanted.has(orderStatus)) continue;
			missingStatuses.delete(orderStatus);
			const { amount, currency } = isObject(total) ? total : {};
			const hasTotal = Number.isSafeInteger(amount) && typeof currency === 'string';
			const sumKey = hasTotal ? currency : null;
			const sum = sums.get(sumKey) ?? { orders: 0, amount: 0 };
			sums.set(sumKey, {
				orders: sum.orders + 1,
				amount: sum.amount + (hasTotal ? Number(amount) : 0),
			});
		}
	}
	if (missingStatuses.size > 0)
		call.hint(`No order had the status ${[...missingStatuses.values()].join(', ')}.`);
	const rows = [...sums].map(([currency, { orders, amount }]): IDataObject => {
		if (currency === null) return { currency, orders, total: null, text: null };
		const written = minorToMajor(amount, currency) ?? null;
		if (Number.isSafeInteger(amount))
			return { currency, orders, total: { amount, currency }, text: written };
		throw new InputError('Output', `has a total of ${currency} that is too large to be exact`);
	});
	yield { records: rows.length === 0 ? [{ ...NO_ORDERS }] : rows };
}

/**
 * The states that the API document names (“States and transitions”). `created` stands only in its event order.created.
 */
const ORDER_STATES = {
	cancelled: 'Cancelled',
	created: 'Created (Not Paid Yet)',
	fulfilled: 'Fulfilled',
	paid: 'Paid',
};

/** The API document gives no filter for it. So the platform's search finds the orders, and exact matches are kept. */
const customerFilter = textField(
	'Customer',
	'customer',
	'Only orders of this customer: the e-mail, name or ID, written in full. The platform’s search finds them.',
	{
		example: 'ada@example.com',
		send: {
			in: 'query',
			as: 'q',
			read: (label, value, item, _sent, path) => {
				if (!saysNothing(value)) return searchedText(label, text(label, value).trim());
				checkFilterGiven(item, label, path);
				return undefined;
			},
		},
	},
);

/**
 * Whether an order is of a customer.
 *
 * @param wanted the customer's ID, name or e-mail address, in small letters
 * @returns undefined if the order shows no customer
 */
function isOrderOf(record: IDataObject, wanted: string): boolean | undefined {
	const keys = Object.values(customerOf(record)).flat();
	return keys.length === 0 ? undefined : keys.some((key) => key.toLowerCase() === wanted);
}

/** A call whose list holds the orders of the customer that was entered, if one was. */
function ofCustomer(call: ListCall): ListCall {
	const entered = call.item.parameter(`filters.${customerFilter.name}`, '');
	if (saysNothing(entered)) return call;
	const wanted = text(customerFilter.displayName, entered).trim().toLowerCase();
	return {
		...call,
		pages: async function* () {
			// Limit counts the orders that are kept.
			for await (const page of call.pages(Number.MAX_SAFE_INTEGER)) {
				const matches = page.records.map((record) => isOrderOf(record, wanted));
				if (matches.includes(undefined))
					call.hint('Orders that show no customer in the platform’s list were left out.');
				yield { ...page, records: page.records.filter((_record, index) => matches[index]) };
			}
		},
	};
}

const getAll = getMany(ORDERS, {
	cheaperWay: CHANGES_TRIGGER,
	newestFirst: true,
	// Makes one item per line. A list may leave the lines out (API document, "Order": "included on get").
	recordRows: {
		output: 'lineItems',
		of: lineItemRows,
		isWhole: (order) => lineItemsOf(order) !== undefined,
		missing: 'Orders of which the platform shows no line items, so that they have no item here:',
	},
	check: checkTotals,
	run: (call) => {
		const wanted = ofCustomer(call);
		return call.item.options.output === TOTALS ? totalsOf(wanted) : wanted.pages();
	},
	filterTexts: {
		q: { placeholder: 'e.g. a name, an e-mail, #1318' },
		status: knownStates(
			'orders',
			ORDER_STATES,
			'paid',
			'An order that was shipped meanwhile is no longer paid. For another status, use an expression.',
		),
	},
	fields: [customerFilter],
	sort: {
		...sort,
		description:
			'The order of the records. Without it, Limit returns what changed last, and Return All keeps the platform’s order.',
	},
	options: [decimalAmounts, ...shownWhen('output', [TOTALS], statuses)],
	outputs: {
		lineItems: [
			'Line Items',
			'One item per line; Limit counts orders. If the list leaves out the lines, each order costs one more request.',
		],
		[TOTALS]: [
			'Totals by Currency',
			'One item per currency: how many orders, and the exact sum of their totals',
		],
	},
});

/** Those that need no file of their own. */
export const orderOperations = [
	each({
		...CHANGE,
		request: 'POST /orders/{orderId}/cancel',
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel order',
		description: 'Cancel an order, if its state allows it',
		run: async (call) => await changeOrder(call, call.request, undefined, 'cancelled'),
		simplify: simplifyOrder,
		fields: [otherFields('What your platform takes with a cancellation, e.g. a reason')],
	}),
	getOne(ORDERS, {
		description: 'Get one order with its line items, totals, payment and fulfillment state',
		options: [decimalAmounts],
	}),
	getAll,
	updateOne,
];
