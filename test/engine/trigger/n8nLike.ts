import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	IDataObject,
	IHookFunctions,
	INode,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node';
import { credentialsHelper } from '../../support/engine/credentialsHelper';
import { keepWarnings } from '../../support/engine/keepWarnings';
import { n8nCore } from '../../support/engine/n8nCore';
import { oneNodeWorkflow, type Workflow } from '../../support/engine/oneNodeWorkflow';

const { HookContext, WebhookContext } = n8nCore;

/** One trigger in one workflow, as n8n keeps it. */
export interface TriggerSetup {
	credentials: { baseUrl: string; apiKey: string };
	parameters?: IDataObject;
	workflowId?: string;
	nodeName?: string;
	webhookId?: string;
	/** Base of production addresses, ending in `/webhook`. */
	webhookBaseUrl?: string;
	/** What the database holds as static data; it survives with the object. */
	database?: { staticData: string };
	/** The node as another process has loaded it. */
	trigger?: CommercePlatformTrigger;
}

/** How n8n takes in a delivery here. */
export interface Reception {
	/** How long creating the execution takes, ms. */
	creationMs?: number;
	/** Creating the execution fails. */
	fails?: () => boolean;
	/** Happens when the execution exists, and static data is saved next. */
	beforeSaving?: (answer: ServerResponse) => Promise<void>;
	/** Happens when static data is saved, and the answer goes out next. */
	afterSaving?: (answer: ServerResponse) => Promise<void>;
	/** n8n before 2.8 answers first, then saves static data, and creates the execution last. */
	answersFirst?: boolean;
}

type Hook = 'checkExists' | 'create' | 'delete';

const BASE = 'http://127.0.0.1:5678';
const OURS = new CommercePlatformTrigger();

/**
 * What n8n 2.41 does around a trigger, over n8n-core's own contexts: loads static data from the database,
 * calls the node, saves what changed, where and when n8n does.
 */
export class N8nLike {
	readonly database: { staticData: string };
	readonly executions: IDataObject[] = [];
	/** Everything the node logged with level warn. */
	readonly warnings: string[] = [];
	private server?: Server;

	constructor(
		readonly setup: TriggerSetup,
		readonly reception: Reception = {},
	) {
		this.database = setup.database ?? { staticData: '{}' };
	}

	get address(): string {
		const { webhookBaseUrl = `${BASE}/webhook`, webhookId = 'hook-1' } = this.setup;
		return `${webhookBaseUrl}/${webhookId}/webhook`;
	}

	/** The same database and workflow, with something about the trigger changed. */
	changed(change: Partial<TriggerSetup>): N8nLike {
		return new N8nLike({ ...this.setup, database: this.database, ...change }, this.reception);
	}

	async checkExists(): Promise<boolean> {
		return await this.hook('checkExists', 'trigger');
	}

	async create(): Promise<void> {
		await this.hook('create', 'trigger');
	}

	async delete(): Promise<void> {
		await this.hook('delete', 'internal');
	}

	/** Publishing, as n8n does it: create only where checkExists says no. */
	async publish(): Promise<void> {
		if (!(await this.checkExists())) await this.create();
	}

	/** "Listen for test event": create and delete share static data that is never saved. */
	async listen(): Promise<{ address: string; stop: () => Promise<void>; staticData: IDataObject }> {
		const workflow = this.workflow('{}');
		await this.call('create', workflow, 'manual', true);
		return {
			address: this.address.replace('/webhook/', '/webhook-test/'),
			stop: async () => void (await this.call('delete', workflow, 'internal', true)),
			staticData: workflow.staticData,
		};
	}

	/** Serves deliveries, on any free port unless one is given; gives the address to send them to. */
	async serve(port = 0): Promise<string> {
		this.server = createServer((request, response) => void this.receive(request, response));
		await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise<void>((resolve) =>
			this.server ? this.server.close(() => resolve()) : resolve(),
		);
	}

	/** What n8n hands to a hook of the node, for functions that take more than n8n gives. */
	hookContext(
		workflow = this.workflow(this.database.staticData),
		mode: WorkflowExecuteMode = 'trigger',
		isTest = false,
	): IHookFunctions {
		const context = new HookContext(
			workflow,
			this.node,
			this.additionalData(),
			mode,
			isTest ? 'manual' : 'activate',
			this.webhookData(isTest),
		);
		keepWarnings(context, this.warnings);
		return context;
	}

