import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { IDataObject, IWebhookData, WorkflowExecuteMode } from 'n8n-workflow';

import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node';
import { HostedTrigger, type HostedSetup } from '../../support/engine/hostedTrigger';
import { n8nCore } from '../../support/engine/n8nCore';

const { HookContext, WebhookContext } = n8nCore;

export interface TriggerSetup extends HostedSetup {
	/** Base of production addresses, ending in `/webhook`. */
	webhookBaseUrl?: string;
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

const BASE = 'http://127.0.0.1:5678/webhook';
const OURS = new CommercePlatformTrigger();

/**
 * What n8n 2.41 does around a trigger, over n8n-core's own contexts: loads static data from the database,
 * calls the node, saves what changed, where and when n8n does.
 */
export class N8nLike extends HostedTrigger<TriggerSetup> {
	readonly executions: IDataObject[] = [];
	private server?: Server;

	constructor(
		setup: TriggerSetup,
		readonly reception: Reception = {},
	) {
		const parameters = { events: ['order.paid'], ...setup.parameters };
		super({ webhookId: 'hook-1', ...setup, parameters }, OURS);
	}

	get address(): string {
		const { webhookBaseUrl = BASE, webhookId } = this.setup;
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
	async listen(): Promise<{ address: string; stop: () => Promise<unknown> }> {
		const workflow = this.load('{}');
		await this.hook('create', 'manual', workflow);
		return {
			address: this.address.replace('/webhook/', '/webhook-test/'),
			stop: async () => await this.hook('delete', 'internal', workflow),
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

	/** @param test the workflow of a test run, whose static data is not saved */
	private async hook(
		method: 'checkExists' | 'create' | 'delete',
		mode: WorkflowExecuteMode,
		test?: ReturnType<N8nLike['load']>,
	): Promise<boolean> {
		const isTest = test !== undefined;
		const workflow = test ?? this.load();
		const activation = isTest ? 'manual' : 'activate';
		const context = this.logged(
			new HookContext(
				workflow,
				this.node,
				this.addresses(),
				mode,
				activation,
				this.webhookData(isTest),
			),
		);
		const result = await OURS.webhookMethods.default[method].call(context);
		if (!isTest) this.save(workflow);
		return result;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const answer = expressLike(response);
		const httpRequest = Object.assign(request, { rawBody: await buffer(request), body: {} });
		const workflow = this.load();
		const data = { ...this.addresses(), httpRequest, httpResponse: answer } as never;
		const context = this.logged(
			new WebhookContext(workflow, this.node, data, 'webhook', this.webhookData(false), [], null),
		);
		const result = await OURS.webhook.call(context);
		if (result.noWebhookResponse) return;
		const item = result.workflowData?.[0]?.[0]?.json ?? {};
		if (this.reception.answersFirst) {
			answer.status(200).json(result.webhookResponse as object);
			this.save(workflow);
			await this.execute(workflow, item);
			return;
		}
		try {
			await this.execute(workflow, item);
			await this.reception.beforeSaving?.(response);
			this.save(workflow);
			await this.reception.afterSaving?.(response);
			answer.status(200).json(result.webhookResponse as object);
		} catch {
			answer.status(500).json({ message: 'There was a problem executing the workflow' });
		}
	}

	/** Making the execution makes a second Workflow over the same static data, which resets its flag. */
	private async execute(workflow: { staticData: object }, item: IDataObject): Promise<void> {
		(workflow.staticData as { __dataChanged: boolean }).__dataChanged = false;
		await new Promise((resolve) => setTimeout(resolve, this.reception.creationMs ?? 5));
		if (this.reception.fails?.()) throw new Error('The database is not there');
		this.executions.push(item);
	}

	private webhookData(isTest: boolean): IWebhookData {
		return {
			httpMethod: 'POST',
			node: this.node.name,
			path: 'hook-1/webhook',
			webhookDescription: OURS.description.webhooks?.[0],
			workflowId: this.setup.workflowId ?? 'workflow-1',
			isTest,
		} as unknown as IWebhookData;
	}

	private addresses() {
		const { webhookBaseUrl = BASE } = this.setup;
		const webhookTestBaseUrl = webhookBaseUrl.replace(/webhook$/, 'webhook-test');
		return this.additionalData({ webhookBaseUrl, webhookTestBaseUrl });
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
