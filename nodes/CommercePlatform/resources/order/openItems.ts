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
	const status = claimOf('status', order.status);
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
	const unexplained = claimsOf(order).find(
		({ isPartial, pieces }) => !isPartial || gonePieces < Math.max(pieces, 1),
	);
	if (unexplained !== undefined) refuse(`tells “${unexplained.text}”, and not of which pieces`);
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

/** A state of an order or a line, or inside an object that is about sending. */
const STATE_FIELD =
	/^(?:(?:(?:items_)?(?:fulfill?ment|shipment|shipping|delivery|dispatch|return)_?)?(?:status|state)|technical_name)$/;

/** An object about sending, e.g. `fulfillment_state` or `shipment`. */
const SENDING = /^(?:fulfill?ment|shipment|delivery|dispatch)(?:_?(?:status|state))?$/;

const NOT_YET =
	/^(?:un|not_|no_|non|await|waiting|ready|to_|pending|open|new|created|partially_paid)/;
const SENT_WORD = new RegExp(
	`(?:^|_)(?:${SENT}|in_?transit|out_for_delivery|picked_up|completed?|closed|archived)(?:_|$)`,
);
const DROPPED_WORD = new RegExp(`(?:^|_)(?:${DROPPED}|voided)(?:_|$)`);
const PARTIAL_WORD = /(?:^|_)part(?:ial|ially|ly)?(?:_|$)/;

/** What a field tells of an order or a line. */
interface Claim {
	fate: Fate;
	/** Whether it tells of some of the pieces. */
	isPartial: boolean;
	/** How many, if it counts them; NaN if nobody can tell. */
	pieces: number;
	/** For messages. */
	text: string;
}

/** What a field tells; undefined if it tells nothing about sending. */
function claimOf(field: string, value: unknown, place = field): Claim | undefined {
	const name = snakeName(field);
	const [isGone, isSent] = GONE_FIELD.exec(name) ?? [];
	if (isGone === undefined && !STATE_FIELD.test(name)) return undefined;
	const claim = { pieces: 0, text: `${place}: ${String(value).slice(0, 40)}` };
	const word = typeof value === 'string' ? snakeName(value) : '';
	const isPartial = PARTIAL_WORD.test(word);
	if (isGone !== undefined) {
		const fate = isSent ? 'sent' : 'dropped';
		if (/^(?:true|yes|\d{4}-\d\d.*)$/i.test(String(value)))
			return { ...claim, fate, isPartial: false };
		const pieces = wholeOf(value) ?? (typeof value === 'number' ? Number.NaN : 0);
		if (pieces !== 0) return { ...claim, fate, isPartial: true, pieces };
	}
	if (NOT_YET.test(word)) return undefined;
	if (DROPPED_WORD.test(word)) return { ...claim, fate: 'dropped', isPartial };
	return SENT_WORD.test(word) || isPartial ? { ...claim, fate: 'sent', isPartial } : undefined;
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
		readLine(fields, line);
		if (line.part !== undefined && line.open === undefined && line.sent + line.dropped === 0)
			refuse(`has a line item with “${line.part}”`);
		lines.set(id, line);
	}
	return lines.size > 0 ? lines : refuse('shows no line items');
}

/** Reads what a line counts itself. Several fields may count the same pieces, so the largest number holds. */
function readLine(fields: IDataObject, line: Line): void {
	for (const [field, value] of Object.entries(fields)) {
		const name = snakeName(field);
		const claim = claimOf(field, value);
		if (OPEN_FIELD.test(name) && wholeOf(value) !== undefined)
			line.open = Math.min(line.open ?? line.quantity, Number(value));
		// Medusa's lines count in `detail`.
		else if (name === 'detail' && isObject(value)) readLine(value, line);
		else if (name === 'quantities' && isObject(value))
			readLine(withPrefix('quantity_', value), line);
		else if (SENDING.test(name) && isObject(value)) {
			const pieces = wholeOf(value.quantity);
			if (!happened(value)) {
				// A parcel that did not go out is none; a line may be one that nobody wants any more.
				if (name.startsWith('fulfil')) line.part ??= `${field}: ${stateOf(value)}`;
			} else if (pieces === undefined) readLine(value, line);
			else line.sent = Math.max(line.sent, pieces);
		} else if (claim?.isPartial && claim.pieces === 0) line.part ??= claim.text;
		else if (claim)
			line[claim.fate] = claim.isPartial ? Math.max(line[claim.fate], claim.pieces) : line.quantity;
	}
}

