import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { pick } from '../../platform/support/random';
import { Answer, contextOf } from './context';
import { SimulatedDatabase } from './database';
import type { Judge } from './judge';
import type { Sending, SimulatedPlatform } from './platform';
import { SimulatedProcess } from './process';
import type { Received } from './received';
import type { Sources } from './sources';
import { ProcessTime, type Timeline } from './timeline';
import { SimulatedWorkflow } from './workflow';

/** How an n8n may be set up. */
export interface N8nWays {
	/** n8n before 2.8 answers first, then saves static data, and creates the execution last. */
	answersFirst: boolean;
	/** Webhook processors of queue mode; without any, mains take the deliveries. */
	processors: number;
	/** More than one in n8n's multi-main mode: one of them, the leader, publishes. */
	mains: number;
	/** A proxy keeps its connection to n8n when the sender has gone. */
	proxyHolds: boolean;
	/** An import takes back what was published, as by n8n's command line. */
	takesBack?: true;
}

/** What n8n does around the trigger, in all its processes. */
export class SimulatedN8n {
	readonly processes: SimulatedProcess[];
	readonly workflows: SimulatedWorkflow[] = [];
	readonly offset = { ms: 0 };
	/** Until when something is not as it should be, in ms of the schedule. */
	readonly away = { database: 0, redis: 0, credentials: 0, slow: 0 };
	platform!: SimulatedPlatform;
	/** The first of the processes that take deliveries. */
	readonly firstReceiver: number;
	private readonly isQueue: boolean;
	/** The main that publishes, as long as it lives. */
	private leader = 0;
	private readonly database: SimulatedDatabase;

	constructor(
		private readonly timeline: Timeline,
		private readonly sources: Sources,
		readonly ways: N8nWays,
		private readonly random: () => number,
		readonly judge: Judge,
	) {
		const { away } = this;
		this.isQueue = ways.processors > 0 || ways.mains > 1;
		this.firstReceiver = ways.processors > 0 ? ways.mains : 0;
		this.database = new SimulatedDatabase(timeline, away, !this.isQueue, random, judge);
		const count = ways.mains + ways.processors;
		this.processes = Array.from({ length: count }, (_, i) => this.start(i));
	}

	/** A process begins. */
	private start(index: number): SimulatedProcess {
		const { mains } = this.ways;
		const main = mains === 1 ? 'main' : `main ${index + 1}`;
		const name = index < mains ? main : `processor ${index - mains + 1}`;
		const time = new ProcessTime(this.timeline, this.offset, this.random);
		return new SimulatedProcess(name, time, this.sources);
	}

