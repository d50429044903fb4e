import type { IDataObject, INode, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/*
 * What these nodes need of n8n beyond what it documents for nodes. Each says what it is for, in which versions of n8n
 * it was seen, and what happens where it is gone. Engine tests hold them against n8n-core, and the matrix of versions
 * tries what they serve in each n8n.
 */

/**
 * Whether n8n runs a node as a tool of an AI agent: it adds “Tool” to the name of the type. A tool is called any number of
 * times in one run, and a model sees an error's message alone.
 *
 * Seen from 1.88 to 2.41. Where it is gone, a tool counts as a node: two calls that say the same have one key, and the
 * model does not see the description of an error.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/**
 * The same context with another signal to cancel by. n8n's request helper takes the signal of its `this`, where that has
 * one, instead of the request's own.
 *
 * Seen from 1.88 to 2.41. Where it is gone, a request that takes too long ends for the node, and goes on unseen.
 */
export const withCancelSignal = <Context extends object>(
	context: Context,
	signal: AbortSignal | undefined,
): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

/**
 * Fills static data with what is known at the moment in which n8n saves it: n8n turns it into JSON then. For everyone who
 * copies it, it stays plain data.
 *
 * Seen from 1.88 to 2.41. Where it is gone, n8n saves what the request has loaded: a repeat may be executed again after
 * a restart.
 */
export function fillWhenSaved(staticData: IDataObject, fill: () => IDataObject): void {
	const hidden = { value: fill, enumerable: false, configurable: true };
	Object.defineProperty(staticData, 'toJSON', hidden);
}

/**
 * Makes n8n save static data. It watches the object, and takes it for changed when any of its properties is set, to whatever
 * value.
 *
 * Seen from 1.88 to 2.41. Where it is gone, n8n does not save, as in {@link fillWhenSaved}.
 */
export function markAsChanged(staticData: IDataObject, property: string): void {
	staticData[property] = staticData[property] ?? {};
}

/**
 * Whether n8n watches static data for changes, by a mark that it bears. Where it does not, n8n stores what a node remembers
 * together with the execution (“durable cursors”), and a poll works on a copy of its own.
 *
 * Seen in 2.40 and 2.41; before, all static data is watched. Where it is gone, {@link pollBudgetOf} decides alone.
 */
export const isWatched = (staticData: IDataObject): boolean => '__dataChanged' in staticData;

/**
 * How long n8n lets a poll run.
 *
 * Seen in 2.40 and 2.41. Where it is gone, n8n does not end polls, and the caller's own bound holds.
 *
 * @returns ms; undefined if n8n does not name it
 */
export const pollBudgetOf = (context: IPollFunctions): number | undefined =>
	(context.getPollBudgetMs as (() => number) | undefined)?.call(context);

/**
 * Hands items to n8n as a poll's result does, with a promise of what becomes of the execution: it gives no run where n8n has
 * made none. A poll that returns its items never learns that.
 *
 * Seen from 1.88 to 2.41. Where it is gone, the poll fails with n8n's error, and keeps its place: nothing is lost.
 */
export const emitWithOutcome = (
	context: IPollFunctions,
	items: INodeExecutionData[],
	outcome: Parameters<IPollFunctions['__emit']>[2],
): void => context.__emit([items], undefined, outcome);

/**
 * Whether an error says that n8n no longer knows an execution, which had come into being then. n8n does not export its class.
 *
 * Seen from 1.123 to 2.41. Where it is gone, the changes of such an execution are handed over again.
 */
export const isUnknownExecution = (error: unknown): boolean =>
	error instanceof Error && error.constructor.name === 'ExecutionNotFoundError';
