import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	IRun,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { HostedTrigger, type HostedSetup } from '../../support/engine/hostedTrigger';
import { n8nCore } from '../../support/engine/n8nCore';

const { PollContext } = n8nCore;
const TRIGGER =
	'../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.ts';

type TriggerModule =
	typeof import('../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.ts');

/** The promise through which n8n reports how an execution ended. */
interface Done {
	resolve(run: IRun | undefined): void;
	reject(error: Error): void;
}

export interface PollingSetup extends HostedSetup {
	/** n8n saves the node's state and the execution in one transaction. */
	durable?: boolean;
	/** How long such an n8n lets a poll run, ms. */
	budgetMs?: number;
}

/** Mishaps while n8n takes over the result of a poll. */
export interface Mishaps {
	notStarted?: boolean;
	/** The execution is still running when n8n polls again. */
	running?: boolean;
	/** n8n stores the cursor apart, as with durable cursors, but not in one transaction: n8n ended in between. */
	cursorAlone?: boolean;
}

let nodes = 0;

/**
 * What n8n 2.41 does around a polling trigger, on n8n-core's own context. Static data stays in memory between polls,
 * n8n saves it when the trigger emits something, and creates the execution at the same time.
 */
export class PollingN8n extends HostedTrigger<PollingSetup> {
	/** The items of each execution. */
	readonly executions: IDataObject[][] = [];
	/** The messages of failed executions that the trigger has handed over. */
	readonly failures: string[] = [];
	/** How n8n has begun with the trigger. */
	private activation: WorkflowActivateMode = 'activate';
	mishaps: Mishaps = {};
	private underway?: Done;
	private workflow = this.load();

	constructor(setup: PollingSetup, trigger = loadTrigger()) {
		const parameters = { watch: 'order', ...setup.parameters };
		super({ nodeId: `node-${++nodes}`, ...setup, parameters }, trigger);
	}

	/** All executed items, in order. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** Runs a scheduled poll. @throws the error that n8n would show as a failed execution */
	async poll(isPublishing = false): Promise<void> {
		if (this.setup.durable) await this.pollDurably(isPublishing);
		else await this.call('trigger', (data, _response, done) => this.emit(data, done));
		// Lets the promises of n8n's hand-over settle.
		await new Promise((resolve) => setImmediate(resolve));
	}

	/**
	 * Polls on a copy of the static data. The copy is committed with the execution, or alone after a quiet poll, except one
	 * at publishing.
	 */
	private async pollDurably(isPublishing: boolean): Promise<void> {
		const copy = JSON.parse(this.database.staticData) as Record<string, IDataObject>;
		const staged = (copy[`node:${this.node.name}`] ??= {});
		const commit = () => {
			this.database.staticData = JSON.stringify(copy);
		};
		let isQuiet = true;
		await this.call(
			'trigger',
			(data, _response, done) => {
				isQuiet = false;
				if (this.mishaps.notStarted) return void done?.resolve(undefined);
				commit();
				if (this.mishaps.cursorAlone) return;
				this.executed(data, done);
			},
			staged,
		);
		if (isQuiet && !isPublishing) commit();
	}

	/** @param staged durable static data */
	private async call(
		mode: 'trigger' | 'manual',
		emit?: ConstructorParameters<typeof PollContext>[5],
		staged?: IDataObject,
	): Promise<INodeExecutionData[][] | null | undefined> {
		const { budgetMs = 36_000 } = this.setup;
		const durable = [undefined, undefined, () => staged, () => budgetMs] as const;
		const context = new PollContext(
			this.workflow,
			this.node,
			this.additionalData(),
			mode,
			mode === 'manual' ? 'manual' : this.activation,
			emit,
			({ message }) => this.failures.push(message),
			...((staged === undefined ? [] : durable) as []),
		);
		return await this.trigger.poll?.call(this.logged(context));
	}

	/** What n8n does at publishing and at every start: one poll, then it saves static data. */
	async publish(): Promise<void> {
		this.workflow = this.load();
		await this.poll(true);
		if (!this.setup.durable) this.save(this.workflow);
	}

	/** Presses "Fetch Test Event". */
	async fetchSample(): Promise<INodeExecutionData[] | undefined> {
		const returned = await this.call('manual');
		return returned?.[0];
	}

	/** n8n dies and starts again: a new process with the same database. */
	async restart(): Promise<void> {
		jest.resetModules();
		this.trigger = loadTrigger();
		this.activation = 'init';
		await this.publish();
	}

	/** Another n8n on the same database, such as a second main. */
	other(): PollingN8n {
		jest.resetModules();
		return new PollingN8n({ ...this.setup, database: this.database });
	}

	/** The same database, with a change to the trigger. */
	changed(change: Partial<PollingSetup>): PollingN8n {
		return new PollingN8n({ ...this.setup, database: this.database, ...change }, this.trigger);
	}

	private emit(data: INodeExecutionData[][], done?: Done): void {
		this.save(this.workflow);
		if (this.mishaps.notStarted) done?.reject(new Error('The database is not there'));
		else this.executed(data, done);
	}

	private executed(data: INodeExecutionData[][], done?: Done): void {
		this.executions.push(data[0].map(({ json }) => json));
		if (this.mishaps.running) this.underway = done;
		else done?.resolve({} as IRun);
	}

	/** The running execution turns out never to have started. */
	failToStart(): void {
		this.underway?.reject(new Error('The database is not there'));
	}
}

/** Loads the node's module anew after `jest.resetModules()`: a process keeps its memory in its modules. */
function loadTrigger(): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the point is to load it again
	const module = require(TRIGGER) as TriggerModule;
	return new module.CommercePlatformChangesTrigger();
}
