import 'reflect-metadata';

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
	NodeHint,
	OnError,
} from 'n8n-workflow';

// n8n-core writes an encryption key when it is loaded; it must not land in the user's own folder.
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_USER_FOLDER ??= join(
	tmpdir(),
	`commerce-platform-engine-${process.env.JEST_WORKER_ID ?? 'main'}`,
);
mkdirSync(process.env.N8N_USER_FOLDER, { recursive: true });

/* eslint-disable @typescript-eslint/no-require-imports -- the order matters: the folder first, then n8n-core */
const { DirectoryLoader, ExecutionLifecycleHooks, RoutingNode, WorkflowExecute } =
	require('n8n-core') as typeof import('n8n-core');
const { NodeConnectionTypes, Workflow } = require('n8n-workflow') as typeof import('n8n-workflow');
const { CommercePlatformApi } =
	require('../../credentials/CommercePlatformApi.credentials') as typeof import('../../credentials/CommercePlatformApi.credentials');
/* eslint-enable @typescript-eslint/no-require-imports */

export const TEST_API_KEY = 'cpk_test_0123456789';
export const TEST_BASE_URL = 'https://api.shop.example/v1';

export interface NodeRun {
	/** Parameters of the Commerce Platform node. */
	parameters: IDataObject;
	/** Input items; one empty item where it is left out. */
	items?: IDataObject[];
	credentials?: { baseUrl: string; apiKey: string };
	onError?: OnError;
	retryOnFail?: { maxTries: number; waitBetweenTries?: number };
	executionId?: string;
	workflowId?: string;
	nodeId?: string;
	/** Runs the node by n8n's RoutingNode, as n8n does for AI tools. */
	routingNode?: boolean;
	/** Another node than ours, for comparisons. */
	nodeType?: INodeType;
	typeVersion?: number;
	/** n8n grants its own nodes some things by this name. */
	typeName?: string;
	/** A node behind it, which then gives the result. */
	followedBy?: { nodeType: INodeType; parameters: IDataObject };
	/** Called with the running execution, e.g. to cancel it. */
	onStart?: (execution: { cancel: () => void }) => void;
}

export interface NodeResult {
	/** Items of the regular output. */
	items: INodeExecutionData[];
	/** Items of the error output, where the node has one. */
	errorItems: INodeExecutionData[];
	error?: Error & {
		description?: string | null;
		httpCode?: string | null;
		context?: IDataObject;
		failure?: unknown;
	};
	hints: NodeHint[];
	run: IRun;
}

/** Runs one node of ours in n8n's own engine, fed by a start node. */
export async function runNode(options: NodeRun): Promise<NodeResult> {
	const nodeType = options.nodeType ?? actionNode(options.routingNode === true);
	const workflow = workflowOf(options, nodeType);
	const execution = new WorkflowExecute(additionalData(options, workflow.id), 'manual');
	await workflow.expression.acquireIsolate();
	try {
		const running = execution.run({ workflow, startNode: workflow.getNode('Start') ?? undefined });
		options.onStart?.({ cancel: () => running.cancel() });
		return resultOf(await running);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** The action node, as n8n runs it: through customOperations, or with all operations left to its RoutingNode. */
function actionNode(routingNode: boolean): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- only where no other node is given
	const { CommercePlatform } = require('../../nodes/CommercePlatform/CommercePlatform.node') as {
		CommercePlatform: new () => INodeType;
	};
	const node = new CommercePlatform();
	// n8n adds its Request Options to declarative nodes when it loads them.
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	if (!routingNode) return node;
	delete node.customOperations;
	// The same that n8n does with declarative nodes when it loads them.
	node.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, node).runNode()) ?? [];
	};
	return node;
}

class StartNode implements INodeType {
	constructor(private readonly items: IDataObject[]) {}

	description = {
		displayName: 'Start',
		name: 'start',
		group: ['trigger' as const],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute = async () => [this.items.map((json) => ({ json }))];
}

const RESULT_NODE = 'Commerce Platform';

function workflowOf(options: NodeRun, nodeType: INodeType) {
	const typeName = options.typeName ?? 'test.node';
	const types: Record<string, INodeType> = {
		'test.start': new StartNode(options.items ?? [{}]),
		[typeName]: nodeType,
	};
	const parameters = (values: IDataObject) => values as INode['parameters'];
	const tested = options.followedBy === undefined ? RESULT_NODE : 'Before';
	const nodes: INode[] = [
		{
			id: 'start-1',
			name: 'Start',
			type: 'test.start',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: options.nodeId ?? 'node-1',
			name: tested,
			type: typeName,
			typeVersion: options.typeVersion ?? 1,
			position: [200, 0],
			parameters: parameters(options.parameters),
			credentials: { commercePlatformApi: { id: 'credential-1', name: 'Shop' } },
			onError: options.onError,
			...(options.retryOnFail === undefined
				? {}
				: { retryOnFail: true, waitBetweenTries: 0, ...options.retryOnFail }),
		},
	];
	const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });
	const connections: Record<string, ReturnType<typeof to>> = { Start: to(tested) };
	if (options.followedBy !== undefined) {
		types['test.next'] = options.followedBy.nodeType;
		nodes.push({
			id: 'next-1',
			name: RESULT_NODE,
			type: 'test.next',
			typeVersion: 1,
			position: [400, 0],
			parameters: parameters(options.followedBy.parameters),
		});
		connections[tested] = to(RESULT_NODE);
	}
	return new Workflow({
		id: options.workflowId ?? 'workflow-1',
		nodes,
		connections,
		active: false,
		nodeTypes: {
			getByName: (name: string) => types[name],
			getByNameAndVersion: (name: string) => types[name],
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
}

function additionalData(options: NodeRun, workflowId: string): IWorkflowExecuteAdditionalData {
	const executionId = options.executionId ?? 'execution-1';
	const hooks = new ExecutionLifecycleHooks('manual', executionId, {
		id: workflowId,
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [],
		connections: {},
	});
	const data: Partial<IWorkflowExecuteAdditionalData> & { hooks: typeof hooks } = {
		hooks,
		executionId,
		workflowId,
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1/',
		formBaseUrl: 'http://127.0.0.1/form',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		formTestBaseUrl: 'http://127.0.0.1/form-test',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		variables: {},
		credentialsHelper: credentialsHelper(
			options,
		) as unknown as IWorkflowExecuteAdditionalData['credentialsHelper'],
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** n8n's credentials helper without its database: the credential type is the real one. */
export function credentialsHelper(options: { credentials?: { baseUrl: string; apiKey: string } }) {
	const decrypted: ICredentialDataDecryptedObject = {
		...(options.credentials ?? { baseUrl: TEST_BASE_URL, apiKey: TEST_API_KEY }),
	};
	const { authenticate } = new CommercePlatformApi();
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...decrypted }),
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			requestOptions: IHttpRequestOptions,
		) =>
			typeof authenticate === 'function'
				? await authenticate(credentials, requestOptions)
				: requestOptions,
	};
}

function resultOf(run: IRun): NodeResult {
	const { resultData } = run.data;
	const task = resultData.runData[RESULT_NODE]?.at(-1);
	const output = task?.data?.main ?? [];
	return {
		items: output[0] ?? [],
		errorItems: output[1] ?? [],
		error: (task?.error ?? resultData.error) as NodeResult['error'],
		hints: task?.hints ?? [],
		run,
	};
}
