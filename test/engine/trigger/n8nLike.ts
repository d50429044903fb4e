import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { IDataObject, IWebhookData, WorkflowExecuteMode } from 'n8n-workflow';

import { HostedTrigger, type HostedSetup } from '../../support/engine/hostedTrigger';
import type { ShopAccess } from '../../support/engine/credentialsHelper';
import { n8nCore } from '../../support/engine/n8nCore';
import { CommercePlatformTrigger } from '../../../nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.ts';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { freePort, LOOPBACK } from '../../../platform/support/ports';
import { API_KEY, BASE_URL } from '../../support/testShop';

const { HookContext, WebhookContext } = n8nCore;

export interface TriggerSetup extends Partial<HostedSetup> {
	/** Base of production addresses, ending in `/webhook`. */
	webhookBaseUrl?: string;
}

const BASE = 'http://127.0.0.1:5678/webhook';
/** How long creating an execution takes. ms. */
const EXECUTION_MS = 20;
const OURS = new CommercePlatformTrigger();
/** Each trigger gets an address that no other has used. */
let count = 0;
/** Servers of the running test; they close when it ends. */
const servers: Array<Awaited<ReturnType<typeof loopbackServer>>> = [];

// Outside of a test the server lives as long as its process.
globalThis.afterEach?.(async () => {
	for (const server of servers.splice(0)) await server.close();
});

/** A trigger whose addresses on this machine the platform can reach. */
export async function served(
	{ baseUrl, apiKey }: ShopAccess,
	parameters: IDataObject = {},
): Promise<N8nLike> {
	const port = await freePort();
	const webhookBaseUrl = `http://${LOOPBACK}:${port}/webhook`;
	const n8n = new N8nLike({ credentials: { baseUrl, apiKey }, webhookBaseUrl, parameters });
	await n8n.serve(port);
	return n8n;
}

/**
 * What n8n 2.41 does around a trigger, on n8n-core's own contexts: it loads static data from the database, calls the
 * node, and saves the changes, where and when n8n does.
 */
export class N8nLike extends HostedTrigger<TriggerSetup & HostedSetup> {
	readonly executions: IDataObject[] = [];
	/** The workflow of "Listen for test event"; its static data is never saved. */
	private test?: ReturnType<N8nLike['load']>;

	constructor(setup: TriggerSetup) {
		const parameters = { events: ['order.paid'], getFullRecord: false, ...setup.parameters };
		const credentials = { baseUrl: BASE_URL, apiKey: API_KEY };
		super({ webhookId: `hook-${++count}`, credentials, ...setup, parameters }, OURS);
	}

	get address(): string {
		const { webhookBaseUrl = BASE, webhookId } = this.setup;
		// Without an ID, n8n makes the address of the workflow's ID and the node's name.
		const path = webhookId ?? `${this.setup.workflowId}/${encodeURIComponent(this.node.name)}`;
		return `${webhookBaseUrl}/${path}/webhook`;
	}

	/** The same database and workflow, with a change to the trigger. */
	changed(change: Partial<TriggerSetup>): N8nLike {
		return new N8nLike({ ...this.setup, database: this.database, ...change });
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

	/** Publishes as n8n does: calls create only if checkExists returns false. */
	async publish(): Promise<void> {
		if (!(await this.checkExists())) await this.create();
	}

	/** Listens for a test event: create and delete share the static data. */
	async listen(): Promise<{ address: string; stop: () => Promise<unknown> }> {
		const workflow = (this.test = this.load('{}'));
		await this.hook('create', 'manual', workflow);
		return {
			address: this.address.replace('/webhook/', '/webhook-test/'),
			stop: async () => await this.hook('delete', 'internal', workflow),
		};
	}

	/** Serves deliveries, on `port` or any free one. @returns the address for deliveries */
	async serve(port?: number): Promise<string> {
		const server = await loopbackServer(
			(request, response) => void this.receive(request, response),
			port,
		);
		servers.push(server);
		return `http://${server.address}`;
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
		const data = this.webhookData(isTest);
		const context = new HookContext(workflow, this.node, this.addresses(), mode, activation, data);
		const result = await OURS.webhookMethods.default[method].call(this.logged(context));
		if (!isTest) this.save(workflow);
		return result;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const answer = expressLike(response);
		const httpRequest = Object.assign(request, { rawBody: await buffer(request), body: {} });
		const test = request.url?.startsWith('/webhook-test/') ? this.test : undefined;
		const workflow = test ?? this.load();
		const data = { ...this.addresses(), httpRequest, httpResponse: answer } as never;
		const hook = this.webhookData(test !== undefined);
		const mode = test ? 'manual' : 'webhook';
		const context = new WebhookContext(workflow, this.node, data, mode, hook, [], null);
		const result = await OURS.webhook.call(this.logged(context));
		if (result.noWebhookResponse) {
			if (!test) this.save(workflow);
			return;
		}
		// To create the execution, n8n makes a second Workflow over the same static data, which resets the flag.
		(workflow.staticData as { __dataChanged?: boolean }).__dataChanged = false;
		await new Promise((resolve) => setTimeout(resolve, EXECUTION_MS));
		this.executions.push(result.workflowData?.[0]?.[0]?.json ?? {});
		if (!test) this.save(workflow);
		answer.status(200).json(result.webhookResponse as object);
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

/** The two methods of Express's response that n8n and the node use. */
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
