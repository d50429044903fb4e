import type { Dialect } from '../../platform/dialects/dialect';

/** What a dialect makes impossible, so that the node can only say so. */
export interface Impossible {
	/** Operations that it is about, as `resource.operation`. */
	operations: readonly string[];
	isSo(dialect: Dialect): boolean;
	/** Why no client could do it. */
	why: string;
}

/** Nothing else is left out in any dialect. */
export const IMPOSSIBLE: readonly Impossible[] = [
	{
		operations: ['account.get'],
		isSo: ({ accountScope }) => accountScope === 'own',
		why: 'the key may not read the account',
	},
	{
		operations: ['event.getAll'],
		isSo: ({ eventStream }) => eventStream !== 'offered',
		why: 'the platform offers no event stream',
	},
	{
		operations: ['webhook.recreate'],
		isSo: ({ uniqueUrls }) => uniqueUrls === 'refused',
		why: 'a second endpoint at the same url is refused, and the old one must not go before the new one is there',
	},
];

/** Why an operation is impossible in a dialect, or `undefined`. */
export const whyImpossible = (operation: string, dialect: Dialect): string | undefined =>
	IMPOSSIBLE.find(({ operations, isSo }) => operations.includes(operation) && isSo(dialect))?.why;
