import {
	ObservableObject,
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestOptions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { Judge } from './judge';
import type { Sending, SimulatedPlatform } from './platform';
import type { LoadedTrigger, Sources } from './sources';
import { ProcessTime, type Timeline } from './timeline';

/** How an n8n may be set up. */
export interface N8nWays {
	/** n8n before 2.8 answers first, then saves static data, and creates the execution last. */
	answersFirst: boolean;
	/** Webhook processors of queue mode; none in regular mode, where the one main process does everything. */
	processors: number;
	/** A proxy keeps its connection to n8n when the sender has gone. */
	proxyHolds: boolean;
}

/** What one save of static data wrote. */
export interface Saved {
	text: string;
	/** Who is to be known as seen to whoever loads it. */
	holds: ReadonlySet<Received>;
	by?: SimulatedProcess;
	/** The sending that it was saved for. */
	own?: Received;
	landedMs?: number;
}

/** A workflow with the trigger. */
export class SimulatedWorkflow {
	nodeName = 'Trigger';
	parameters: { events: string[]; options: IDataObject };
	readonly address: string;
	isRouted = false;
	/** What the database holds. */
	row: Saved = { text: '{}', holds: new Set() };
	/** Everything that it has held. */
	readonly rows: Saved[] = [this.row];
	/** What n8n does to it happens one after the other. */
	work: Promise<unknown> = Promise.resolve();
	/** The last publishing went well, and nothing has come between. */
	isPublished = false;
	/** What it learned then was saved. */
	isSaved = false;
	/** When the removal of its endpoint was saved, before it was published the last time. */
	removedMs = 0;

	constructor(
		readonly id: string,
		options: IDataObject,
	) {
		this.parameters = { events: ['order.paid', 'order.created'], options };
		this.address = `https://n8n.example/webhook/hook-${id}/webhook`;
	}

	/** The record that somebody finds who loads this. */
	recordIn(text: string): { endpoint?: { id: string } | null; revision: number } | undefined {
		const data = JSON.parse(text) as Record<string, { record?: IDataObject } | undefined>;
		const record = data[`node:${this.nodeName}`]?.record;
		const isOwn = record?.address === this.address && record.workflowId === this.id;
		return isOwn ? (record as never) : undefined;
	}
}

/** One sending as n8n meets it. */
export interface Received extends Sending {
	workflow: SimulatedWorkflow;
	sentMs: number;
	process: number;
	at: SimulatedProcess;
	nodeName: string;
	loadedMs?: number;
	loaded?: Saved;
	/** The events that were selected then. */
	events?: readonly string[];
	/** When the node took it for a new delivery. */
	admittedMs?: number;
	answeredMs?: number;
	status?: number;
	reason?: string;
	/** The status that the sender heard. */
	heard?: number;
	/** The trigger was being published when it was admitted. */
	isEarly?: boolean;
	/** Its execution is stored. */
	isExecuted?: true;
	/** n8n answered 200 without an execution, which it documents. */
	isFalse?: true;
	/** What the clock of its process showed when it was answered. Unix ms. */
	answeredAtClock?: number;
	/** The clock was set while it was being received. */
	clockStepped?: true;
	/** n8n before 2.8 answered 200 and could not create the execution. */
	isLost?: true;
	/** A proxy keeps the connection when its sender has gone. */
	isHeld: boolean;
	/** Everything that was saved with its mark. */
	saves: Saved[];
}

/** A process of n8n, from its start to its end. */
export class SimulatedProcess {
	readonly trigger: LoadedTrigger;
	/** What it must know to be seen. */
	readonly known = new Set<Received>();
	readonly inFlight = new Set<Received>();
	/** Calls of those who must learn of its end. */
	readonly ends: Array<() => void> = [];
	isLeaving = false;
	endedMs = Infinity;
	/** When the last request here ended without having been saved. */
	unsavedMs = -Infinity;

	constructor(
		readonly name: string,
		readonly time: ProcessTime,
		sources: Sources,
	) {
		this.trigger = sources.load();
	}

	/** Work that is given up when this process ends. */
	async doing<T>(work: Promise<T>): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			this.ends.push(() => reject(new Error('the process ended')));
			work.then(resolve, reject);
		});
	}
}

interface StaticData extends IDataObject {
	__dataChanged: boolean;
}

/** What n8n does around the trigger, in all its processes. */
export class SimulatedN8n {
	readonly processes: SimulatedProcess[];
	readonly workflows: SimulatedWorkflow[] = [];
	readonly offset = { ms: 0 };
	/** Until when something is not as it should be, in ms of the schedule. */
	readonly away = { database: 0, redis: 0, credentials: 0, slow: 0 };
	platform!: SimulatedPlatform;
	private lastLandMs = 0;

