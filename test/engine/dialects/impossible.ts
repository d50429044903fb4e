import type { Dialect } from '../../../platform/dialects/dialect';

/** Cases (by name) that a dialect makes impossible, so that the node can only say so. No other case is left out. */
const IMPOSSIBLE: Array<[cases: RegExp, isSo: (dialect: Dialect) => boolean, why: string]> = [
	[
		/^account\.get/,
		(dialect) => dialect.accountScope === 'own',
		'the key may not read the account',
	],
	[
		/^event\.getAll/,
		(dialect) => dialect.eventStream !== 'offered',
		'the platform offers no event stream',
	],
	[
		/^webhook\.recreate/,
		(dialect) => dialect.uniqueUrls === 'refused',
		'a second endpoint at the same url is refused, and the old one must not go before the new one is there',
	],
	[
		/^order\.fulfill, everything that is open/,
		(dialect) => dialect.fulfillmentWithoutItems === 'refused',
		'the platform takes no fulfilment without items',
	],
	[
		/^order\.refund, of everything/,
		(dialect) => dialect.refundWithoutAmount === 'refused',
		'the platform takes no refund without an amount',
	],
	[
		/^product\.upsert/,
		({ batchItems, batchKeys }) =>
			['failures', 'none', 'noBody'].includes(batchItems) ||
			(batchItems === 'more' && batchKeys === 'nothing'),
		'no result is for certain about an operation, and what is not confirmed is not called done',
	],
];

/** The reason that makes a case impossible in a dialect, if there is one. */
export function impossibleIn(name: string, dialect: Dialect) {
	const found = IMPOSSIBLE.find(([cases, isSo]) => cases.test(name) && isSo(dialect));
	// The batch is written all the same; only its answer does not say the outcome.
	return found && { why: found[2], isDone: name.startsWith('product.upsert') };
}
