import type { Dialect } from '../../platform/dialects/dialect';

/** What a dialect makes impossible, so that the node can only say so. */
export interface Impossible {
	/** The cases of operations that it is about, by their names. */
	cases: RegExp;
	isSo(dialect: Dialect): boolean;
	/** Why no client could do it. */
	why: string;
	/** Whether the write goes out all the same, and only its answer does not say what became of it. */
	isDone?: true;
}

/** Nothing else is left out in any dialect. */
const IMPOSSIBLE: readonly Impossible[] = [
	{
		cases: /^account\.get/,
		isSo: ({ accountScope }) => accountScope === 'own',
		why: 'the key may not read the account',
	},
	{
		cases: /^event\.getAll/,
		isSo: ({ eventStream }) => eventStream !== 'offered',
		why: 'the platform offers no event stream',
	},
	{
		cases: /^webhook\.recreate/,
		isSo: ({ uniqueUrls }) => uniqueUrls === 'refused',
		why: 'a second endpoint at the same url is refused, and the old one must not go before the new one is there',
	},
	{
		cases: /^order\.fulfill, everything that is open/,
		isSo: ({ fulfillmentWithoutItems }) => fulfillmentWithoutItems === 'refused',
		why: 'the platform takes no fulfilment without items',
	},
	{
		cases: /^order\.refund, of everything/,
		isSo: ({ refundWithoutAmount }) => refundWithoutAmount === 'refused',
		why: 'the platform takes no refund without an amount',
	},
	{
		cases: /^product\.upsert/,
		isSo: ({ batchItems }) => ['failures', 'none', 'noBody'].includes(batchItems),
		why: 'the batch tells nothing of an operation, and what is not confirmed is not called done',
		isDone: true,
	},
	{
		cases: /^product\.upsert/,
		isSo: ({ batchItems, batchKeys }) =>
			batchItems === 'more' && !['indexAndSku', 'sku'].includes(batchKeys),
		why: 'there are more results than operations, and none says for certain which one it is about',
		isDone: true,
	},
];

/** What makes a case impossible in a dialect, if anything does. */
export const impossibleIn = (name: string, dialect: Dialect): Impossible | undefined =>
	IMPOSSIBLE.find(({ cases, isSo }) => cases.test(name) && isSo(dialect));
