import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import type { IHttpRequestMethods } from 'n8n-workflow';

import type { TestEnvironment } from '../../test/support/environment/testEnvironment';
import type { N8nProcess } from '../../test/support/n8n/n8n-process';
import type { Credential, Workflow } from '../../test/support/n8n/types';
import { chain, noOperation, shopTrigger } from '../../test/support/n8n/workflows';
import { loopbackServer } from '../../platform/support/loopbackServer';
import { LOOPBACK } from '../../platform/support/ports';
import type { Sending, SimulatedPlatform } from './platform';
import { EPOCH_MS, Timeline } from './timeline';
import { SimulatedWorkflow, type TriggerParameters } from './workflow';
import type { N8n } from './world';

/** Time for main to notice the effect of a command, ms. */
const TAKEN_UP_MS = 2_500;

/** Time for n8n to finish a delivery whose sender has hung up, ms. */
const UNHEARD_MS = 1_000;

const DELIVERY_NO = /"no":(\d+)/;

/** The time of a story against a real n8n. It stands still until everything that was begun has ended. */
export class StoryTime extends Timeline {
	private readonly begun = new Set<Promise<unknown>>();

	doing<T>(work: Promise<T>): Promise<T> {
		const ended = work.finally(() => this.begun.delete(ended));
		this.begun.add(ended);
		return ended;
	}

	protected override async settle(): Promise<void> {
		await super.settle();
		while (this.begun.size > 0) {
			await Promise.all(this.begun);
			await super.settle();
		}
	}
}

/** Everything that stories need to be played against a real n8n. */
export interface Stage {
	environment: TestEnvironment;
	/** The main process, then the webhook processors. */
	processes: N8nProcess[];
	/** The address that deliveries are sent to. */
	url: string;
	/** The credential for the platform of the present story. */
	credential: Credential;
	/** The platform that answers n8n's requests. */
	platform?: SimulatedPlatform;
	close(): Promise<void>;
}

/** Serves the simulated platform's API to a real n8n. */
export async function setStage(
	environment: TestEnvironment,
	processors: N8nProcess[] = [],
	url = environment.n8n.url,
): Promise<Stage> {
	const api = await loopbackServer((incoming, outgoing) => {
		void text(incoming).then((body) => {
			const { method, url: path = '', headers } = incoming;
			const { statusCode, body: answer } = stage.platform!.api({
				method: method as IHttpRequestMethods,
				url: path,
				body,
				headers: { 'Idempotency-Key': headers['idempotency-key'] },
			});
			outgoing.writeHead(statusCode, { 'content-type': 'application/json' });
			outgoing.end(Buffer.concat(answer));
		});
	});
	const access = { baseUrl: `http://${api.address}/v1`, apiKey: 'key' };
	const credential = await environment.client.createShopCredential('Stories', access);
	const processes = [environment.n8n, ...processors];
	const close = async () => {
		await api.close();
		await environment.close();
	};
	const stage: Stage = { environment, processes, url, credential, close };
	return stage;
}

/** A real n8n, used instead of the simulated one. */
export class RealN8n implements N8n {
	readonly ways = { proxyHolds: false };
	readonly workflows: SimulatedWorkflow[] = [];
	readonly processes;
	readonly offset = { ms: 0 };
	readonly away = { database: 0, redis: 0, credentials: 0, slow: 0 };
	/** Actions of users run one after the other. */
	private work: Promise<void> = Promise.resolve();

	constructor(
		private readonly stage: Stage,
		private readonly time: StoryTime,
		private readonly note: (text: string) => void,
	) {
		this.processes = stage.processes.map((_, index) => ({
			name: index === 0 ? 'main' : `processor ${index}`,
			time: { stalledUntilMs: 0 },
		}));
	}

	private get client() {
		return this.stage.environment.client;
	}

	/** Creates a workflow with the trigger and does not publish it. */
	async add({ events, options }: TriggerParameters): Promise<SimulatedWorkflow> {
		const nodes = [shopTrigger('Trigger', { events, options }), noOperation('Done')];
		const file = chain('Story', this.stage.credential, nodes);
		return this.addWorkflow(await this.client.createWorkflow(file), { events, options });
	}

