import type { IDataObject, INode, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/*
 * What these nodes need from n8n beyond its documentation for nodes. Each comment says what it is for, in which versions
 * of n8n it was seen, and what happens in a version without it. Engine tests check it against n8n-core, and the matrix
 * of versions tries in each n8n what depends on it.
 */

/**
 * Whether n8n runs a node as a tool of an AI agent: then its type ends with “Tool”. An agent calls a tool any number of
 * times in one run, and its model sees only the message of an error.
 *
 * Seen from 1.88 to 2.41. Without it, a tool counts as a node: two calls that say the same have one key, and the model
 * does not see the description of an error.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/**
 * The same context, but cancelled by another signal. n8n's request helper prefers the signal of its `this` to the
 * signal of the request.
 *
 * Seen from 1.88 to 2.41. Without it, a request that takes too long ends for the node, but goes on unseen.
 */
export const withCancelSignal = <Context extends object>(
	context: Context,
	signal: AbortSignal | undefined,
): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

/**
 * Fills static data at the moment when n8n saves it, which is when n8n turns it into JSON. Code that copies the object
 * sees plain data.
 *
 * Seen from 1.88 to 2.41. Without it, n8n saves what the request has loaded: after a restart, a repeat may be executed
 * again.
 */
export function fillWhenSaved(staticData: IDataObject, fill: () => IDataObject): void {
	const hidden = { value: fill, enumerable: false, configurable: true };
	Object.defineProperty(staticData, 'toJSON', hidden);
}

/**
 * Makes n8n save static data. n8n watches the object, and takes it for changed when any property is set, even to the
 * same value.
 *
 * Seen from 1.88 to 2.41. Without it, n8n does not save; see {@link fillWhenSaved}.
 */
export function markAsChanged(staticData: IDataObject, property: string): void {
	staticData[property] = staticData[property] ?? {};
}

/**
 * Whether n8n watches static data for changes, by a mark on the object. If not, n8n stores what a node remembers
 * together with the execution (“durable cursors”), and a poll works on its own copy.
 *
 * Seen in 2.40 and 2.41; older versions watch all static data. Without it, {@link pollBudgetOf} decides alone.
 */
export const isWatched = (staticData: IDataObject): boolean => '__dataChanged' in staticData;

/**
 * How long n8n lets a poll run.
 *
 * Seen in 2.40 and 2.41. Without it, n8n does not end polls, and the caller's own limit counts.
 *
 * @returns ms; undefined if n8n does not tell
 */
export const pollBudgetOf = (context: IPollFunctions): number | undefined =>
	(context.getPollBudgetMs as (() => number) | undefined)?.call(context);

/**
 * Hands items to n8n like the result of a poll, with a promise for the outcome of the execution. It resolves to no run
 * if n8n has made none. A poll that returns its items never learns the outcome.
 *
 * Seen from 1.88 to 2.41. Without it, the poll fails with n8n's error and keeps its place: nothing is lost.
 */
export const emitWithOutcome = (
	context: IPollFunctions,
	items: INodeExecutionData[],
	outcome: Parameters<IPollFunctions['__emit']>[2],
): void => context.__emit([items], undefined, outcome);

/**
 * Whether an error says that an execution had started, but n8n no longer knows it. n8n does not export the class of the
 * error.
 *
 * Seen from 1.123 to 2.41. Without it, the changes of such an execution are handed over again.
 */
export const isUnknownExecution = (error: unknown): boolean =>
	error instanceof Error && error.constructor.name === 'ExecutionNotFoundError';
