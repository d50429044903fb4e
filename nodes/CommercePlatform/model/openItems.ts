import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { saysNothing } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import { lastWord, lineItemsOf, plainName } from '../../shared/model/records';
import { orderNumberOf } from './orderNames';

/** A line item with the pieces that are not sent yet, as a fulfillment takes it. */
interface OpenItem {
	line_item_id: string;
	quantity: number;
}

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

const STATE = /^(fulfil+ment)?stat(e|us)$|^fulfil+ment$/;

/** Fields that decide here, which nobody can declare to be without meaning. */
const decides = (name: string): boolean =>
	[OPEN, SENT, TAKEN_AWAY].some((names) => names.has(name)) ||
	/^quantity$|^fulfil|^stat(e|us)$/.test(name);

/**
 * Fields that name, describe or price an article, or the order: they say nothing of what is sent. The first are the
 * document's own ("Order", "Variant", "Price"), the others those of shops in general. A value alone cannot tell:
 * `is_gift: true` and `delivered: true` look alike, and so do a colour and a state, a weight and a number of pieces. So
 * whatever else a shop has is unknown, until the user names it as unrelated.
 */
const ABOUT = new Set(
	`id lineitemid sku title name prices amount currency total totals
	description handle options properties attributes metadata note position image imageurl url
	product productid producttitle producthandle variant variantid varianttitle barcode ean gtin vendor brand
	price unitprice subtotal totalprice linetotal discount discounts discountamount tax taxes taxrate taxamount
	taxlines taxable vatrate weight weightunit grams color colour size gift isgift giftcard giftwrap giftmessage
	orderid number ordernumber version createdat updatedat placedat orderedat paidat`.split(/\s+/),
);

const OF_FULFILLMENT = new Set(
	'orderstatus trackingnumber trackingurl carrier locationid shippedat items lineitems'.split(' '),
);

const FULFILLMENTS = /^(fulfil+ments|shipments)$/;

/** What fields say of how many pieces were sent. */
interface Telling {
	counts: number[];
	states: Sent[];
}

interface Line extends Telling {
	id: string;
	quantity: number;
}

/** What the reading of one order goes by. */
interface Reading {
	/** Its line items, by their IDs. */
	lines: ReadonlyMap<string, Line>;
	/** Whether a field says nothing of what is sent. */
	isAbout(field: string): boolean;
	/** Names the order. */
	refusal(problem: string): InputError;
}

/**
 * What of an order is not sent yet, as far as that is certain: by what its lines say, else by its fulfillments, else
 * by its fulfillment state. Only the names and words above are understood. Whatever else may speak of what was sent,
 * and whatever contradicts, is refused: goods must not be sent twice.
 *
 * @param unrelated fields that say nothing of what is sent, as the user knows
 * @throws InputError that names the order, and what of it is not certain
 */
export function openItemsOf(order: IDataObject, unrelated: readonly string[] = []): OpenItem[] {
	const about = new Set([...ABOUT, ...unrelated.map(checkedName)]);
	const lines = new Map<string, Line>();
	const called = orderNumberOf(order) ?? String(order.id);
	const reading: Reading = {
		lines,
		isAbout: (field) => about.has(plainName(field)),
		refusal: (problem) => new InputError('Order', `“${called}” ${problem}`, REMEDY),
	};
	const listed = lineItemsOf(order);
	if (listed === undefined) throw reading.refusal('shows no line items');
	if (CANCELLED.has(wordIn(order.status))) return [];
	for (const { line_item_id: id, quantity: written, ...fields } of listed) {
		const quantity = wholeOf(written);
		if (typeof id !== 'string' || id === '' || quantity === undefined)
			throw reading.refusal('shows a line item without an ID and a quantity');
		if (lines.has(id)) throw reading.refusal('shows a line item twice');
		lines.set(id, {
			id,
			quantity,
			...tellingOf(fields, quantity, reading, ` of the line “${id}”`),
		});
	}
	return openLines(order, reading);
}

const REMEDY =
	'Nothing was sent. If that says nothing of what was sent, name its field in the option “Unrelated Fields”; else set “Items to Send” to Choose.';

function checkedName(field: string): string {
	const name = plainName(field);
	if (!decides(name)) return name;
	throw new InputError('Unrelated Fields', `cannot hold “${field}”`, 'It says what was sent.');
}

function openLines(order: IDataObject, reading: Reading): OpenItem[] {
	const lines = [...reading.lines.values()];
	const total = lines.reduce((sum, { quantity }) => sum + quantity, 0);
	const tellings = tellingsOf(order, total, reading);
	const ofOrder = tellings.map((one) => sentBy(one, total)).find((pieces) => pieces !== undefined);
	const fulfilled = fulfilledPieces(order, reading);
	const items: OpenItem[] = [];
	let all = 0;
	for (const line of lines) {
		const { id, quantity } = line;
		const counted = fulfilled instanceof Map ? (fulfilled.get(id) ?? 0) : undefined;
		let sent = sentBy(line, quantity) ?? (ofOrder === total ? quantity : undefined);
		if (sent === undefined && typeof fulfilled === 'string') throw reading.refusal(fulfilled);
		sent ??= counted ?? (ofOrder === 0 ? 0 : undefined);
		if (sent === undefined) throw reading.refusal('does not say which of its items were sent');
		const isTold = counted === undefined || counted === sent || sent === quantity;
		if (!isTold || !agrees(line, sent, quantity))
			throw reading.refusal(`contradicts itself in what was sent of the line “${id}”`);
		if (sent < quantity) items.push({ line_item_id: id, quantity: quantity - sent });
		all += sent;
	}
	if (tellings.every((one) => agrees(one, all, total))) return items;
	throw reading.refusal('says of its state what its line items do not say');
}

