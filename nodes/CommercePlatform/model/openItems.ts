import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { lineItemsOf } from '../../shared/model/lineItems';
import { plainName } from '../../shared/model/names';
import { sentOf, type Sent } from './sentState';

/** A line item with the pieces that are not sent yet, as a fulfillment takes it. */
export interface OpenItem {
	line_item_id: string;
	quantity: number;
}

/** What is open of an order; or why that cannot be told, as the rest of a sentence. */
export type OpenItems = { items: OpenItem[] } | { problem: string };

/** Where a line may say what is open, or what was sent; the API document shows neither ("Order"). */
const OPEN =
	/^(open|remaining|fulfillable|fulfilable|unfulfilled)quantity$|^quantity(open|remaining|unfulfilled)$/;
const SENT = /^(fulfilled|shipped|sent)quantity$|^quantity(fulfilled|shipped|sent)$/;

/**
 * What of an order is not sent yet: what its lines say of it; else its quantities less those of its fulfillments;
 * else all, where nothing says that a part was sent. Nothing is guessed: an order that is sent in part, but does not
 * say which part, is a problem.
 */
export function openItemsOf(order: IDataObject): OpenItems {
	const lines = lineItemsOf(order);
	if (lines === undefined) return { problem: 'shows no line items' };
	const state = sentOf(order);
	const sent = sentByLine(order, new Set(lines.map(idOf)));
	const untold = state === 'all' ? undefined : untoldPart(state, sent);
	const items: OpenItem[] = [];
	for (const line of lines) {
		const id = idOf(line);
		const quantity = wholeOf(line.quantity);
		if (typeof id !== 'string' || quantity === undefined)
			return { problem: 'shows a line item without an ID and a quantity' };
		const open = numberAt(line, OPEN);
		const done = numberAt(line, SENT);
		if (open === undefined && done === undefined && untold !== undefined)
			return { problem: untold };
		const left =
			open ?? quantity - (done ?? piecesOf(id, sent) ?? (state === 'all' ? quantity : 0));
		if (left > 0) items.push({ line_item_id: id, quantity: left });
	}
	return { items };
}

const idOf = (line: IDataObject) => line.line_item_id ?? line.id;

/** What fulfillments of which some do not say what they hold tell of a line is not all. */
const piecesOf = (id: string, sent?: SentPieces) =>
	sent?.isWhole === true ? sent.get(id) : undefined;

const wholeOf = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
};

function numberAt(line: IDataObject, names: RegExp): number | undefined {
	const name = Object.keys(line).find((one) => names.test(plainName(one)));
	return name === undefined ? undefined : wholeOf(line[name]);
}

/** Why a line that does not say it itself may have been sent; undefined where nothing speaks for it. */
function untoldPart(state: Sent, sent?: SentPieces): string | undefined {
	if (state === 'part' && sent?.isWhole !== false && (sent?.size ?? 0) === 0)
		return 'is sent in part, but does not say which part';
	return sent?.isWhole === false ? 'has fulfillments that do not say what they hold' : undefined;
}

/** States in which the pieces of a fulfillment are not on their way. */
const NOT_SENT = /^(cancel|delet|fail|reject|void)/i;

/** Pieces by line. */
class SentPieces extends Map<string, number> {
	/** Whether every fulfillment says what it holds. */
	isWhole = true;

	/** @param ids of the order's lines */
	constructor(private readonly ids: ReadonlySet<unknown>) {
		super();
	}

	add(fulfilled: IDataObject): void {
		const line = this.lineOf(fulfilled);
		const pieces = wholeOf(fulfilled.quantity);
		if (line !== undefined && pieces !== undefined) this.set(line, (this.get(line) ?? 0) + pieces);
		else this.isWhole = false;
	}

	/** A fulfillment's line may have an ID of its own, and name the order's under any name. */
	private lineOf(fulfilled: IDataObject): string | undefined {
		const { line_item_id: said } = fulfilled;
		const named = said === undefined ? Object.values(fulfilled) : [said];
		const [line, ...others] = new Set(named.filter((value) => this.ids.has(value)));
		return others.length === 0 && typeof line === 'string' ? line : undefined;
	}
}

/** The pieces in the order's fulfillments; undefined where it shows none. */
function sentByLine(order: IDataObject, ids: ReadonlySet<unknown>): SentPieces | undefined {
	const name = Object.keys(order).find((one) => /^(fulfil+ments|shipments)$/.test(plainName(one)));
	const list = name === undefined ? undefined : (order[name] as unknown);
	if (!Array.isArray(list)) return undefined;
	const sent = new SentPieces(ids);
	for (const fulfillment of (list as unknown[]).filter(isObject)) {
		if (NOT_SENT.test(String(fulfillment.status))) continue;
		const lines = lineItemsOf(fulfillment);
		if (lines === undefined) sent.isWhole = false;
		else for (const line of lines) sent.add(line);
	}
	return sent;
}
