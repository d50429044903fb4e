import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { saysNothing, wholeOf } from '../../shared/values/readers';
import { isListOfObjects, isObject } from '../../shared/values/json';
import { lineItemsOf, plainName } from '../../shared/model/records';
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
const WORDS: ReadonlyArray<[RegExp, Sent]> = [
	[/^(fulfilled|shipped)$/, 'all'],
	[/^partial(lyfulfilled|lyshipped)?$/, 'part'],
	[/^(un|not)(fulfilled|shipped)$/, 'none'],
];

/** What the document calls an order that may have open lines, or sent ones ("States and transitions"). */
const SAY_NOTHING_OF_LINES = new Set(['created', 'paid']);

const CANCELLED = new Set(['cancelled', 'canceled']);

/** What a fulfillment may be called that is on its way, or was. Its pieces are not open then. */
const FULFILLMENT_SENT = new Set(['fulfilled', 'shipped', 'delivered', 'intransit', 'success']);

/** Each with its word before or after `quantity`: the document shows no such field, and these say it in its words. */
const quantityNamed = (words: string) =>
	new RegExp(`^(?:(?:${words})quantity|quantity(?:${words}))$`);

const OPEN = quantityNamed('open|unfulfilled|remaining|fulfillable');
const SENT = quantityNamed('fulfilled|shipped|sent');
/** Whether `quantity` still counts such pieces is not known, so there must be none. */
const TAKEN_AWAY = quantityNamed('cancelled|canceled|refunded|returned');

const STATE = /^(fulfil+ment)?stat(e|us)$|^fulfil+ment$/;

/** Fields that decide here, which nobody can declare to be without meaning. */
const DECIDES = [OPEN, SENT, TAKEN_AWAY, /^quantity$|^fulfil|^stat(e|us)$/];

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

/** The same of an order: who bought, where it goes, what was agreed and paid. */
const ABOUT_ORDER = new Set(
	`customer customerid customername customeremail email phone billingaddress shippingaddress locale language channel
	source tags note customernote merchantnote coupon couponcode discountcode shippingmethod shippingprice shippingtotal
	paymentmethod payments`.split(/\s+/),
);

const PAYMENT = /^(payment|financial)(status|summary)?$/;

/** What it may say of goods that are still to be sent, or nothing. Of an order whose money went back they may not be. */
const PAID = /^(paid|partially(paid|refunded)|authorized|pending|unpaid)?$/;

/** What else the request of a fulfillment holds (API document, "Fulfillment (request shape)"), and when it was sent. */
const OF_FULFILLMENT = /^(orderstatus|tracking(number|url)|carrier|locationid|shippedat)$/;

/** The document shows no list of them in an order; its path says `fulfillments`. */
const FULFILLMENTS = /^(fulfil+ments|shipments)$/;

/** An object of an order that is read by its fields: its fulfillment state, its times. */
const GROUP = /^fulfil|^(dates|times|timestamps)$/;

/** What fields say of how many pieces were sent. */
interface Telling {
	counts: number[];
	states: Sent[];
}

/**
 * What of an order is not sent yet, as far as that is certain: by what its lines say, else by its fulfillments, else
 * by its fulfillment state. Only the names and words above are understood. Whatever else may speak of what was sent,
 * and whatever contradicts, is refused: goods must not be sent twice.
 *
 * @param unrelated fields that say nothing of what is sent, as the user knows
 * @throws InputError that names the order, and what of it is not certain
 */
export const openItemsOf = (order: IDataObject, unrelated: readonly string[] = []): OpenItem[] =>
	new Reading(order, new Set([...ABOUT, ...unrelated.map(checkedName)])).openItems();

function checkedName(field: string): string {
	const name = plainName(field);
	if (!DECIDES.some((names) => names.test(name))) return name;
	throw new InputError('Unrelated Fields', `cannot hold “${field}”`, 'It says what was sent.');
}

/** The reading of one order. */
class Reading {
	/** By their IDs: the ordered pieces, and what is said of those that were sent. */
	private readonly lines = new Map<string, Telling & { quantity: number }>();
	/** What is not understood, in words, by the fields that say it. */
	private readonly unknown = new Map<string, string>();

	/** @param about names of fields that say nothing of what is sent */
	constructor(
		private readonly order: IDataObject,
		private readonly about: ReadonlySet<string>,
	) {}

	openItems(): OpenItem[] {
		const listed = lineItemsOf(this.order);
		if (listed === undefined) throw this.refusal('shows no line items');
		if (CANCELLED.has(wordIn(this.order.status))) return [];
		for (const { line_item_id: id, quantity: written, ...fields } of listed) {
			const quantity = wholeOf(written);
			if (typeof id !== 'string' || id === '' || quantity === undefined)
				throw this.refusal('shows a line item without an ID and a quantity');
			if (this.lines.has(id)) throw this.refusal('shows a line item twice');
			const telling = this.tellingOf(fields, quantity, ` of the line “${id}”`);
			this.lines.set(id, { quantity, ...telling });
		}
		return this.openLines();
	}

