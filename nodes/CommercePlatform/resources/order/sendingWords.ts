import { plainName } from '../../../shared/shop/records';

/** What a field is about: pieces that were sent, are no longer wanted, or are still to be sent. */
export type Matter = 'sent' | 'returned' | 'refunded' | 'cancelled' | 'open';

/** The order's statuses (API document, "States and transitions"). */
export const MAY_BE_OPEN = new Set(['paid', 'created']);
export const NOTHING_OPEN = new Set(['fulfilled', 'cancelled', 'canceled']);

/** A fulfillment, refund or return in such a state did not happen. */
export const WITHDRAWN = new Set(
	'cancelled canceled failed failure error declined rejected voided'.split(' '),
);

/** The last word of a field that holds a state. */
export const STATE = /(status|state|technicalname|statecode)$/;

/** Words of plans, rules and messages. They are about the matter, but do not say that it happened. */
const PLAN =
	/^(estimated|expected|planned|promised|scheduled|can|policy|until|deadline|window|url|email|mail|confirmation|invoice|receipt|notification|message|sms|newsletter)$/;

const COUNT = /^(quantity|quantities|qty|count|pieces|units|items)$/;

/** Words for something that has happened. A verb's stem (ship, fulfill) is about what can be done. */
const HAPPENED: ReadonlyArray<[RegExp, Exclude<Matter, 'open'>]> = [
	[/^(refunded|refunds)$/, 'refunded'],
	[/^(returned|returns)$/, 'returned'],
	[/^(cancell?ed|cancell?ations)$/, 'cancelled'],
	[/^(fulfill?ed|shipped|delivered|dispatched|despatched|sent)$/, 'sent'],
	[/^(fulfill?ments|shipments|deliveries|dispatches|parcels|packages)$/, 'sent'],
];

/** Nouns for the matter. They count alone, or beside a state, a time or a number. */
const NOUNS: ReadonlyArray<[RegExp, Exclude<Matter, 'open'>]> = [
	[/^(fulfill?ment|shipment|dispatch|despatch)$/, 'sent'],
	[/^(delivery|shipping)$/, 'sent'],
	[/^refund$/, 'refunded'],
	[/^return$/, 'returned'],
	[/^(cancel|cancell?ation)$/, 'cancelled'],
];

const BESIDE_NOUN = /^(status|state|quantity|qty|id|reason|progress|total|amount|at|ids)$/;

const wordsOf = (name: string): string[] =>
	name
		.slice(0, 100)
		.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');

/**
 * What a field is about, judged by its name, or a state by its word.
 *
 * @returns undefined for every other field
 */
export function matterOf(name: string): Matter | undefined {
	const words = wordsOf(name);
	const isCount = words.some((word) => COUNT.test(word));
	if (
		isCount &&
		words.some((word) =>
			/^(open|remaining|outstanding|fulfill?able|shippable|unfulfill?ed|unshipped)$/.test(word),
		)
	)
		return 'open';
	if (isCount && words.includes('to') && words.some((word) => /^(fulfill?|ship|send)$/.test(word)))
		return 'open';
	if (words.some((word) => PLAN.test(word))) return undefined;
	const happened = HAPPENED.find(([pattern]) => words.some((word) => pattern.test(word)));
	if (happened !== undefined) return happened[1];
	if (words.includes('tracking') && words.some((word) => /^(numbers?|codes?)$/.test(word)))
		return 'sent';
	const noun = NOUNS.find(([pattern]) => words.some((word) => pattern.test(word)));
	if (noun === undefined) return undefined;
	// `shipping_total` is a price and `delivery_id` may be a method.
	if (
		/^(delivery|shipping)/.test(words[0]) ||
		words.includes('shipping') ||
		words.includes('delivery')
	)
		return words.some((word) => /^(status|state)$/.test(word)) ? noun[1] : undefined;
	const isAboutMatter = words.length === 1 || words.some((word) => BESIDE_NOUN.test(word));
	return isAboutMatter &&
		words.every((word) => !/^(service|method|type|location|center|able)$/.test(word))
		? noun[1]
		: undefined;
}

const NOTHING =
	/^(|no|none|null|false|open|new|created|ordered|paid|active|confirmed|pending|un(fulfill?ed|shipped|sent|delivered|dispatched)|non|not(?!ified|ed).*|no(return|refund|ship|fulfil|deliver|dispatch|cancel).*|(await|awaiting|waiting|ready)(for|to)?(be)?(fulfill?|ship|dispatch|deliver|send).*|to(be)?(fulfill?|ship|send|dispatch).*)$/;

/** Whether a value says that nothing has happened yet. */
export function isNothingYet(value: unknown): boolean {
	if (value === undefined || value === null || value === false) return true;
	if (typeof value === 'object') return Object.keys(value).length === 0;
	return Number(value) === 0 || (typeof value === 'string' && NOTHING.test(plainName(value)));
}

/** Whether a state is about a part only. */
export const isPart = (value: unknown): boolean =>
	typeof value === 'string' && /^part/.test(plainName(value));

/** Whether a field counts pieces, and not money. */
export const isCount = (name: string): boolean => wordsOf(name).some((word) => COUNT.test(word));
