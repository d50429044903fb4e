import {
	N8N_NODES_API_VERSION,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type IPollFunctions,
	type NodeApiError,
	NodeHelpers,
	type NodeOperationError,
} from 'n8n-workflow';

/*
 * What these nodes need from n8n beyond its documentation for nodes. Each comment says what it is for, in which versions
 * of n8n it was seen, and what happens in a version without it. Engine tests check it against n8n-core, and the matrix
 * of versions tries in each n8n what depends on it.
 */

/** The first n8n with everything that these nodes use. The latest addition is `@tool` in display options. */
const OLDEST_N8N = '1.87';

/** A field that is shown on a node and hidden on the AI tool that n8n makes of it, like Limit. */
const NOT_ON_TOOLS: INodeProperties = {
	displayName: 'Not on Tools',
	name: 'notOnTools',
	type: 'string',
	default: '',
	displayOptions: { show: { '@tool': [false] } },
};

// Says plainly that n8n is too old if it lacks something that these nodes use. n8n before 1.87 shows no field that asks
// for `@tool`, and silently ignores what a workflow holds for it: a list would stop at 50 whatever its Limit. n8n
// before 1.85 lacks `NodeConnectionTypes` and would say “Class could not be found”, as it does for every TypeError in a
// node's file. n8n shows any other error where the package is installed, and in its log.
if (!NodeHelpers.displayParameter({}, NOT_ON_TOOLS, { typeVersion: 1 }, null))
	throw new Error(
		`The Commerce Platform nodes need n8n ${OLDEST_N8N} or newer, and this n8n is older. Update n8n, then install the package again.`,
	);

/**
 * Whether n8n runs a node as a tool of an AI agent: then its type ends with “Tool”. An agent calls a tool any number of
 * times in one run, and its model sees only the message of an error.
 *
 * Seen from 1.88 to 2.41. Without it, a tool counts as a node: two calls that say the same have one key, and the model
 * does not see the description of an error.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/**
 * Whether n8n only adds to a credential what `preAuthentication` gives. Before 2.35 it also stored the present values of
 * the credential's expressions in their place: every item would go to the shop of the first one. n8n does not tell its
 * version to a node, so this looks for a constant that came later.
 *
 * Seen from 2.39 to 2.41, and not in 2.38. Without it, nothing is added to a credential, and the API key seals signing
 * secrets.
 */
export const addsToCredentials = (): boolean => typeof N8N_NODES_API_VERSION !== 'undefined';

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

/** Express's response to a webhook request, as far as it is used here. */
export interface WebhookAnswer {
	statusCode: number;
	/** The answer was given, whether or not the sender still listens. */
	writableEnded: boolean;
	once(event: 'finish', listener: () => void): unknown;
	status(code: number): WebhookAnswer;
	json(body: object): unknown;
}

/**
 * How n8n handles a webhook request until it has answered. n8n tells a node nothing after `webhook()` has returned,
 * so this class finds out by itself when n8n answers, and when it saves static data. What n8n does:
 *
 * - Before 2.8 (seen in 1.123, 2.0, 2.4, 2.6 and 2.7), n8n answers 200 as soon as `webhook()` has returned, saves
 *   static data if it was changed by then, and creates the execution last.
 * - From 2.8 on, n8n creates the execution, waits if too many run at once, saves static data if it was changed since it
 *   was created, and answers. If it cannot create the execution, it saves nothing and answers with an error.
 *
 * Seen from 1.88 to 2.41. Without it, n8n saves what the request has loaded, or nothing: after a restart, a repeat may
 * be executed again.
 */
export class WebhookHandling {
	private hasFinished = false;

	constructor(
		private readonly answer: WebhookAnswer,
		private readonly staticData: IDataObject,
	) {
		answer.once('finish', () => (this.hasFinished = true));
	}

	/** The status of the answer; undefined until it is given. If the sender has hung up, no `finish` event tells. */
	get status(): number | undefined {
		return this.hasFinished || this.answer.writableEnded ? this.answer.statusCode : undefined;
	}

	/**
	 * Fills static data at the moment when n8n saves it, which is when n8n turns it into JSON. Code that copies the
	 * object sees plain data.
	 *
	 * @param content is called then, and gives the fields to save beside those that are there
	 */
	whenSaved(content: () => IDataObject): void {
		const value = () => ({ ...this.staticData, ...content() });
		const hidden = { value, enumerable: false, configurable: true };
		Object.defineProperty(this.staticData, 'toJSON', hidden);
	}

	/**
	 * Makes n8n save static data. n8n watches the object, and takes it for changed when any property is set, even to the
	 * same value. When n8n creates the execution it forgets that, so a caller asks again and again.
	 */
	askForSave(property: string): void {
		this.staticData[property] = this.staticData[property] ?? {};
	}
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
 * Whether n8n itself began with this trigger, at its start, and not a person by publishing. n8n gives up a trigger whose
 * first poll fails, after some tries at once: it polls no more, although the workflow is published. So at a start, a
 * poll that fails is handed over as a failed execution, as n8n does with all later ones.
 *
 * Seen from 1.88 to 2.41. Without it, n8n tries again by itself or gives up, as its version does.
 */
export const isStart = (context: IPollFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

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

/**
 * Marks an item as failed, so that n8n gives it to the error output. n8n knows such an item by its property `error`. It
 * replaces the JSON of each item that still has that property afterwards, but it copies the items of the error output,
 * and a copy lacks what is not enumerable.
 *
 * Seen from 1.88 to 2.41. Without it, n8n takes an item for failed only if its JSON holds `error` alone, so this one
 * would come out of the regular output.
 */
export function markAsErrorItem(
	item: INodeExecutionData,
	error: NodeApiError | NodeOperationError,
): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: error, enumerable: false, writable: true });
}

/**
 * The data of a node's credential as it was entered, with its expressions unresolved. `getCredentials` asks n8n's
 * database each time, so it is asked once for a run where nothing of the credential can differ between items.
 *
 * Seen from 1.88 to 2.41. Without it, the credential is asked for each item.
 *
 * @returns undefined if n8n does not give it
 */
export async function rawCredentialOf(context: object, type: string): Promise<unknown> {
	const { additionalData, node, mode, executeData } = context as {
		additionalData?: {
			credentialsHelper?: { getDecrypted?(...args: unknown[]): Promise<unknown> };
		};
		node?: INode;
		mode?: unknown;
		executeData?: unknown;
	};
	const entered = node?.credentials?.[type];
	const { credentialsHelper } = additionalData ?? {};
	try {
		const isRaw = true;
		return await credentialsHelper?.getDecrypted?.(
			additionalData,
			entered,
			type,
			mode,
			executeData,
			isRaw,
		);
	} catch {
		return undefined;
	}
}
