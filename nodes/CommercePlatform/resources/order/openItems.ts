import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { lineItemsOf, orderNumberOf } from '../../../shared/shop/records';
import { isListOfObjects, isObject, snakeName } from '../../../shared/values/json';
import { wholeOf } from '../../../shared/values/readers';

/** Pieces of a line item, in the form that a fulfillment takes. */
interface OpenItem {
	line_item_id: string;
	quantity: number;
}

/**
 * Finds what of an order is not sent yet, by positive evidence only: pieces that lines and parcels count as gone are
 * subtracted. Every status that does not speak of sending leaves the order open: the platform refuses what its state
 * does not allow (API document, "States and transitions").
 *
 * @returns an empty list if nothing is open
 * @throws InputError that names the order and the field, if something happened and the order does not tell to which
 *   pieces
 */
export function openItemsOf(order: IDataObject): OpenItem[] {
	const refuse: Refuse = (problem) => {
		throw new InputError(
			'Order',
			`“${orderNumberOf(order) ?? String(order.id)}” ${problem}`,
			CHOOSE_ITEMS,
		);
	};
	const status = claimOf('status', order.status, '');
	if (status?.fate !== undefined && !status.isPartial) return [];
	const lines = linesOf(order, refuse);
	subtractParcels(order, lines, refuse);
	const items = [...lines].flatMap(([line_item_id, line]) => {
		const quantity = openPiecesOf(line, line_item_id, refuse);
		return quantity > 0 ? [{ line_item_id, quantity }] : [];
	});
	if (items.length === 0) return [];
	if (isPaidBack(order)) refuse('was refunded in full');
	const gonePieces =
		sum([...lines.values()], ({ quantity }) => quantity) - sum(items, (item) => item.quantity);
	const unexplained = [status, ...claimsOf(order)].find(
		(claim) => claim && (claim.isPartial ? gonePieces < Math.max(claim.pieces, 1) : true),
	);
	if (unexplained) refuse(`tells “${unexplained.text}”, and not of which pieces`);
	return items;
}

type Refuse = (problem: string) => never;

const CHOOSE_ITEMS =
	"Nothing was sent. Set 'Items to Send' to 'Choose' and enter the line items that are still open.";

/** Pieces left the shop, or nobody wants them any more. */
type Fate = 'sent' | 'dropped';

/** A line item: pieces ordered, pieces gone, and pieces that it counts as open itself. */
interface Line {
	quantity: number;
	sent: number;
	dropped: number;
	open?: number;
	/** A state of it that speaks of a part. */
	part?: string;
}

const SENT = 'fulfill?ed|shipped|sent|delivered|dispatched|despatched|returned';
const DROPPED = 'refunded|cancell?ed|removed';

/** Fields that count pieces, or tell that or when it happened: `fulfilled_quantity`, `is_shipped`, `delivered_at`. */
const GONE_FIELD = new RegExp(
	`^(?:(?:quantity|qty|items|is|date)_)?(?:(${SENT})|(${DROPPED}))(?:_(?:quantity|qty|items|count|at|on|date|timestamp))?$`,
);

const OPEN_FIELD =
	/^(?:fulfill?able|open|remaining|outstanding|unfulfill?ed|unshipped|shippable)_(?:quantity|qty)$|^(?:quantity|qty)_(?:open|remaining|outstanding|unfulfill?ed|to_(?:ship|send|fulfill?))$/;

/** A state of sending; alone, or in the order's `fulfillment_state` (API document, "Order"). */
const STATE_FIELD =
	/^(?:items_)?(?:fulfill?ment|shipment|shipping|delivery|dispatch|return)_?(?:status|state)$/;

/** An object about sending, e.g. `fulfillment_state` or `shipment`. */
const SENDING = /^(?:fulfill?ment|shipment|delivery|dispatch)(?:_?(?:status|state))?$/;

/** States of a line, or inside an object that is about sending. */
const INNER_STATE_FIELD = /^(?:status|state|technical_name)$/;

const NOT_YET =
	/^(?:un|not_|no_|non|await|waiting|ready|to_|pending|open|new|created|partially_paid)/;
const SENT_WORD = new RegExp(
	`(?:^|_)(?:${SENT}|in_?transit|out_for_delivery|picked_up|completed?|closed|archived)(?:_|$)`,
);
const DROPPED_WORD = new RegExp(`(?:^|_)(?:${DROPPED}|voided)(?:_|$)`);
const PARTIAL_WORD = /(?:^|_)part(?:ial|ially|ly)?(?:_|$)/;

/** What a field tells of an order or a line, without counting pieces of a line. */
interface Claim {
	fate?: Fate;
	isPartial: boolean;
	/** How many pieces of the order, if it counts them. */
	pieces: number;
	/** For messages. */
	text: string;
}