	constructor(
		private readonly timeline: Timeline,
		private readonly sources: Sources,
		readonly ways: N8nWays,
		private readonly random: () => number,
		private readonly judge: Judge,
	) {
		const count = 1 + ways.processors;
		this.processes = Array.from({ length: count }, (_, i) => this.start(i));
	}

	/** A process begins. */
	private start(index: number): SimulatedProcess {
		const name = index === 0 ? 'main' : `processor ${index}`;
		const time = new ProcessTime(this.timeline, this.offset, this.random);
		return new SimulatedProcess(name, time, this.sources);
	}

	/** A process is killed; another takes its place after a while. */
	kill(index: number, downMs: number): void {
		const process = this.processes[index];
		if (!process.time.isAlive) return;
		process.time.isAlive = false;
		process.endedMs = this.timeline.nowMs;
		for (const end of process.ends) end();
		this.timeline.after(downMs, () => {
			this.processes[index] = this.start(index);
			if (index !== 0) return;
			for (const workflow of this.workflows) this.afterStart(workflow);
		});
	}

	/** A process takes no more requests, and ends when those that it has are done. */
	restart(index: number, downMs: number, waitMs = 30_000): void {
		const process = this.processes[index];
		process.isLeaving = true;
		if (process.inFlight.size === 0 || waitMs <= 0) return this.kill(index, downMs);
		this.timeline.after(100, () => {
			if (this.processes[index] === process) this.restart(index, downMs, waitMs - 100);
		});
	}

	/** n8n before 2.8 looks after its triggers when it starts; n8n takes up interrupted work after two minutes. */
	private afterStart(workflow: SimulatedWorkflow): void {
		if (!workflow.isRouted) return;
		if (this.ways.answersFirst)
			void this.inTurn(workflow, async () => await this.activate(workflow));
		else if (!workflow.isPublished)
			this.timeline.after(120_000, () => void this.publish(workflow, () => {}, true));
	}

	private async inTurn(workflow: SimulatedWorkflow, work: () => Promise<void>): Promise<void> {
		workflow.work = workflow.work.then(work).catch(() => undefined);
		await workflow.work;
	}

	/** Publishing: what was published is taken back first if it has changed. */
	async publish(
		workflow: SimulatedWorkflow,
		change: () => void,
		isInterrupted = false,
	): Promise<void> {
		await this.inTurn(workflow, async () => {
			if (isInterrupted && workflow.isPublished) return;
			if (workflow.isRouted) await this.deactivate(workflow).catch(() => undefined);
			change();
			for (let attempt = 0; attempt < 5 && !workflow.isPublished; attempt++) {
				await this.activate(workflow).catch(async (error: Error) => {
					this.judge.note(`publishing failed: ${error.message}`);
					await this.deactivate(workflow).catch(() => undefined);
				});
			}
			workflow.isRouted = true;
		});
	}

	async unpublish(workflow: SimulatedWorkflow): Promise<void> {
		await this.inTurn(workflow, async () => {
			await this.deactivate(workflow).catch(() => undefined);
			workflow.isRouted = false;
		});
	}

	/** An export is imported over the workflow: it has the state of then, and is not published. */
	restore(workflow: SimulatedWorkflow, row: Saved): void {
		this.land(workflow, { text: row.text, holds: row.holds });
		workflow.isRouted = false;
		workflow.isPublished = workflow.isSaved = false;
	}

	private async activate(workflow: SimulatedWorkflow): Promise<void> {
		const isSaved = await this.hook(workflow, async (process, context) => {
			workflow.isRouted = true;
			if (await process.trigger.endpointIsHealthy(context, process.time)) return false;
			await process.trigger.registerEndpoint(context, process.time);
			return true;
		});
		workflow.isPublished = true;
		workflow.isSaved = isSaved;
	}

	private async deactivate(workflow: SimulatedWorkflow): Promise<void> {
		workflow.isPublished = workflow.isSaved = false;
		await this.hook(workflow, async (process, context) => {
			await process.trigger.removeEndpoint(context, process.time);
			return false;
		});
		workflow.removedMs = this.timeline.nowMs;
	}

