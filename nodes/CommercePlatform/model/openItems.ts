import type { IDataObject } from 'n8n-workflow';

import { saysNothing } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import { lastWord, lineItemsOf, plainName } from '../../shared/model/records';

/** A line item with the pieces that are not sent yet, as a fulfillment takes it. */
interface OpenItem {
	line_item_id: string;
	quantity: number;
}

/** What is open of an order; or why that cannot be told, as the rest of a sentence. */
type OpenItems = { items: OpenItem[] } | { problem: string };

/** How much of a line, or of an order, is on its way. */
type Sent = 'all' | 'part' | 'none';

/**
 * The words for it. The API document has `fulfilled` and no other ("States and transitions"); the rest are its
 * opposite and its part, and the same of `shipped`. Any other word is not understood, whatever it seems to say.
 */
const WORDS = new Map<string, Sent>([
	['fulfilled', 'all'],
	['shipped', 'all'],
	['partial', 'part'],
	['partiallyfulfilled', 'part'],
	['partiallyshipped', 'part'],
	['unfulfilled', 'none'],
	['notfulfilled', 'none'],
	['unshipped', 'none'],
	['notshipped', 'none'],
]);

/** What the document calls an order that may have open lines, or sent ones ("States and transitions"). */
const SAY_NOTHING_OF_LINES = new Set(['created', 'paid']);

const CANCELLED = new Set(['cancelled', 'canceled']);

/** What a fulfillment may be called that is on its way, or was. Its pieces are not open then. */
const FULFILLMENT_SENT = new Set(['fulfilled', 'shipped', 'delivered', 'intransit', 'success']);

/** Each with its word before or after `quantity`: the document shows no such field, and these say it in its words. */
const quantities = (...words: string[]): ReadonlySet<string> =>
	new Set(words.flatMap((word) => [`${word}quantity`, `quantity${word}`]));

const OPEN = quantities('open', 'unfulfilled', 'remaining', 'fulfillable');
const SENT = quantities('fulfilled', 'shipped', 'sent');
/** Whether `quantity` still counts such pieces is not known, so there must be none. */
const TAKEN_AWAY = quantities('cancelled', 'canceled', 'refunded', 'returned');

const STATE_FIELDS = new Set(['status', 'state', 'fulfillmentstatus', 'fulfillmentstate']);

/**
 * Fields that name, describe or price an article, or the order: they say nothing of what is sent. The first are the
 * document's own ("Order", "Variant", "Price"), the others those of shops in general.
 */
const ABOUT = new Set(
	`id lineitemid sku title name prices amount currency total totals
	description handle options properties attributes metadata note position image imageurl url
	product productid producttitle producthandle variant variantid varianttitle barcode ean gtin vendor brand
	price unitprice subtotal totalprice linetotal discount discounts discountamount tax taxes taxrate taxamount
	taxlines vatrate weight weightunit orderid number ordernumber version createdat updatedat placedat orderedat
	paidat`.split(/\s+/),
);

const OF_FULFILLMENT = new Set(
	'orderstatus trackingnumber trackingurl carrier locationid shippedat items lineitems'.split(' '),
);

const FULFILLMENTS = /^(fulfil+ments|shipments)$/;

/**
 * What of an order is not sent yet, as far as that is certain: by what its lines say, else by its fulfillments, else
 * by its fulfillment state. Only the names and words above are understood. Whatever else may speak of what was sent,
 * and whatever contradicts, is a problem: goods must not be sent twice.
 */
export function openItemsOf(order: IDataObject): OpenItems {
	const listed = lineItemsOf(order);
	if (listed === undefined) return { problem: 'shows no line items' };
	if (CANCELLED.has(wordIn(order.status))) return { items: [] };
	const lines = listed.map(readLine);
	const unread = lines.find((line) => typeof line === 'string');
	if (unread !== undefined) return { problem: unread };
	return openLines(order, lines as Line[]);
}

interface Line {
	id: string;
	quantity: number;
	/** Pieces, as far as the line says it. */
	sent?: number;
	states: Set<Sent>;
}