/** What a state or a time tells; undefined if it tells nothing about sending. */
function claimOf(field: string, value: unknown, name: string): Claim | undefined {
	const text = `${field}: ${String(value).slice(0, 40)}`;
	const [, isSent, isDropped] = GONE_FIELD.exec(name) ?? [];
	const fieldFate: Fate | undefined = isSent ? 'sent' : isDropped ? 'dropped' : undefined;
	if (fieldFate !== undefined && /^(?:true|yes|\d{4}-\d\d.*)$/i.test(String(value)))
		return { fate: fieldFate, isPartial: false, pieces: 0, text };
	const pieces = wholeOf(value) ?? 0;
	if (fieldFate !== undefined && pieces > 0)
		return { fate: fieldFate, isPartial: true, pieces, text };
	const word = typeof value === 'string' ? snakeName(value) : '';
	if (NOT_YET.test(word)) return undefined;
	const isPartial = PARTIAL_WORD.test(word);
	if (DROPPED_WORD.test(word)) return { fate: 'dropped', isPartial, pieces: 0, text };
	if (SENT_WORD.test(word) || isPartial) return { fate: 'sent', isPartial, pieces: 0, text };
	return undefined;
}

/** The order's lines by their IDs, less what their own fields count. */
function linesOf(order: IDataObject, refuse: Refuse): Map<string, Line> {
	const lines = new Map<string, Line>();
	for (const { line_item_id: id, quantity: ordered, ...fields } of lineItemsOf(order) ?? []) {
		const quantity = wholeOf(ordered);
		if (typeof id !== 'string' || id === '' || quantity === undefined)
			return refuse('shows a line item without an ID and a quantity');
		if (lines.has(id)) return refuse('shows a line item twice');
		const line: Line = { quantity, sent: 0, dropped: 0 };
		readLine(fields, line, refuse);
		if (line.part !== undefined && line.open === undefined && line.sent + line.dropped === 0)
			refuse(`has a line item with “${line.part}”`);
		lines.set(id, line);
	}
	return lines.size > 0 ? lines : refuse('shows no line items');
}

/** Reads what a line counts itself. Several fields may count the same pieces, so the largest number holds. */
function readLine(fields: IDataObject, line: Line, refuse: Refuse): void {
	for (const [field, value] of Object.entries(fields)) {
		const name = snakeName(field);
		const [, isSent, isDropped] = GONE_FIELD.exec(name) ?? [];
		if (OPEN_FIELD.test(name) && wholeOf(value) !== undefined)
			line.open = Math.min(line.open ?? line.quantity, Number(value));
		else if (
			(isSent ?? isDropped) !== undefined &&
			(typeof value === 'number' || wholeOf(value) !== undefined)
		) {
			const pieces = wholeOf(value) ?? refuse(`has a line item with “${field}: ${String(value)}”`);
			const fate = isSent ? 'sent' : 'dropped';
			line[fate] = Math.max(line[fate], pieces);
		} else if (isObject(value)) {
			// Medusa's lines count in `detail`.
			if (name === 'detail') readLine(value, line, refuse);
		} else if (isSent || isDropped || STATE_FIELD.test(name) || INNER_STATE_FIELD.test(name)) {
			const claim = claimOf(field, value, name);
			if (claim?.fate && !claim.isPartial) line[claim.fate] = line.quantity;
			else if (claim) line.part ??= claim.text;
		}
	}
}

const PARCEL_LISTS: ReadonlyArray<[RegExp, Fate]> = [
	[/^(?:fulfill?ments|shipments|deliveries|dispatches|parcels|packages|returns)$/, 'sent'],
	[/^(?:refunds|cancell?ations)$/, 'dropped'],
];

/** The same at a line. */
const LINE_PARCELS = /^(?:fulfill?ment|shipment)(?:s|_lines)$/;

/** A parcel or refund in such a state did not happen. */
const WITHDRAWN = /^(?:cancell?ed|failed|failure|error|declined|rejected|void(?:ed)?)$/;

/** The state of a parcel: a word, or an object that holds it. */
function stateOf(parcel: IDataObject): string {
	const [, state] =
		Object.entries(parcel).find(([name]) => /(?:^|_)(?:status|state)$/.test(snakeName(name))) ?? [];
	return snakeName(String((isObject(state) ? (state.technical_name ?? state.name) : state) ?? ''));
}

const lineOfPiece = (item: IDataObject) => item.line_item_id ?? item.order_line_id ?? item.line_id;

/** The pieces of a parcel: the list whose entries name lines of the order. */
const piecesOf = (parcel: IDataObject): IDataObject[] | undefined =>
	Object.values(parcel).find(
		(list): list is IDataObject[] =>
			isListOfObjects(list) &&
			list.length > 0 &&
			list.every((item) => lineOfPiece(item) !== undefined),
	);

const happened = (parcel: IDataObject): boolean =>
	!WITHDRAWN.test(stateOf(parcel)) && !parcel.cancelled_at;

/** Lists of objects in the order, and one level deeper: in its state of sending, and in its payments. */
const listsIn = (order: IDataObject): Array<[string, IDataObject[]]> =>
	[order, order.fulfillment_state, ...(isListOfObjects(order.payments) ? order.payments : [])]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.flatMap(([name, list]) => (isListOfObjects(list) ? [[snakeName(name), list]] : []));

