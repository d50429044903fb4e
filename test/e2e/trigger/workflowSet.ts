import { setTimeout as wait } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import { apiClient } from '../../support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { chain, noOperation, shopTrigger } from '../../support/n8n/workflows';
import { until } from '../../support/until';

/** A workflow with our trigger, and what is to be true of it. */
export interface TriggerWorkflow {
	id: string;
	published: boolean;
	events: string[];
	triggerName: string;
	webhookId: string;
}

const CHOICES = ['order.created', 'order.paid', 'order.fulfilled', 'order.cancelled'];

/** The workflows of a random run, and everything that may happen to them. */
export class WorkflowSet {
	readonly all: TriggerWorkflow[] = [];
	private renames = 0;

	constructor(
		private readonly environment: TestEnvironment,
		private readonly random: () => number,
	) {}

	/** A workflow that is not published yet. */
	async add(): Promise<TriggerWorkflow> {
		const events = this.someEvents();
		const { id, nodes } = await this.environment.client.createWorkflow(
			chain(`Workflow ${this.all.length + 1}`, this.environment.credential, [
				shopTrigger('Trigger', { events }),
				noOperation('Done'),
			]),
		);
		return this.keep({ id, published: false, events, ...triggerOf(nodes) });
	}

	async publish(workflow: TriggerWorkflow): Promise<void> {
		await this.environment.client.activate(workflow.id);
		workflow.published = true;
	}

	async unpublish(workflow: TriggerWorkflow): Promise<void> {
		await this.environment.client.deactivate(workflow.id);
		workflow.published = false;
	}

	/** Other events; an active workflow is published again. */
	async edit(workflow: TriggerWorkflow): Promise<void> {
		workflow.events = this.someEvents();
		await this.change(workflow, (trigger) => {
			trigger.parameters.events = workflow.events;
		});
	}

	/** Another name for the node; static data is kept under the old one. */
	async rename(workflow: TriggerWorkflow): Promise<void> {
		const name = `Trigger ${++this.renames}`;
		await this.change(workflow, (trigger) => {
			trigger.name = name;
		});
		workflow.triggerName = name;
	}

	/** A copy with all that a copy can inherit, static data included; published. */
	async duplicate(workflow: TriggerWorkflow): Promise<TriggerWorkflow> {
		const { id, nodes } = await this.environment.client.duplicate(workflow.id);
		const added = this.keep({ ...workflow, id, published: false, ...triggerOf(nodes) });
		await this.publish(added);
		return added;
	}

	/** "Listen for test event", beside whatever is published; ended by Cancel. Gives the addresses meanwhile. */
	async listen(workflow: TriggerWorkflow): Promise<string[]> {
		await this.environment.client.listen(workflow.id, workflow.triggerName);
		const meanwhile = await this.addresses();
		await this.environment.client.rest.send('DELETE', `/test-webhook/${workflow.id}`);
		// n8n answers before it has removed the endpoint.
		await until('the test endpoint to go', 60_000, async () => {
			const left = (await this.addresses()).filter((url) => url.includes('/webhook-test/'));
			return left.length === 0 ? true : undefined;
		});
		return meanwhile;
	}

	private async addresses(): Promise<string[]> {
		return (await this.environment.platform.control.endpoints()).map(({ url }) => url);
	}

	/** The endpoint vanishes from the platform; then the workflow is published again. */
	async loseEndpoint(workflow: TriggerWorkflow): Promise<void> {
		const url = this.addressOf(workflow);
		const { platform } = this.environment;
		const [endpoint] = (await platform.control.endpoints()).filter((one) => one.url === url);
		await apiClient(platform).send(`/webhooks/${endpoint.id}`, { method: 'DELETE' });
		await this.unpublish(workflow);
		await this.publish(workflow);
	}

	/** n8n is killed while it publishes; what came of it is looked up, and published again. */
	async killWhilePublishing(workflow: TriggerWorkflow, afterMs: number): Promise<void> {
		const { versionId } = await this.environment.client.getWorkflow(workflow.id);
		const activation = this.environment.client.rest
			.send('POST', `/workflows/${workflow.id}/activate`, { versionId })
			.catch(() => undefined);
		await wait(afterMs);
		await this.kill();
		await activation;
		await this.unpublish(workflow);
		await this.publish(workflow);
	}

	async restart(): Promise<void> {
		await this.environment.n8n.restart();
	}

	async kill(): Promise<void> {
		await this.environment.n8n.kill();
		await this.environment.n8n.start();
	}

	addressOf(workflow: TriggerWorkflow): string {
		return `${this.environment.n8n.url}/webhook/${workflow.webhookId}/webhook`;
	}

	private someEvents(): string[] {
		const some = CHOICES.filter(() => this.random() < 0.5);
		return some.length > 0 ? some : ['order.paid'];
	}

	private async change(workflow: TriggerWorkflow, edit: (trigger: INode) => void): Promise<void> {
		await this.environment.client.changeNode(workflow.id, workflow.triggerName, edit);
		if (workflow.published) await this.environment.client.activate(workflow.id);
	}

	private keep(workflow: TriggerWorkflow): TriggerWorkflow {
		this.all.push(workflow);
		return workflow;
	}
}

function triggerOf(nodes: INode[]): { triggerName: string; webhookId: string } {
	const [{ name, webhookId = '' }] = nodes;
	return { triggerName: name, webhookId };
}
