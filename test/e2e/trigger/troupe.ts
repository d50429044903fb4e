import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';

import type { Workflow } from '../n8n/types';
import type { Stage } from '../stage';
import { until } from '../until';
import { chain, noOperation, shopTrigger } from '../workflows';

/** A workflow with our trigger, and what is to be true of it. */
export interface Actor {
	id: string;
	published: boolean;
	events: string[];
	triggerName: string;
	webhookId: string;
}

const CHOICES = ['order.created', 'order.paid', 'order.fulfilled', 'order.cancelled'];

interface StoredWorkflow extends Workflow {
	staticData?: object | null;
}

/** The workflows of a random play, and everything that may happen to them. */
export class Troupe {
	readonly actors: Actor[] = [];
	private renames = 0;

	constructor(
		private readonly stage: Stage,
		private readonly random: () => number,
	) {}

	/** A workflow that is not published yet. */
	async add(): Promise<Actor> {
		const events = this.someEvents();
		const { id, nodes } = await this.stage.client.createWorkflow(
			chain(`Actor ${this.actors.length + 1}`, this.stage.credential, [
				shopTrigger('Trigger', { events }),
				noOperation('Done'),
			]),
		);
		return this.keep({ id, published: false, events, ...triggerOf(nodes) });
	}

	async publish(actor: Actor): Promise<void> {
		await this.stage.client.activate(actor.id);
		actor.published = true;
	}

	async unpublish(actor: Actor): Promise<void> {
		await this.stage.client.deactivate(actor.id);
		actor.published = false;
	}

	/** Other events; an active workflow is published again. */
	async edit(actor: Actor): Promise<void> {
		actor.events = this.someEvents();
		await this.change(actor, (trigger) => {
			trigger.parameters.events = actor.events;
		});
	}

	/** Another name for the node; static data is kept under the old one. */
	async rename(actor: Actor): Promise<void> {
		const name = `Trigger ${++this.renames}`;
		await this.change(actor, (trigger) => {
			trigger.name = name;
		});
		actor.triggerName = name;
	}

	/** A copy with all that a copy can inherit, static data included; published. */
	async duplicate(actor: Actor): Promise<Actor> {
		const original = await this.stored(actor);
		const webhookId = randomUUID();
		const nodes = original.nodes.map((node) =>
			node.webhookId === undefined ? node : { ...node, webhookId },
		);
		const { name, connections, settings, staticData } = original;
		const copy = await this.stage.client.rest.send<Workflow>('POST', '/workflows', {
			name: `${name} copy`,
			nodes,
			connections,
			settings,
			staticData,
		});
		const added = this.keep({ ...actor, id: copy.id, published: false, webhookId });
		await this.publish(added);
		return added;
	}

	/** "Listen for test event", beside whatever is published; ended by Cancel. Gives the addresses meanwhile. */
	async listen(actor: Actor): Promise<string[]> {
		await this.stage.client.rest.send('POST', `/workflows/${actor.id}/run`, {
			triggerToStartFrom: { name: actor.triggerName },
		});
		const meanwhile = await this.addresses();
		await this.stage.client.rest.send('DELETE', `/test-webhook/${actor.id}`);
		// n8n answers before it has removed the endpoint.
		await until('the test endpoint to go', 60_000, async () => {
			const left = (await this.addresses()).filter((url) => url.includes('/webhook-test/'));
			return left.length === 0 ? true : undefined;
		});
		return meanwhile;
	}

	private async addresses(): Promise<string[]> {
		return (await this.stage.platform.control.endpoints()).map(({ url }) => url);
	}

	/** The endpoint vanishes from the platform; then the workflow is published again. */
	async loseEndpoint(actor: Actor): Promise<void> {
		const url = this.addressOf(actor);
		const { control, baseUrl, apiKey } = this.stage.platform;
		const [endpoint] = (await control.endpoints()).filter((one) => one.url === url);
		await fetch(`${baseUrl}/webhooks/${endpoint.id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${apiKey}` },
		});
		await this.unpublish(actor);
		await this.publish(actor);
	}

	/** n8n is killed while it publishes; what came of it is looked up, and published again. */
	async killWhilePublishing(actor: Actor, afterMs: number): Promise<void> {
		const { versionId } = await this.stage.client.getWorkflow(actor.id);
		const activation = this.stage.client.rest
			.send('POST', `/workflows/${actor.id}/activate`, { versionId })
			.catch(() => undefined);
		await new Promise((resolve) => setTimeout(resolve, afterMs));
		await this.kill();
		await activation;
		await this.unpublish(actor);
		await this.publish(actor);
	}

	async restart(): Promise<void> {
		await this.stage.n8n.restart();
		await this.stage.client.logIn(this.stage.owner);
	}

	async kill(): Promise<void> {
		await this.stage.n8n.kill();
		await this.stage.n8n.start();
		await this.stage.client.logIn(this.stage.owner);
	}

	addressOf(actor: Actor): string {
		return `${this.stage.n8n.url}/webhook/${actor.webhookId}/webhook`;
	}

	private someEvents(): string[] {
		const some = CHOICES.filter(() => this.random() < 0.5);
		return some.length > 0 ? some : ['order.paid'];
	}

	private async change(actor: Actor, edit: (trigger: INode) => void): Promise<void> {
		const workflow = await this.stored(actor);
		const trigger = workflow.nodes.find(({ name }) => name === actor.triggerName)!;
		const { [actor.triggerName]: links, ...others } = workflow.connections;
		edit(trigger);
		await this.stage.client.rest.send('PATCH', `/workflows/${actor.id}`, {
			nodes: workflow.nodes,
			connections: { ...others, [trigger.name]: links },
			versionId: workflow.versionId,
		});
		if (actor.published) await this.stage.client.activate(actor.id);
	}

	private async stored(actor: Actor): Promise<StoredWorkflow> {
		return await this.stage.client.getWorkflow(actor.id);
	}

	private keep(actor: Actor): Actor {
		this.actors.push(actor);
		return actor;
	}
}

function triggerOf(nodes: INode[]): { triggerName: string; webhookId: string } {
	const [{ name, webhookId = '' }] = nodes;
	return { triggerName: name, webhookId };
}
