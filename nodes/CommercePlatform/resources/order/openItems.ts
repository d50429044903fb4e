import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { lineItemsOf, plainName } from '../../../shared/shop/records';
import { isListOfObjects, isObject } from '../../../shared/values/json';
import { wholeOf } from '../../../shared/values/readers';
import { orderNumberOf } from './orderNames';
import { Pieces } from './pieces';
import {
	isNothingYet,
	matterOf,
	type Matter,
	MAY_BE_OPEN,
	NOTHING_OPEN,
	STATE,
	WITHDRAWN,
} from './sendingWords';

/** A line item with its open pieces, in the form that a fulfillment takes. */
interface OpenItem {
	line_item_id: string;
	quantity: number;
}

const REMEDY =
	'Nothing was sent. Set “Items to Send” to “Choose” and enter the line items that are still open.';

/** Names of fields that hold data of the shop, the customer or a payment. They say nothing about sending. */
const DATA = /^(custom|meta)|address|attributes|properties|customer|policy/;

/**
 * Finds the line items of an order that are not sent yet. The order's status decides first (API document, "States and
 * transitions"), then the fields whose names speak of sending, returning, refunding or cancelling. All other fields are
 * ignored.
 *
 * @returns an empty list if nothing is open
 * @throws InputError that names the order and the field, if something happened and the order does not say to which
 *   pieces
 */
export function openItemsOf(order: IDataObject): OpenItem[] {
	const refuse = (problem: string): never => {
		const orderName = orderNumberOf(order) ?? String(order.id);
		throw new InputError('Order', `“${orderName}” ${problem}`, REMEDY);
	};
	const status = typeof order.status === 'string' ? plainName(order.status) : '';
	if (NOTHING_OPEN.has(status)) return [];
	if (!MAY_BE_OPEN.has(status))
		refuse(
			`has the status “${shortened(order.status)}”, of which it is not known whether anything is open`,
		);
	const lines = linesOf(order, refuse);
	// The order's own status was read above.
	const fields = { ...order, status: null };
	const wholeOrder = new Pieces(sumOf(lines.values(), ({ quantity }) => quantity));
	const lineItems = lineItemsOf(order);
	readClaims(fields, wholeOrder, (field, list, matter) => {
		if (list !== lineItems) readParcels(field, list, matter, lines, wholeOrder);
	});
	const items: OpenItem[] = [];
	for (const [id, line] of lines) {
		const open = line.open();
		if (typeof open === 'string') refuse(`does not say what of the line “${id}” is open: ${open}`);
		else if (open > 0) items.push({ line_item_id: id, quantity: open });
	}
	if (items.length === 0) return [];
	wholeOrder.addUp(lines.values());
	const doubt = wholeOrder.unexplained();
	if (doubt !== undefined) refuse(`says ${doubt}, and not of which pieces`);
	return items;
}

/** The order's lines by their IDs, each with what its own fields say. */
function linesOf(order: IDataObject, refuse: (problem: string) => never): Map<string, Pieces> {
	const lines = new Map<string, Pieces>();
	for (const { line_item_id: id, quantity: written, ...fields } of lineItemsOf(order) ?? []) {
		const quantity = wholeOf(written);
		if (typeof id !== 'string' || id === '' || quantity === undefined)
			return refuse('shows a line item without an ID and a quantity');
		if (lines.has(id)) return refuse('shows a line item twice');
		const line = new Pieces(quantity);
		readClaims(
			fields,
			line,
			(field, list, matter) => {
				if (matter !== undefined && matter !== 'open') line.say(matter, field, list.length);
			},
			true,
		);
		lines.set(id, line);
	}
	return lines.size > 0 ? lines : refuse('shows no line items');
}

type OnList = (field: string, list: IDataObject[], matter: Matter | undefined) => void;

/** Reads what fields, and the objects in them, say about some pieces. */
function readClaims(
	fields: IDataObject,
	pieces: Pieces,
	onList: OnList,
	isLine = false,
	outerMatter?: Matter,
): void {
	for (const [field, value] of Object.entries(fields)) {
		const name = plainName(field);
		const isState = STATE.test(name);
		const matter =
			matterOf(field) ?? (isState ? (outerMatter ?? (isLine ? 'sent' : undefined)) : undefined);
		if (isNothingYet(value) && matter !== 'open') continue;
		if (isListOfObjects(value)) onList(field, value, matter);
		else if (isObject(value)) {
			if (!DATA.test(name)) readClaims(value, pieces, onList, isLine, matter ?? outerMatter);
		} else if (matter !== undefined) pieces.say(matter, field, value, isState, isLine);
		// Any other state counts only if its word is about the matter, e.g. a payment that was refunded.
		else if (isState && typeof value === 'string' && matterOf(value) !== undefined)
			pieces.say(matterOf(value) as Matter, field, value, true);
		else if (
			outerMatter !== undefined &&
			name !== 'currency' &&
			wholeOf(value) === undefined &&
			Number(value) > 0
		)
			pieces.say(outerMatter, field, value);
	}
}

/** Reads a list of fulfillments, refunds or returns: pieces by line, or that something happened. */
function readParcels(
	field: string,
	list: IDataObject[],
	matter: Matter | undefined,
	lines: ReadonlyMap<string, Pieces>,
	wholeOrder: Pieces,
): void {
	if (matter === undefined || matter === 'open') return;
	const piecesByLine = new Map<string, number>();
	for (const parcel of list) {
		const items = Object.values(parcel).find(
			(value) =>
				isListOfObjects(value) && value.length > 0 && value.every((item) => 'line_item_id' in item),
		) as IDataObject[] | undefined;
		const states = statesOf(parcel);
		if (states.some((state) => WITHDRAWN.has(plainName(state)))) continue;
		const isPlanned = states.length > 0 && states.every(isNothingYet);
		if (items === undefined && !isPlanned) wholeOrder.say(matter, field, list.length);
		for (const { line_item_id: id, quantity } of items ?? []) {
			const pieces = wholeOf(quantity);
			if (pieces === undefined || !lines.has(String(id)))
				wholeOrder.say(matter, field, 'unknown pieces');
			else piecesByLine.set(String(id), (piecesByLine.get(String(id)) ?? 0) + pieces);
		}
	}
	for (const [id, pieces] of piecesByLine) lines.get(id)?.count(matter, field, pieces);
}

/** The words of a parcel's states, e.g. `shipped`; also from the objects in it, one level deep. */
const statesOf = (parcel: IDataObject): string[] =>
	Object.entries(parcel)
		.filter(([name]) => STATE.test(plainName(name)))
		.flatMap(([, value]) => (isObject(value) ? Object.values(value).slice(0, 1) : [value]))
		.filter((value): value is string => typeof value === 'string');

function sumOf<T>(values: Iterable<T>, numberOf: (value: T) => number): number {
	let sum = 0;
	for (const value of values) sum += numberOf(value);
	return sum;
}

/** How many characters of a value a message shows. */
const MAX_SHOWN = 40;

const shortened = (value: unknown): string => String(value).slice(0, MAX_SHOWN);