/** Subtracts the pieces that parcels, returns and refunds name. */
function subtractParcels(
	order: IDataObject,
	lines: ReadonlyMap<string, Line>,
	refuse: Refuse,
): void {
	let hasParcels = false;
	for (const [name, list] of listsIn(order)) {
		const fate = PARCEL_LISTS.find(([pattern]) => pattern.test(name))?.[1];
		if (fate === undefined) continue;
		const pieces = new Map<unknown, number>();
		for (const parcel of list.filter(happened)) {
			const items = piecesOf(parcel);
			if (items === undefined) {
				// Money that went back without naming lines is no reason to keep the goods; all of it is.
				if (fate === 'dropped' || NOT_YET.test(stateOf(parcel))) continue;
				return refuse(`has “${name}”, and does not tell of which pieces`);
			}
			hasParcels ||= fate === 'sent';
			for (const item of items) {
				const id = lineOfPiece(item);
				pieces.set(id, (pieces.get(id) ?? 0) + (wholeOf(item.quantity) ?? Number.NaN));
			}
		}
		for (const [id, count] of pieces) {
			const line = lines.get(String(id));
			if (line === undefined || Number.isNaN(count)) refuse(`has “${name}” of unknown pieces`);
			else line[fate] = Math.max(line[fate], count);
		}
	}
	if (hasParcels) return;
	for (const fields of lineItemsOf(order) ?? [])
		for (const [field, list] of Object.entries(fields))
			if (LINE_PARCELS.test(snakeName(field)) && isListOfObjects(list)) {
				const line = lines.get(String(fields.line_item_id));
				const count = sum(list.filter(happened), ({ quantity }) => wholeOf(quantity) ?? Number.NaN);
				if (line === undefined || Number.isNaN(count)) refuse(`has “${field}” of unknown pieces`);
				else line.sent = Math.max(line.sent, count);
			}
}

/** How many pieces of a line are open. */
function openPiecesOf({ quantity, sent, dropped, open }: Line, id: string, refuse: Refuse): number {
	const gone = Math.max(sent, dropped);
	if (gone > quantity)
		return refuse(`counts more pieces of the line “${id}” as gone than were ordered`);
	if (open !== undefined)
		return open + gone > quantity
			? refuse(`contradicts itself about the open pieces of the line “${id}”`)
			: open;
	if (sent > 0 && dropped > 0 && gone < quantity)
		return refuse(
			`has pieces of the line “${id}” that were sent and some that are not wanted, perhaps the same`,
		);
	return quantity - gone;
}

/** What the order tells about itself, besides its status. A refund is judged by its money. */
function claimsOf(order: IDataObject): Claim[] {
	const claims = Object.entries(order).flatMap(([field, value]) => {
		const name = snakeName(field);
		if (/refund/.test(name) && value !== true) return [];
		if (isObject(value) && SENDING.test(name))
			return Object.entries(value).map(([inner, innerValue]) => {
				const innerName = snakeName(inner);
				const isRead = [INNER_STATE_FIELD, STATE_FIELD, GONE_FIELD].some((field) =>
					field.test(innerName),
				);
				return isRead ? claimOf(`${field}.${inner}`, innerValue, innerName) : undefined;
			});
		const isRead = [STATE_FIELD, GONE_FIELD, /^(?:order_)?(?:status|state)$/].some((pattern) =>
			pattern.test(name),
		);
		return isRead && field !== 'status' ? [claimOf(field, value, name)] : [];
	});
	return claims.filter((claim) => claim !== undefined);
}

/** Whether the customer has all of the money back: a payment's state tells it, or the sums do. */
function isPaidBack(order: IDataObject): boolean {
	const holders = [order, order.payment_summary, order.payment].filter(isObject);
	const isRefunded = holders.some((holder) =>
		Object.entries(holder).some(
			([name, value]) =>
				/^(?:(?:payment|financial)_?)?(?:status|state)$/.test(snakeName(name)) &&
				/^(?:refunded|voided|charged_back)$/.test(snakeName(String(value))),
		),
	);
	const find = (name: string) =>
		holders.map((holder) => minorOf(holder[name])).find((amount) => amount !== undefined);
	const refunds = listsIn(order).flatMap(([name, list]) =>
		name === 'refunds' ? list.filter(happened) : [],
	);
	const refunded =
		find('total_refunded') ?? sum(refunds, ({ amount, total }) => minorOf(amount ?? total) ?? 0);
	const paid = find('total_paid') ?? minorOf(order.total);
	return isRefunded || (refunded > 0 && paid !== undefined && refunded >= paid);
}

/** An amount in minor units, alone or beside its currency. */
const minorOf = (value: unknown): number | undefined =>
	wholeOf(isObject(value) ? value.amount : value);

function sum<T>(values: readonly T[], numberOf: (value: T) => number): number {
	return values.reduce((total, value) => total + numberOf(value), 0);
}