	/** n8n loads the workflow, calls the trigger, and saves static data. */
	private async hook(
		workflow: SimulatedWorkflow,
		call: (process: SimulatedProcess, context: IHookFunctions) => Promise<boolean>,
	): Promise<boolean> {
		let isSaved = false;
		while (!this.processes[0].time.isAlive) await this.timeline.wait(5_000);
		const process = this.processes[0];
		await process.doing(
			(async () => {
				await this.query(process);
				const staticData = this.load(process, workflow, workflow.row);
				const context = this.context(process, workflow, workflow.nodeName, staticData);
				const isReplaced = await call(process, context as IHookFunctions);
				// n8n logs that it could not save, and goes on.
				const save = this.save(process, workflow, staticData);
				isSaved = await save.then(
					() => true,
					() => false,
				);
				if (isReplaced && isSaved) this.judge.replaced(workflow);
			})(),
		);
		return isSaved;
	}

	/** A sending comes in; gives the status that its sender hears. */
	async take(sending: Sending): Promise<number | undefined> {
		const workflow = this.workflows.find(({ address }) => address === sending.url);
		const first = this.ways.processors === 0 ? 0 : 1;
		const any = first + Math.floor(this.random() * (this.processes.length - first));
		const index = Math.min(Math.max(sending.process ?? any, first), this.processes.length - 1);
		const at = this.processes[index];
		if (workflow === undefined) return 404;
		const { nodeName } = workflow;
		const sentMs = this.timeline.nowMs;
		const one: Received = {
			...sending,
			workflow,
			process: index,
			at,
			nodeName,
			sentMs,
			isHeld: this.ways.proxyHolds,
			saves: [],
		};
		return await new Promise((resolve) => {
			const answer = new Answer((status, reason) => {
				one.answeredMs = this.timeline.nowMs;
				one.status = status;
				one.reason = reason;
				at.inFlight.delete(one);
				this.judge.answered(one);
				this.timeline.after(1 + this.random() * 20, () => {
					if (answer.isAbandoned) return;
					answer.isAbandoned = true;
					one.heard = status;
					this.judge.heard(one);
					resolve(status);
				});
			});
			const hangUp = () => {
				if (answer.isAbandoned) return;
				answer.isAbandoned = true;
				this.judge.heard(one);
				resolve(undefined);
				if (!this.ways.proxyHolds)
					this.timeline.after(2, () => at.time.run(() => (answer.destroyed = true)));
			};
			this.timeline.after(sending.patienceMs, hangUp);
			this.timeline.after(1 + this.random() * 10, () => {
				if (!at.time.isAlive || at.isLeaving) return answer.give(502);
				at.ends.push(hangUp);
				at.inFlight.add(one);
				at.time.run(() => void this.receive(one, answer).catch(() => answer.give(500)));
			});
		});
	}

	private async receive(one: Received, answer: Answer): Promise<void> {
		const { at, workflow } = one;
		await this.query(at);
		if (!workflow.isRouted) return answer.give(404);
		one.nodeName = workflow.nodeName;
		one.loadedMs = this.timeline.nowMs;
		one.loaded = workflow.row;
		one.events = workflow.parameters.events;
		const staticData = this.load(at, workflow, workflow.row);
		const context = this.context(at, workflow, one.nodeName, staticData);
		const request = { headers: one.headers, rawBody: Buffer.from(one.delivery.body) };
		const calls = { getRequestObject: () => request, getResponseObject: () => answer };
		const result = await at.trigger.receiveDelivery(
			Object.assign(context, calls) as unknown as IWebhookFunctions,
			at.time,
		);
		if (!('workflowData' in result)) return;
		one.admittedMs = this.timeline.nowMs;
		one.isEarly = !workflow.isPublished;
		this.judge.admitted(one);
		// Making the execution makes a second Workflow over the same static data, which resets its flag.
		staticData.__dataChanged = this.ways.answersFirst && staticData.__dataChanged;
		if (this.ways.answersFirst) {
			answer.give(200);
			await this.save(at, workflow, staticData, one).catch(() => undefined);
			await this.execute(one).catch(() => (one.isLost = true));
			return;
		}
		try {
			await this.execute(one);
		} catch (error) {
			at.unsavedMs = this.timeline.nowMs;
			throw error;
		}
		await this.save(at, workflow, staticData, one).catch(
			() => (at.unsavedMs = this.timeline.nowMs),
		);
		answer.give(200);
	}

	/** Credentials are checked, and the execution is stored; in queue mode it gets its place in the queue. */
	private async execute(one: Received): Promise<void> {
		const isUnchecked = await this.query(one.at).then(
			() => this.away.credentials > this.timeline.nowMs,
			() => true,
		);
		await this.query(one.at);
		if (isUnchecked) {
			one.isFalse = true;
			return;
		}
		while (this.ways.processors > 0 && this.away.redis > this.timeline.nowMs) {
			if (this.random() < 0.3) throw new Error('Redis is not there');
			await one.at.time.wait(500);
		}
		one.isExecuted = true;
		this.judge.executed(one);
	}

