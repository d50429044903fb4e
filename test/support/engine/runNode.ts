import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	IRun,
	NodeHint,
	OnError,
	Workflow,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { ShopAccess } from './credentialsHelper';
import { n8nCore } from './n8nCore';
import { RESULT_NODE, workflowOf } from './workflow';

const { DirectoryLoader, RoutingNode, WorkflowExecute } = n8nCore;

export interface NodeRun {
	/** Parameters of the Commerce Platform node. */
	parameters: IDataObject;
	/** Input items; one empty item, if absent. */
	items?: IDataObject[];
	credentials?: ShopAccess;
	onError?: OnError;
	retryOnFail?: { maxTries: number; waitBetweenTries?: number };
	executionId?: string;
	/** Runs the node by n8n's RoutingNode, as n8n does for AI tools. */
	routingNode?: boolean;
	/** Another node than ours, for comparisons. */
	nodeType?: INodeType;
	/** Version of that other node, if it has several. */
	typeVersion?: number;
	/** The type's name; n8n gives its own nodes some rights by it. */
	typeName?: string;
	/** n8n's Loop Over Items around the node, one item at a time; the output is then the loop's. */
	loopedBy?: INodeType;
	/** A failed execution that this one retries, as n8n's Retry does: from the failed node, with what was stored. */
	retryOf?: IRun;
	/** Called with the running execution, e.g. to cancel it. */
	onStart?: (execution: { cancel: () => void }) => void;
}

/** What an error item says: its `error` as the message, and its `errorDetails`. */
export interface Failure extends IDataObject {
	message: string;
	description?: string;
}

export interface NodeResult {
	/** Items of the regular output. */
	items: INodeExecutionData[];
	/** The JSON of these items. */
	json: IDataObject[];
	/** The failure in each of them; undefined for an item that succeeded. */
	failures: Array<Failure | undefined>;
	/** Items of the error output, if the node has one. */
	errorItems: INodeExecutionData[];
	error?: Error & {
		description?: string | null;
		httpCode?: string | null;
		context?: IDataObject;
		failure?: unknown;
	};
	hints: NodeHint[];
	/** The texts of all hints. */
	hint: string;
	run: IRun;
}

/** Runs one of our nodes in n8n's own engine, after a start node. */
export async function runNode(options: NodeRun): Promise<NodeResult> {
	const nodeType = options.nodeType ?? actionNode(options.routingNode === true);
	const workflow = workflowOf(options, nodeType);
	const { retryOf } = options;
	const stored = retryOf && storedFor(retryOf, workflow);
	const execution = new WorkflowExecute(additionalData(options), 'manual', stored);
	await workflow.expression.acquireIsolate();
	try {
		const startNode = workflow.getNode('Start') ?? undefined;
		const running =
			stored === undefined
				? execution.run({ workflow, startNode })
				: execution.processRunExecutionData(workflow);
		options.onStart?.({ cancel: () => running.cancel() });
		return resultOf(await running);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/**
 * Runs one operation of the node.
 *
 * @param name e.g. `order.update`
 */
export async function runOperation(
	name: string,
	parameters: IDataObject = {},
	more: Partial<NodeRun> = {},
): Promise<NodeResult> {
	const [resource, operation] = name.split('.');
	return await runNode({ ...more, parameters: { resource, operation, ...parameters } });
}

/** n8n makes a node once, when it loads the package. */
const actionNodes = new Map<boolean, INodeType>();

/** The action node as n8n runs it: through customOperations, or with all operations left to n8n's RoutingNode. */
export function actionNode(routingNode: boolean): INodeType {
	const made = actionNodes.get(routingNode) ?? makeActionNode(routingNode);
	actionNodes.set(routingNode, made);
	return made;
}

function makeActionNode(routingNode: boolean): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- only if no other node is given
	const loaded = require('../../../nodes/CommercePlatform/CommercePlatform.node.ts') as {
		CommercePlatform: new () => INodeType;
	};
	const node = new loaded.CommercePlatform();
	// n8n adds its Request Options to declarative nodes when it loads them.
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	if (!routingNode) return node;
	delete node.customOperations;
	// n8n does the same with declarative nodes when it loads them.
	node.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, node).runNode()) ?? [];
	};
	return node;
}

/**
 * What n8n has stored of a failed execution, made ready for its retry with the workflow as it is now, as n8n's execution
 * service does.
 */
function storedFor({ data }: IRun, workflow: Workflow): IRun['data'] {
	const stored = JSON.parse(JSON.stringify(data)) as IRun['data'];
	const { resultData } = stored;
	resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
	delete resultData.error;
	delete resultData.lastNodeExecuted;
	for (const waiting of stored.executionData?.nodeExecutionStack ?? [])
		waiting.node = workflow.getNode(waiting.node.name) ?? waiting.node;
	return stored;
}

/** What an error item says; undefined for any other item. */
export const failureOf = ({ error, errorDetails }: IDataObject): Failure | undefined =>
	error === undefined ? undefined : { message: error as string, ...(errorDetails as IDataObject) };

function resultOf(run: IRun): NodeResult {
	const { resultData } = run.data;
	const task = resultData.runData[RESULT_NODE]?.at(-1);
	const output = task?.data?.main ?? [];
	const hints = task?.hints ?? [];
	const items = output[0] ?? [];
	return {
		items,
		json: items.map(({ json }) => json),
		failures: items.map(({ json }) => failureOf(json)),
		errorItems: output[1] ?? [],
		error: (task?.error ?? resultData.error) as NodeResult['error'],
		hints,
		hint: hints.map(({ message }) => message).join(' '),
		run,
	};
}