const withPrefix = (prefix: string, fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]));

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

/** A list of parcels or refunds, also in an object around it, e.g. `{ data: […] }`. */
const parcelsIn = (value: unknown): IDataObject[] | undefined =>
	(isObject(value) ? [value.data, value.items, value.nodes] : [value]).find(isListOfObjects);

/** Lists of objects in the order, and one level deeper: in its state of sending, and in its payments. */
const listsIn = (order: IDataObject): Array<[string, IDataObject[]]> =>
	[order, order.fulfillment_state, ...(isListOfObjects(order.payments) ? order.payments : [])]
		.filter(isObject)
		.flatMap((holder) => Object.entries(holder))
		.flatMap(([field, value]) => {
			const name = snakeName(field);
			const isOfParcels = PARCEL_LISTS.some(([pattern]) => pattern.test(name));
			const list = isOfParcels ? parcelsIn(value) : value;
			return isListOfObjects(list) ? [[name, list]] : [];
		});

/** Subtracts the pieces that parcels, returns and refunds name. */
function subtractParcels(
	order: IDataObject,
	lines: ReadonlyMap<string, Line>,
	refuse: Refuse,
): void {
	let hasParcels = false;
	const subtract = (name: string, fate: Fate, pieces: readonly IDataObject[]) => {
		const counts = new Map<string, number>();
		for (const piece of pieces) {
			const id = String(lineOfPiece(piece));
			counts.set(id, (counts.get(id) ?? 0) + (wholeOf(piece.quantity) ?? Number.NaN));
		}
		for (const [id, count] of counts) {
			const line = lines.get(id) ?? refuse(`has “${name}” of unknown pieces`);
			line[fate] = Math.max(line[fate], count);
		}
	};
	for (const [name, list] of listsIn(order)) {
		const fate = PARCEL_LISTS.find(([pattern]) => pattern.test(name))?.[1];
		if (fate === undefined) continue;
		const pieces: IDataObject[] = [];
		for (const parcel of list.filter(happened)) {
			const items = piecesOf(parcel);
			if (items !== undefined) pieces.push(...items);
			// Money that went back without naming lines is no reason to keep the goods; all of it is.
			else if (fate === 'sent' && !NOT_YET.test(stateOf(parcel)))
				return refuse(`has “${name}”, and does not tell of which pieces`);
		}
		subtract(name, fate, pieces);
		hasParcels ||= fate === 'sent' && pieces.length > 0;
	}
	if (hasParcels) return;
	for (const { line_item_id, ...fields } of lineItemsOf(order) ?? [])
		for (const [field, value] of Object.entries(fields)) {
			const list = LINE_PARCELS.test(snakeName(field)) ? parcelsIn(value) : undefined;
			if (list !== undefined) {
				const pieces = list.filter(happened).map(({ quantity }) => ({ line_item_id, quantity }));
				subtract(field, 'sent', pieces);
			}
		}
}

/** How many pieces of a line are open. */
function openPiecesOf({ quantity, sent, dropped, open }: Line, id: string, refuse: Refuse): number {
	const gone = Math.max(sent, dropped);
	if (Number.isNaN(gone))
		return refuse(`does not tell how many pieces of the line “${id}” are gone`);
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

/** What the order tells about itself. A refund is judged by its money. */
const claimsOf = (order: IDataObject): Claim[] =>
	Object.entries(order)
		.filter(([field, value]) => !/refund/.test(snakeName(field)) || value === true)
		.flatMap(([field, value]) =>
			isObject(value) && SENDING.test(snakeName(field))
				? Object.entries(value).map(([inner, of]) => claimOf(inner, of, `${field}.${inner}`))
				: [claimOf(snakeName(field).replace(/^order_/, ''), value, field)],
		)
		.filter((claim) => claim !== undefined);

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