/** The pieces that were sent, as far as it is told how many. */
function sentBy(
	{ counts: [count], states: [state] }: Telling,
	quantity: number,
): number | undefined {
	return count ?? (state === 'none' ? 0 : state === 'all' ? quantity : undefined);
}

const agrees = ({ counts, states }: Telling, sent: number, quantity: number): boolean =>
	sent >= 0 &&
	sent <= quantity &&
	counts.every((count) => count === sent) &&
	states.every((state) => state === (sent === 0 ? 'none' : sent === quantity ? 'all' : 'part'));

/**
 * Reads what fields say of how much was sent.
 *
 * @param quantity ordered pieces
 * @param place of the fields, for the message
 * @throws InputError for what may say it and is not understood
 */
function tellingOf(
	fields: IDataObject,
	quantity: number,
	{ isAbout, refusal }: Pick<Reading, 'isAbout' | 'refusal'>,
	place = '',
): Telling {
	const counts: number[] = [];
	const states: Sent[] = [];
	for (const [field, value] of Object.entries(fields)) {
		const name = plainName(field);
		if (saysNothing(value) || isAbout(field)) continue;
		const pieces = wholeOf(value);
		const state = STATE.test(name) ? WORDS.get(wordIn(value)) : undefined;
		if (pieces !== undefined && OPEN.has(name)) counts.push(quantity - pieces);
		else if (pieces !== undefined && SENT.has(name)) counts.push(pieces);
		else if (state !== undefined) states.push(state);
		else if (pieces !== 0 || !TAKEN_AWAY.has(name))
			throw refusal(`says ${shown(field, value)}${place}, which is not understood`);
	}
	return { counts, states };
}

/** What the order's own fields say of its lines. */
function tellingsOf(order: IDataObject, total: number, reading: Reading): Telling[] {
	const tellings: Telling[] = [];
	for (const [field, value] of Object.entries(order)) {
		const name = plainName(field);
		if (value === lineItemsOf(order) || FULFILLMENTS.test(name)) continue;
		if (/^(payment|financial)/.test(name)) continue;
		if (name === 'status' && SAY_NOTHING_OF_LINES.has(wordIn(value))) continue;
		if (/^fulfil/.test(name) && isObject(value)) tellings.push(tellingOf(value, total, reading));
		else if (STATE.test(name) || maySayWhatWasSent(field, value, reading))
			tellings.push(tellingOf({ [field]: value }, total, reading));
	}
	return tellings;
}

/** Whether a field of an order may be about what was sent: by its name, its kind, or the lines that it names. */
function maySayWhatWasSent(field: string, value: unknown, { lines }: Reading): boolean {
	if (typeof value === 'number' || typeof value === 'boolean') return true;
	const isState = ['state', 'status', 'at', 'date', 'on', 'quantity'].includes(lastWord(field));
	if (isState || plainName(field).startsWith('fulfil')) return true;
	const written = typeof value === 'string' ? '' : JSON.stringify(value);
	return [...lines.keys()].some((id) => written.includes(JSON.stringify(id)));
}

/**
 * The pieces by line in the order's fulfillments, which hold what the document's request does ("Fulfillment (request
 * shape)"); why they cannot be told, where one says more or less; undefined where the order shows none.
 */
function fulfilledPieces(
	order: IDataObject,
	{ lines, isAbout }: Reading,
): Map<string, number> | string | undefined {
	const name = Object.keys(order).find((one) => FULFILLMENTS.test(plainName(one)));
	const list = name === undefined ? undefined : (order[name] as unknown);
	if (list === undefined || list === null) return undefined;
	const pieces = new Map<string, number>();
	const untold = 'has fulfillments that do not say what they hold';
	if (!Array.isArray(list) || !list.every(isObject)) return untold;
	for (const fulfillment of list) {
		if (CANCELLED.has(wordIn(fulfillment.status))) continue;
		const odd = Object.entries(fulfillment).find(
			([field, value]) =>
				!saysNothing(value) && !isAbout(field) && !isOfFulfillment(plainName(field), value),
		);
		if (odd !== undefined)
			return `has a fulfillment that says ${shown(...odd)}, which is not understood`;
		for (const { line_item_id: id, quantity, ...more } of lineItemsOf(fulfillment) ?? [{}]) {
			const sent = wholeOf(quantity);
			if (typeof id !== 'string' || !lines.has(id) || sent === undefined) return untold;
			const isPlain = ([field, value]: [string, unknown]) => saysNothing(value) || isAbout(field);
			if (!Object.entries(more).every(isPlain)) return untold;
			pieces.set(id, (pieces.get(id) ?? 0) + sent);
		}
	}
	return pieces;
}

const isOfFulfillment = (name: string, value: unknown): boolean =>
	STATE.test(name) ? FULFILLMENT_SENT.has(wordIn(value)) : OF_FULFILLMENT.has(name);

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
