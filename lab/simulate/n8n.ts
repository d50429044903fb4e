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
	/** Webhook processors of queue mode; without any, the mains take the deliveries. */
	processors: number;
	/** Main processes; with more than one (multi-main mode) one of them, the leader, publishes. */
	mains: number;
	/** How many executions n8n runs at once in regular mode, while others wait; 0 for any number. */
	atOnce: number;
	/** A proxy keeps its connection to n8n after the sender has gone. */
	proxyHolds: boolean;
	/** An import unpublishes the workflow, as n8n's command line does. */
	takesBack?: true;
}

const LONGEST_EXECUTION_MS = 60_000;

/** What n8n does around the trigger, in all its processes. */
export class SimulatedN8n {
	readonly processes: SimulatedProcess[];
	readonly workflows: SimulatedWorkflow[] = [];
	readonly offset = { ms: 0 };
	/** Until when each part is out of order, in ms of the schedule. */
	readonly away = { database: 0, redis: 0, credentials: 0, slow: 0 };
	/** Executions may take long. */
	isBusy = true;
	platform!: SimulatedPlatform;
	/** The first of the processes that take deliveries. */
	readonly firstReceiver: number;
	private readonly isQueue: boolean;
	/** The main that publishes while it is alive. */
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

	/** Starts a process. */
	private start(index: number): SimulatedProcess {
		const { mains } = this.ways;
		const main = mains === 1 ? 'main' : `main ${index + 1}`;
		const name = index < mains ? main : `processor ${index - mains + 1}`;
		const time = new ProcessTime(this.timeline, this.offset, this.random);
		return new SimulatedProcess(name, time, this.sources);
	}

	/** Kills a process; a new one takes its place after a while. */
	kill(index: number, downMs: number): void {
		const process = this.processes[index];
		if (!process.time.isAlive) return;
		process.time.isAlive = false;
		if (!process.isLeaving || process.inFlight.size > 0) process.crashedMs = this.timeline.nowMs;
		for (const received of process.inFlight) {
			received.endedMs = this.timeline.nowMs;
			process.unsaved.push(received);
		}
		for (const end of process.ends) end();
		this.timeline.after(downMs, () => {
			this.processes[index] = this.start(index);
			if (index >= this.ways.mains) return;
			for (const workflow of this.workflows) this.afterStart(workflow);
		});
	}

	/** A process takes no more requests, and ends when its present ones are done. */
	restart(index: number, downMs: number, waitMs = 30_000): void {
		const process = this.processes[index];
		process.isLeaving = true;
		if (process.inFlight.size === 0 || waitMs <= 0) return this.kill(index, downMs);
		this.timeline.after(100, () => {
			if (this.processes[index] === process) this.restart(index, downMs, waitMs - 100);
		});
	}

	/**
	 * n8n before 2.8 activates its triggers when it starts; later versions resume interrupted publishing after two
	 * minutes.
	 */
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