	/** A query of the database. @throws where it is away */
	private async query(process: SimulatedProcess): Promise<void> {
		const isSlow = this.away.slow > this.timeline.nowMs;
		const ms = isSlow ? 300 + this.random() * 5_000 : 2 + this.random() * 8;
		await process.time.wait(ms);
		while (this.away.database > this.timeline.nowMs) {
			if (this.random() < 0.5) throw new Error('The database is not there');
			await process.time.wait(1_000);
		}
	}

	private load(process: SimulatedProcess, workflow: SimulatedWorkflow, row: Saved): StaticData {
		if (workflow.recordIn(row.text) !== undefined)
			for (const one of row.holds) process.known.add(one);
		const stored = JSON.parse(row.text) as IDataObject;
		const options = { ignoreEmptyOnFirstChild: true };
		return ObservableObject.create(stored, undefined, options) as unknown as StaticData;
	}

	/** n8n writes static data whole, if it was changed, and the last writer wins. */
	private async save(
		process: SimulatedProcess,
		workflow: SimulatedWorkflow,
		staticData: StaticData,
		own?: Received,
	): Promise<void> {
		if (!staticData.__dataChanged) {
			process.unsavedMs = own?.isFalse ? this.timeline.nowMs : process.unsavedMs;
			return;
		}
		const holds = new Set([...process.known].filter((one) => one.workflow === workflow));
		if (own !== undefined) holds.add(own);
		const saved: Saved = { text: JSON.stringify(staticData), holds, by: process, own };
		for (const one of holds) one.saves.push(saved);
		this.judge.saved(saved);
		const isSlow = this.away.slow > this.timeline.nowMs;
		const wayMs = 1 + this.random() * (isSlow ? 3_000 : 6);
		if (this.away.database > this.timeline.nowMs) throw new Error('The database is not there');
		// SQLite writes one after the other; connections to PostgreSQL can overtake each other.
		const landMs = Math.max(
			this.timeline.nowMs + wayMs,
			this.ways.processors > 0 ? 0 : this.lastLandMs,
		);
		this.lastLandMs = landMs;
		await new Promise<void>((resolve) => {
			this.timeline.at(landMs, () => {
				this.land(workflow, saved);
				process.time.run(resolve);
			});
		});
	}

	private land(workflow: SimulatedWorkflow, saved: Saved): void {
		saved.landedMs = this.timeline.nowMs;
		this.judge.landed(workflow, saved);
		workflow.row = saved;
		workflow.rows.push(saved);
	}

	private context(
		process: SimulatedProcess,
		{ id, address, parameters }: SimulatedWorkflow,
		nodeName: string,
		staticData: StaticData,
	): Partial<IHookFunctions> {
		const key = `node:${nodeName}`;
		const send = async (_: string, options: IHttpRequestOptions) =>
			await this.platform.request(process.time, options);
		const warn = (text: string) => this.judge.note(`${process.name} logs: ${text}`);
		return {
			getNode: () => ({ name: nodeName, type: 'trigger', parameters: {} }) as never,
			getWorkflow: () => ({ id, name: 'Orders', active: true }),
			getInstanceId: () => 'instance',
			getMode: () => 'webhook',
			getNodeWebhookUrl: () => address,
			getWorkflowStaticData: () =>
				(staticData[key] ??= ObservableObject.create({}, staticData as never)) as IDataObject,
			getNodeParameter: (name: string, otherwise?: unknown) =>
				((parameters as Record<string, unknown>)[name] ?? otherwise) as never,
			getCredentials: async () =>
				({ baseUrl: 'https://api.shop.example/v1', apiKey: 'key' }) as never,
			logger: { warn, debug: () => {}, info: () => {}, error: warn } as never,
			helpers: { httpRequestWithAuthentication: send } as never,
		};
	}
}

/** The part of an Express response that n8n and the trigger use. */
class Answer {
	statusCode = 200;
	writableEnded = false;
	/** The connection to whoever n8n talks to is gone. */
	destroyed = false;
	/** Its sender waits no more. */
	isAbandoned = false;
	private readonly listeners: Array<() => void> = [];

	constructor(private readonly given: (status: number, reason?: string) => void) {}

	once(_event: 'finish', listener: () => void): void {
		this.listeners.push(listener);
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: { reason?: string }): void {
		this.give(this.statusCode, body.reason);
	}

	give(status: number, reason?: string): void {
		if (this.writableEnded) return;
		this.writableEnded = true;
		this.statusCode = status;
		this.given(status, reason);
		if (!this.destroyed) for (const listener of this.listeners) listener();
	}
}