	private async hook(method: Hook, mode: WorkflowExecuteMode): Promise<boolean> {
		const workflow = this.workflow(this.database.staticData);
		const result = await this.call(method, workflow, mode, false);
		this.save(workflow);
		return result;
	}

	private async call(
		method: Hook,
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		isTest: boolean,
	): Promise<boolean> {
		const context = this.hookContext(workflow, mode, isTest);
		return await this.trigger.webhookMethods.default[method].call(context);
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const answer = expressLike(response);
		const incoming = Object.assign(request, { rawBody: Buffer.concat(chunks), body: {} });
		const workflow = this.workflow(this.database.staticData);
		const context = new WebhookContext(
			workflow,
			this.node,
			{ ...this.additionalData(), httpRequest: incoming, httpResponse: answer } as never,
			'webhook',
			this.webhookData(false),
			[],
			null,
		);
		keepWarnings(context, this.warnings);
		const result = await this.trigger.webhook.call(context);
		if (result.noWebhookResponse) return;
		if (this.reception.answersFirst) {
			answer.status(200).json(result.webhookResponse as object);
			this.save(workflow);
			await this.execute(workflow, result.workflowData?.[0]?.[0]?.json ?? {});
			return;
		}
		try {
			await this.execute(workflow, result.workflowData?.[0]?.[0]?.json ?? {});
			await this.reception.beforeSaving?.(response);
			this.save(workflow);
			await this.reception.afterSaving?.(response);
			answer.status(200).json(result.webhookResponse as object);
		} catch {
			answer.status(500).json({ message: 'There was a problem executing the workflow' });
		}
	}

	/** Making the execution makes a second Workflow over the same static data, which resets its flag. */
	private async execute(workflow: Workflow, item: IDataObject): Promise<void> {
		(workflow.staticData as { __dataChanged: boolean }).__dataChanged = false;
		await new Promise((resolve) => setTimeout(resolve, this.reception.creationMs ?? 5));
		if (this.reception.fails?.()) throw new Error('The database is not there');
		this.executions.push(item);
	}

	private save(workflow: Workflow): void {
		if ((workflow.staticData as { __dataChanged: boolean }).__dataChanged) {
			this.database.staticData = JSON.stringify(workflow.staticData);
		}
	}

	private get trigger(): CommercePlatformTrigger {
		return this.setup.trigger ?? OURS;
	}

	private get node(): INode {
		const {
			parameters = {},
			nodeName = 'Commerce Platform Trigger',
			webhookId = 'hook-1',
		} = this.setup;
		return {
			id: 'node-1',
			name: nodeName,
			type: 'test.trigger',
			typeVersion: this.trigger.description.version as number,
			position: [0, 0],
			webhookId,
			parameters: { events: ['order.paid'], ...parameters } as INode['parameters'],
			credentials: { commercePlatformApi: { id: 'credential-1', name: 'Shop' } },
		};
	}

	private workflow(staticData: string): Workflow {
		return oneNodeWorkflow(
			{ id: this.setup.workflowId, name: 'Orders' },
			this.node,
			this.trigger,
			staticData,
		);
	}

	private webhookData(isTest: boolean): IWebhookData {
		return {
			httpMethod: 'POST',
			node: this.node.name,
			path: 'hook-1/webhook',
			webhookDescription: this.trigger.description.webhooks?.[0],
			workflowId: this.setup.workflowId ?? 'workflow-1',
			isTest,
		} as unknown as IWebhookData;
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		const { webhookBaseUrl = `${BASE}/webhook` } = this.setup;
		return {
			credentialsHelper: credentialsHelper(this.setup),
			webhookBaseUrl,
			webhookTestBaseUrl: webhookBaseUrl.replace(/webhook$/, 'webhook-test'),
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
	}
}

/** The two methods of Express that n8n and the node use. */
function expressLike(response: ServerResponse) {
	const express = Object.assign(response, {
		status: (code: number) => {
			response.statusCode = code;
			return express;
		},
		json: (body: object) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
			return express;
		},
	});
	return express;
}