	private openLines(): OpenItem[] {
		const total = [...this.lines.values()].reduce((sum, { quantity }) => sum + quantity, 0);
		const tellings = this.tellingsOfOrder(total);
		const ofOrder = tellings.map((one) => sentBy(one, total)).find((sent) => sent !== undefined);
		if (this.unknown.size > 0) throw this.refusal(this.unknownInWords());
		const fulfilled = this.fulfilledPieces();
		const items: OpenItem[] = [];
		let all = 0;
		for (const [id, line] of this.lines) {
			const { quantity } = line;
			const counted = fulfilled instanceof Map ? (fulfilled.get(id) ?? 0) : undefined;
			let sent = sentBy(line, quantity) ?? (ofOrder === total ? quantity : undefined);
			if (sent === undefined && typeof fulfilled === 'string') throw this.refusal(fulfilled);
			sent ??= counted ?? (ofOrder === 0 ? 0 : undefined);
			if (sent === undefined) throw this.refusal('does not say which of its items were sent');
			const isTold = counted === undefined || counted === sent || sent === quantity;
			if (!isTold || !agrees(line, sent, quantity))
				throw this.refusal(`contradicts itself in what was sent of the line “${id}”`);
			if (sent < quantity) items.push({ line_item_id: id, quantity: quantity - sent });
			all += sent;
		}
		if (tellings.every((one) => agrees(one, all, total))) return items;
		throw this.refusal('says of its state what its line items do not say');
	}

	/** All at once, so that the user has to name fields of their own no more than once. */
	private unknownInWords(): string {
		const named = [...this.unknown.values()];
		const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
		return `says ${named.slice(0, MAX_NAMED).join(', ')}${more}, which is not understood`;
	}

	/**
	 * Reads what fields say of how much was sent. Notes what may say it and is not understood.
	 *
	 * @param quantity ordered pieces
	 * @param place of the fields, for the message
	 */
	private tellingOf(fields: IDataObject, quantity: number, place = ''): Telling {
		const counts: number[] = [];
		const states: Sent[] = [];
		for (const [field, value] of Object.entries(fields)) {
			if (this.isSilent([field, value])) continue;
			const name = plainName(field);
			const pieces = wholeOf(value);
			const word = STATE.test(name) ? wordIn(value) : '';
			const [, state] = WORDS.find(([words]) => words.test(word)) ?? [];
			if (pieces !== undefined && OPEN.test(name)) counts.push(quantity - pieces);
			else if (pieces !== undefined && SENT.test(name)) counts.push(pieces);
			else if (state !== undefined) states.push(state);
			else if ((pieces !== 0 || !TAKEN_AWAY.test(name)) && !this.unknown.has(name))
				this.unknown.set(name, `${shown(field, value)}${place}`);
		}
		return { counts, states };
	}

	/** What the order's own fields say of its lines. */
	private tellingsOfOrder(total: number): Telling[] {
		const tellings: Telling[] = [];
		const listed = lineItemsOf(this.order);
		for (const [field, value] of Object.entries(this.order)) {
			const name = plainName(field);
			if (value === listed || FULFILLMENTS.test(name) || ABOUT_ORDER.has(name)) continue;
			if (name === 'status' && SAY_NOTHING_OF_LINES.has(wordIn(value))) continue;
			if (PAYMENT.test(name) && PAID.test(wordIn(isObject(value) ? value.status : value))) continue;
			const fields = GROUP.test(name) && isObject(value) ? value : { [field]: value };
			tellings.push(this.tellingOf(fields, total));
		}
		return tellings;
	}

	/**
	 * The pieces by line in the order's fulfillments, which hold what the document's request does ("Fulfillment (request
	 * shape)"); why they cannot be told, where one says more or less; undefined where the order shows none.
	 */
	private fulfilledPieces(): Map<string, number> | string | undefined {
		const [list, ...others] = Object.entries(this.order).flatMap(([name, value]) =>
			FULFILLMENTS.test(plainName(name)) && value !== null ? [value as unknown] : [],
		);
		if (list === undefined) return undefined;
		const pieces = new Map<string, number>();
		const untold = 'has fulfillments that do not say what they hold';
		if (others.length > 0 || !isListOfObjects(list)) return untold;
		for (const fulfillment of list) {
			const states = Object.keys(fulfillment).filter((field) => STATE.test(plainName(field)));
			if (CANCELLED.has(wordIn(fulfillment.status)) && states.length === 1) continue;
			const listed = lineItemsOf(fulfillment) ?? [];
			const odd = Object.entries(fulfillment).find(
				(field) => field[1] !== listed && !this.isSilent(field) && !isOfFulfillment(field),
			);
			if (odd !== undefined)
				return `has a fulfillment that says ${shown(...odd)}, which is not understood`;
			// One of everything may hold an empty list.
			if (listed.length === 0) return untold;
			for (const { line_item_id: id, quantity, ...more } of listed) {
				const sent = wholeOf(quantity);
				if (typeof id !== 'string' || !this.lines.has(id) || sent === undefined) return untold;
				if (!Object.entries(more).every((field) => this.isSilent(field))) return untold;
				pieces.set(id, (pieces.get(id) ?? 0) + sent);
			}
		}
		return pieces;
	}

	private isSilent([field, value]: [string, unknown]): boolean {
		return saysNothing(value) || this.about.has(plainName(field));
	}

	/** Names the order. */
	private refusal(problem: string): InputError {
		const called = orderNumberOf(this.order) ?? String(this.order.id);
		return new InputError('Order', `“${called}” ${problem}`, REMEDY);
	}
}

/** Fields that a message names at most. */
const MAX_NAMED = 8;

const REMEDY =
	'Nothing was sent. If that says nothing of what was sent, name its fields in the option “Unrelated Fields”; else set “Items to Send” to Choose.';

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

function isOfFulfillment([field, value]: [string, unknown]): boolean {
	const name = plainName(field);
	return STATE.test(name) ? FULFILLMENT_SENT.has(wordIn(value)) : OF_FULFILLMENT.test(name);
}

const wordIn = (value: unknown): string => (typeof value === 'string' ? plainName(value) : '');

/** Characters of a value that a message shows. */
const MAX_SHOWN = 40;

const shown = (field: string, value: unknown): string =>
	isObject(value) || Array.isArray(value)
		? `“${field}”`
		: `“${field}: ${String(value).slice(0, MAX_SHOWN)}”`;