	/** Publishes a workflow. If it was published before, n8n deactivates it first. */
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
				await this.activate(workflow).catch(async () => {
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

	/** Duplicates a workflow with everything that n8n stores of it, and publishes the copy. */
	async duplicate({ parameters, nodeName, row }: SimulatedWorkflow): Promise<void> {
		const copy = new SimulatedWorkflow(`w${this.workflows.length + 1}`, parameters);
		copy.nodeName = copy.savedName = nodeName;
		copy.row = { text: row.text, holds: new Set(), landedMs: this.timeline.nowMs };
		this.workflows.push(copy);
		await this.publish(copy, () => {});
	}

	/**
	 * Imports an export over the workflow: the workflow has its earlier state and is not published.
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
				const { last, nodeName, savedName, row } = workflow;
				if (last && last !== process && savedName !== nodeName) this.forget(workflow);
				workflow.last = process;
				const context = contextOf(this, process, workflow, nodeName, staticData);
				const isReplaced = await call(process, context as IHookFunctions).catch((error: Error) => {
					this.judge.note(`publishing failed: ${error.message}`);
					const [stored, known] = [row.text, JSON.stringify(staticData)].map(
						(text) => workflow.recordIn(text, nodeName)?.endpoint?.id,
					);
					if (stored !== undefined && stored !== known && !process.removed.has(stored))
						process.removed.set(stored, process.time.now());
					throw error;
				});
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

	/** A sending arrives. @returns the status that its sender hears */
	async take(sending: Sending): Promise<number | undefined> {
		const workflow = this.workflows.find(({ address }) => address === sending.url);
		const first = this.firstReceiver;
		const randomIndex = first + Math.floor(this.random() * (this.processes.length - first));
		const index = Math.min(
			Math.max(sending.process ?? randomIndex, first),
			this.processes.length - 1,
		);
		const at = this.processes[index];
		if (workflow === undefined) return 404;
		const sentMs = this.timeline.nowMs;
		const { nodeName } = workflow;
		const received: Received = {
			...sending,
			workflow,
			process: index,
			at,
			nodeName,
			sentMs,
			saves: [],
		};
		return await new Promise((resolve) => {
			const answer = new Answer((status, reason) => {
				received.answeredMs = this.timeline.nowMs;
				received.status = status;
				received.reason = reason;
				at.inFlight.delete(received);
				this.judge.answered(received);
				this.timeline.after(1 + this.random() * 20, () => {
					if (answer.isAbandoned) return;
					answer.isAbandoned = true;
					received.heard = status;
					this.judge.heard(received);
					resolve(status);
				});
			});
			const hangUp = () => {
				if (answer.isAbandoned) return;
				answer.isAbandoned = true;
				this.judge.heard(received);
				resolve(undefined);
				if (!this.ways.proxyHolds) this.timeline.after(2, () => at.time.run(() => answer.hangUp()));
			};
			this.timeline.after(sending.patienceMs, hangUp);
			this.timeline.after(1 + this.random() * 10, () => {
				if (!at.time.isAlive || at.isLeaving) return answer.send(502);
				at.ends.push(hangUp);
				at.inFlight.add(received);
				at.time.run(() => void this.receive(received, answer).catch(() => answer.send(500)));
			});
		});
	}

	private async receive(received: Received, answer: Answer): Promise<void> {
		const { at, workflow } = received;
		await this.database.query(at);
		if (!workflow.isRouted) return answer.send(404);
		received.nodeName = workflow.nodeName;
		received.loadedMs = this.timeline.nowMs;
		received.loadedAtClock = at.time.now();
		received.loaded = workflow.row;
		received.events = workflow.parameters.events;
		received.hasRecord = workflow.recordIn(received.loaded.text) !== undefined;
		const changed = () => (received.changedMs = this.timeline.nowMs);
		const staticData = this.database.load(at, workflow, changed);
		const context = contextOf(this, at, workflow, received.nodeName, staticData);
		const request = { headers: received.headers, rawBody: Buffer.from(received.delivery.body) };
		const calls = { getRequestObject: () => request, getResponseObject: () => answer };
		const result = await at.trigger.receiveDelivery(
			Object.assign(context, calls) as unknown as IWebhookFunctions,
			at.time,
		);
		if (!('workflowData' in result)) {
			// n8n saves static data after a request without an execution, too.
			await this.database.save(at, workflow, staticData, received).catch(() => undefined);
			return;
		}
		received.admittedMs = this.timeline.nowMs;
		received.isEarly = !workflow.isPublished;
		this.judge.admitted(received);
		// To create the execution, n8n makes a second Workflow over the same static data, which resets the flag.
		staticData.__dataChanged = this.ways.answersFirst && staticData.__dataChanged;
		if (this.ways.answersFirst) {
			// Lost unless the process lives until the execution is stored.
			received.isLost = true;
			answer.send(200);
			await this.database.save(at, workflow, staticData, received).catch(() => undefined);
			await this.execute(received).then(
				() => (received.isLost = undefined),
				() => undefined,
			);
			return;
		}
		try {
			await this.execute(received);
			// n8n logs that it could not save, and goes on.
			await this.database
				.save(at, workflow, staticData, received)
				.catch(() => at.unsaved.push(received));
			answer.send(200);
		} catch (error) {
			at.unsaved.push(received);
			throw error;
		} finally {
			received.endedMs = this.timeline.nowMs;
		}
	}

	/** Checks credentials and stores the execution; in queue mode the execution also joins the queue. */
	private async execute(received: Received): Promise<void> {
		const isUnchecked = await this.database.query(received.at).then(
			() => this.away.credentials > this.timeline.nowMs,
			() => true,
		);
		await this.database.query(received.at);
		if (isUnchecked) {
			received.isFalse = true;
			return;
		}
		while (this.isQueue && this.away.redis > this.timeline.nowMs) {
			if (this.random() < 0.3) throw new Error('Redis is not there');
			await received.at.time.wait(500);
		}
		received.isExecuted = true;
		this.judge.executed(received);
		if (this.ways.atOnce > 0 && !this.isQueue && !this.ways.answersFirst)
			await this.turn(received.at);
	}

	/** n8n has stored the execution, and lets it begin once fewer run than may run at once. */
	private async turn(at: SimulatedProcess): Promise<void> {
		if (at.running < this.ways.atOnce) at.running++;
		else await new Promise<void>((resolve) => at.waiting.push(resolve));
		const ms = this.isBusy ? LONGEST_EXECUTION_MS * this.random() ** 3 : 10;
		at.time.after(ms, () => {
			const begin = at.waiting.shift();
			if (begin === undefined) at.running--;
			else begin();
		});
	}
}