function openLines(order: IDataObject, lines: Line[]): OpenItems {
	const ids = new Set(lines.map(({ id }) => id));
	if (ids.size < lines.length) return { problem: 'shows a line item twice' };
	const states = statesOf(order, ids);
	if (typeof states === 'string') return { problem: states };
	const fulfilled = fulfilledPieces(order, ids);
	const items: OpenItem[] = [];
	const sums = { sent: 0, quantity: 0 };
	for (const line of lines) {
		const { id, quantity } = line;
		const sent = sentOf(line, states, fulfilled);
		if (typeof sent === 'string') return { problem: sent };
		if (fulfilled instanceof Map && sent !== quantity && sent !== (fulfilled.get(id) ?? 0))
			return { problem: contradiction(id) };
		sums.sent += sent;
		sums.quantity += quantity;
		if (sent < quantity) items.push({ line_item_id: id, quantity: quantity - sent });
	}
	if (![...states].every((state) => agrees(state, sums)))
		return { problem: 'says of its state what its line items do not say' };
	return { items };
}

/** The pieces of a line that were sent; or why that cannot be told. */
function sentOf(
	{ id, quantity, sent: said, states }: Line,
	ofOrder: ReadonlySet<Sent>,
	fulfilled: Map<string, number> | string | undefined,
): number | string {
	let sent = said;
	if (sent === undefined && ofOrder.has('all')) sent = quantity;
	if (sent === undefined && typeof fulfilled === 'string') return fulfilled;
	if (sent === undefined && fulfilled instanceof Map) sent = fulfilled.get(id) ?? 0;
	if (sent === undefined && ofOrder.has('none')) sent = 0;
	if (sent === undefined)
		return ofOrder.has('part')
			? 'is sent in part, but does not say which part'
			: 'does not say what of it was sent';
	const isPossible = sent >= 0 && sent <= quantity;
	const ofLine = { sent, quantity };
	return isPossible && [...states].every((state) => agrees(state, ofLine))
		? sent
		: contradiction(id);
}

const agrees = (state: Sent, { sent, quantity }: { sent: number; quantity: number }): boolean =>
	state === 'none' ? sent === 0 : state === 'all' ? sent === quantity : sent > 0 && sent < quantity;

const contradiction = (id: string): string =>
	`contradicts itself in what was sent of the line “${id}”`;

/** What a line says of itself; or why it cannot be read. */
function readLine(line: IDataObject): Line | string {
	const { line_item_id: id } = line;
	const quantity = wholeOf(line.quantity);
	if (typeof id !== 'string' || id === '' || quantity === undefined)
		return 'shows a line item without an ID and a quantity';
	const counts = new Set<number>();
	const states = new Set<Sent>();
	for (const [field, value] of Object.entries(line)) {
		const name = plainName(field);
		if (saysNothing(value) || ABOUT.has(name) || field === 'quantity') continue;
		const pieces = wholeOf(value);
		const state = STATE_FIELDS.has(name) ? WORDS.get(wordIn(value)) : undefined;
		if (pieces !== undefined && OPEN.has(name)) counts.add(quantity - pieces);
		else if (pieces !== undefined && SENT.has(name)) counts.add(pieces);
		else if (state !== undefined) states.add(state);
		else if (pieces !== 0 || !TAKEN_AWAY.has(name))
			return `says ${shown(field, value)} of the line “${id}”, which is not understood`;
	}
	if (counts.size > 1) return contradiction(id);
	const [counted] = counts;
	const [state] = states;
	const sent = counted ?? (state === 'none' ? 0 : state === 'all' ? quantity : undefined);
	return { id, quantity, sent, states };
}

/** What the order's own fields say of its lines; or the first that may say something, and is not understood. */
function statesOf(order: IDataObject, ids: ReadonlySet<string>): Set<Sent> | string {
	const states = new Set<Sent>();
	for (const [field, value] of Object.entries(order)) {
		const name = plainName(field);
		if (saysNothing(value) || value === lineItemsOf(order) || ABOUT.has(name)) continue;
		if (FULFILLMENTS.test(name) || /^(payment|financial)/.test(name)) continue;
		if (name === 'status' && SAY_NOTHING_OF_LINES.has(wordIn(value))) continue;
		const state =
			/^fulfil/.test(name) && isObject(value) ? stateIn(value) : WORDS.get(wordIn(value));
		if (/^fulfil|stat(e|us)$/.test(name) && state !== undefined) states.add(state);
		else if (maySayWhatWasSent(field, value, ids))
			return `says ${shown(field, value)}, which is not understood`;
	}
	return states;
}