	/** A process is killed; another takes its place after a while. */
	kill(index: number, downMs: number): void {
		const process = this.processes[index];
		if (!process.time.isAlive) return;
		process.time.isAlive = false;
		if (!process.isLeaving || process.inFlight.size > 0) process.crashedMs = this.timeline.nowMs;
		for (const end of process.ends) end();
		this.timeline.after(downMs, () => {
			this.processes[index] = this.start(index);
			if (index >= this.ways.mains) return;
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

	/** A workflow is duplicated, with all that n8n keeps of it, and the copy published. */
	async duplicate({ parameters, nodeName, row }: SimulatedWorkflow): Promise<void> {
		const copy = new SimulatedWorkflow(`w${this.workflows.length + 1}`, parameters);
		copy.nodeName = copy.savedName = nodeName;
		copy.row = { text: row.text, holds: new Set(), landedMs: this.timeline.nowMs };
		this.workflows.push(copy);
		await this.publish(copy, () => {});
	}

	/**
	 * An export is imported over the workflow: it has the state of then, and is not published.
	 *
	 * @param x which of its states, from 0, the first, up to 1
	 */
	restore(workflow: SimulatedWorkflow, x: number): void {
		const { row: before } = workflow;
		const { text, holds, nodeName } = pick(workflow.rows, () => x);
		this.database.land(workflow, { text, holds, nodeName, isOlder: true });
		this.judge.secrets.imported(workflow, before);
		if (this.ways.takesBack && workflow.isRouted) void this.unpublish(workflow);
		workflow.isRouted = false;
		workflow.isPublished = workflow.isSaved = false;
		this.forget(workflow);
		workflow.removedMs = this.timeline.nowMs;
	}

	private forget(workflow: SimulatedWorkflow): void {
		workflow.isBroken = true;
		this.judge.secrets.forgotten(workflow);
	}

	private async activate(workflow: SimulatedWorkflow): Promise<void> {
		await this.hook(workflow, true, async (process, context) => {
			workflow.isRouted = true;
			if (await process.trigger.endpointIsHealthy(context, process.time)) return false;
			await process.trigger.registerEndpoint(context, process.time);
			return true;
		});
		workflow.isPublished = true;
	}

	private async deactivate(workflow: SimulatedWorkflow): Promise<void> {
		workflow.isPublished = workflow.isSaved = false;
		workflow.removedMs = Infinity;
		this.judge.secrets.removing(workflow);
		await this.hook(workflow, false, async (process, context) => {
			await process.trigger.removeEndpoint(context, process.time);
			return false;
		});
	}

	/** n8n loads the workflow, calls the trigger, and saves static data. */
	private async hook(
		workflow: SimulatedWorkflow,
		isPublishing: boolean,
		call: (process: SimulatedProcess, context: IHookFunctions) => Promise<boolean>,
	): Promise<void> {
		while (!this.processes[this.leader].time.isAlive) {
			await this.timeline.wait(5_000);
			const alive = this.processes.findIndex(({ time }) => time.isAlive);
			if (alive >= 0 && alive < this.ways.mains) this.leader = alive;
		}
		const process = this.processes[this.leader];
		await process.doing(
			(async () => {
				await this.database.query(process);
				const staticData = this.database.load(process, workflow);
				const beganMs = this.timeline.nowMs;
				const { last, nodeName, savedName } = workflow;
				if (last && last !== process && savedName !== nodeName) this.forget(workflow);
				workflow.last = process;
				const context = contextOf(this, process, workflow, nodeName, staticData);
				const isReplaced = await call(process, context as IHookFunctions);
				// n8n logs that it could not save, and goes on.
				const save = this.database.save(process, workflow, staticData, undefined, isPublishing);
				const isSaved = await save.then(
					() => true,
					() => false,
				);
				if (!isSaved) this.forget(workflow);
				else if (!isPublishing) workflow.removedMs = this.timeline.nowMs;
				if (isReplaced && isSaved) this.judge.replaced(workflow, beganMs);
			})(),
		);
	}

	/** A sending comes in; gives the status that its sender hears. */
	async take(sending: Sending): Promise<number | undefined> {
		const workflow = this.workflows.find(({ address }) => address === sending.url);
		const first = this.firstReceiver;
		const any = first + Math.floor(this.random() * (this.processes.length - first));
		const index = Math.min(Math.max(sending.process ?? any, first), this.processes.length - 1);
		const at = this.processes[index];
		if (workflow === undefined) return 404;
		const sentMs = this.timeline.nowMs;
		const { nodeName } = workflow;
		const one: Received = { ...sending, workflow, process: index, at, nodeName, sentMs, saves: [] };
		return await new Promise((resolve) => {
			const answer = new Answer((status, reason) => {
				one.answeredMs = this.timeline.nowMs;
				one.wasOpen = !answer.destroyed;
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
				if (!this.ways.proxyHolds) this.timeline.after(2, () => at.time.run(() => answer.hangUp()));
			};
			this.timeline.after(sending.patienceMs, hangUp);
			this.timeline.after(1 + this.random() * 10, () => {
				if (!at.time.isAlive || at.isLeaving) return answer.send(502);
				at.ends.push(hangUp);
				at.inFlight.add(one);
				at.time.run(() => void this.receive(one, answer).catch(() => answer.send(500)));
			});
		});
	}

	private async receive(one: Received, answer: Answer): Promise<void> {
		const { at, workflow } = one;
		await this.database.query(at);
		if (!workflow.isRouted) return answer.send(404);
		one.nodeName = workflow.nodeName;
		one.loadedMs = this.timeline.nowMs;
		one.loadedAtClock = at.time.now();
		one.loaded = workflow.row;
		one.events = workflow.parameters.events;
		one.hasRecord = workflow.recordIn(one.loaded.text) !== undefined;
		const changed = () => (one.changedMs = this.timeline.nowMs);
		const staticData = this.database.load(at, workflow, changed);
		const context = contextOf(this, at, workflow, one.nodeName, staticData);
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
			answer.send(200);
			await this.database.save(at, workflow, staticData, one).catch(() => undefined);
			await this.execute(one).catch(() => (one.isLost = true));
			return;
		}
		try {
			await this.execute(one);
			// n8n logs that it could not save, and goes on.
			await this.database.save(at, workflow, staticData, one).catch(() => at.unsaved.push(one));
			answer.send(200);
		} catch (error) {
			at.unsaved.push(one);
			throw error;
		} finally {
			one.endedMs = this.timeline.nowMs;
		}
	}

	/** Credentials are checked, and the execution is stored; in queue mode it gets its place in the queue. */
	private async execute(one: Received): Promise<void> {
		const isUnchecked = await this.database.query(one.at).then(
			() => this.away.credentials > this.timeline.nowMs,
			() => true,
		);
		await this.database.query(one.at);
		if (isUnchecked) {
			one.isFalse = true;
			return;
		}
		while (this.isQueue && this.away.redis > this.timeline.nowMs) {
			if (this.random() < 0.3) throw new Error('Redis is not there');
			await one.at.time.wait(500);
		}
		one.isExecuted = true;
		this.judge.executed(one);
	}
}