	async publish(workflow: SimulatedWorkflow, change: () => void): Promise<void> {
		await this.inTurn(async () => {
			const { id, nodeName, parameters } = workflow;
			change();
			const isChanged = workflow.nodeName !== nodeName || workflow.parameters !== parameters;
			if (isChanged)
				await this.client.changeNode(id, nodeName, (node) => {
					node.name = workflow.nodeName;
					node.parameters = { ...workflow.parameters };
				});
			else if ((await this.client.getWorkflow(id)).active) await this.client.deactivate(id);
			await this.client.activate(id);
		});
	}

	async unpublish({ id }: SimulatedWorkflow): Promise<void> {
		await this.inTurn(async () => await this.client.deactivate(id));
	}

	async duplicate({ id, parameters, nodeName }: SimulatedWorkflow): Promise<void> {
		await this.inTurn(async () => {
			const copy = this.addWorkflow(await this.client.duplicate(id), parameters);
			copy.nodeName = nodeName;
			await this.client.activate(copy.id);
		});
	}

	/** Imports, by n8n's command line, the workflow as it is, or as it was before it was published. */
	restore({ id }: SimulatedWorkflow, x: number): void {
		void this.inTurn(async () => {
			const { n8n } = this.stage.environment;
			// An export has no active version. With one, the workflow would stay published.
			const stored = { ...(await this.client.getWorkflow(id)), activeVersion: undefined };
			const file = join(n8n.userFolder, 'export.json');
			writeFileSync(file, JSON.stringify([x < 0.5 ? { ...stored, staticData: null } : stored]));
			await n8n.run('import:workflow', `--input=${file}`);
			await wait(TAKEN_UP_MS);
		});
	}

	kill(index: number, downMs: number): void {
		this.end(index, downMs, 'kill');
	}

	restart(index: number, downMs: number): void {
		this.end(index, downMs, 'stop');
	}

	private end(index: number, downMs: number, how: 'kill' | 'stop'): void {
		const process = this.stage.processes[index];
		void this.time.doing(process[how]());
		this.time.after(downMs, () => void this.time.doing(process.start()));
	}

	/** Sends it to the process. @returns the status that its sender hears */
	async take(sending: Sending): Promise<number | undefined> {
		const { length } = this.stage.processes;
		const index = Math.min(Math.max(sending.process ?? 0, length > 1 ? 1 : 0), length - 1);
		return await this.time.doing(this.send(sending, this.stage.processes[index].port));
	}

	private async send(sending: Sending, port: number): Promise<number | undefined> {
		const { url, delivery, headers, patienceMs } = sending;
		// Timestamps are not signed, so a story of many minutes can be sent within one minute.
		const aheadS = Math.round((Date.now() - EPOCH_MS - this.time.nowMs) / 1000);
		const timed = Object.entries(headers).map(([name, value]) =>
			name.endsWith('-timestamp') ? [name, String(Number(value) + aheadS)] : [name, value],
		);
		const allHeaders = { 'content-type': 'application/json', ...Object.fromEntries(timed) };
		const { pathname: path } = new URL(url);
		const options = {
			host: LOOPBACK,
			port,
			path,
			method: 'POST',
			headers: allHeaders,
			agent: false,
		};
		// n8n can answer a repeat before the sender hangs up.
		const hears = patienceMs >= UNHEARD_MS;
		const status = await new Promise<number | undefined>((resolve) => {
			const request = httpRequest(options, (response) => {
				response.resume().once('end', () => resolve(hears ? response.statusCode : undefined));
			});
			request.once('error', () => resolve(hears ? 502 : undefined));
			request.once('finish', () => {
				if (!hears) setTimeout(() => request.destroy(), patienceMs);
			});
			request.end(delivery.body);
		});
		if (status === undefined) await wait(UNHEARD_MS);
		return status;
	}

	/** The numbers of the executed deliveries, one entry per execution. */
	async executed({ id }: SimulatedWorkflow): Promise<number[]> {
		const ended = await this.client.finishedExecutions(id, 0);
		return ended.map(({ raw }) => Number(DELIVERY_NO.exec(raw)?.[1]));
	}

	private addWorkflow({ id, nodes }: Workflow, parameters: TriggerParameters): SimulatedWorkflow {
		const address = `${this.stage.url}/webhook/${nodes[0].webhookId}/webhook`;
		const workflow = new SimulatedWorkflow(id, parameters, address);
		this.workflows.push(workflow);
		return workflow;
	}

	private async inTurn(work: () => Promise<void>): Promise<void> {
		this.work = this.work
			.then(work)
			.catch((error: Error) => this.note(`n8n refuses: ${error.message}`));
		await this.time.doing(this.work);
	}
}