/** The state in an object like `fulfillment_state`, whose other fields are its sums; undefined where they differ. */
function stateIn(value: IDataObject): Sent | undefined {
	const state = WORDS.get(wordIn(value.status ?? value.state));
	const fits = Object.entries(value).every(([field, count]) => {
		const name = plainName(field);
		if (name === 'status' || name === 'state') return true;
		if (SENT.has(name)) return (wholeOf(count) === 0) === (state === 'none');
		return OPEN.has(name) && (wholeOf(count) === 0) === (state === 'all');
	});
	return fits ? state : undefined;
}

/** Whether a field of an order may be about what was sent: by its name, its kind, or the lines that it names. */
function maySayWhatWasSent(field: string, value: unknown, ids: ReadonlySet<string>): boolean {
	if (typeof value === 'number' || typeof value === 'boolean') return true;
	const isState = ['state', 'status', 'at', 'date', 'on', 'quantity'].includes(lastWord(field));
	if (isState || plainName(field).startsWith('fulfil')) return true;
	const written = typeof value === 'string' ? '' : JSON.stringify(value);
	return [...ids].some((id) => written.includes(JSON.stringify(id)));
}

/**
 * The pieces by line in the order's fulfillments; why they cannot be told, where they do not say it, or where one
 * may have been cancelled; undefined where the order shows none.
 */
function fulfilledPieces(
	order: IDataObject,
	ids: ReadonlySet<string>,
): Map<string, number> | string | undefined {
	const name = Object.keys(order).find((one) => FULFILLMENTS.test(plainName(one)));
	const list = name === undefined ? undefined : (order[name] as unknown);
	if (list === undefined || list === null) return undefined;
	const pieces = new Map<string, number>();
	const untold = 'has fulfillments that do not say what they hold';
	if (!Array.isArray(list)) return untold;
	for (const one of list as unknown[]) {
		if (!isObject(one)) return untold;
		if (CANCELLED.has(wordIn(one.status))) continue;
		const odd = Object.entries(one).find(([field, value]) => !isOfFulfillment(field, value));
		if (odd !== undefined)
			return `has a fulfillment that says ${shown(...odd)}, which is not understood`;
		for (const line of lineItemsOf(one) ?? [{}]) {
			const [id, quantity] = pieceOf(line, ids);
			if (id === undefined || quantity === undefined) return untold;
			pieces.set(id, (pieces.get(id) ?? 0) + quantity);
		}
	}
	return pieces;
}

function isOfFulfillment(field: string, value: unknown): boolean {
	const name = plainName(field);
	if (STATE_FIELDS.has(name)) return FULFILLMENT_SENT.has(wordIn(value));
	return saysNothing(value) || ABOUT.has(name) || OF_FULFILLMENT.has(name);
}

/** A fulfillment's line may have an ID of its own, and name the order's under any name. */
function pieceOf(line: IDataObject, ids: ReadonlySet<string>): [string?, number?] {
	const names = (value: unknown): value is string => typeof value === 'string' && ids.has(value);
	const { line_item_id: said } = line;
	const [id, ...others] = new Set(
		(said === undefined ? Object.values(line) : [said]).filter(names),
	);
	const isPlain = Object.entries(line).every(
		([field, value]) =>
			field === 'quantity' || names(value) || saysNothing(value) || ABOUT.has(plainName(field)),
	);
	return others.length === 0 && isPlain ? [id, wholeOf(line.quantity)] : [];
}

const wholeOf = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
};

const wordIn = (value: unknown): string => (typeof value === 'string' ? plainName(value) : '');

/** Characters of a value that a message shows. */
const MAX_SHOWN = 40;

const shown = (field: string, value: unknown): string =>
	isObject(value) || Array.isArray(value)
		? `“${field}”`
		: `“${field}: ${String(value).slice(0, MAX_SHOWN)}”`;
