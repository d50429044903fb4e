import type { IDataObject, INodeExecutionData, INodeType, IRun } from 'n8n-workflow';

import { HostedTrigger, type HostedSetup } from '../../support/engine/hostedTrigger';
import { n8nCore } from '../../support/engine/n8nCore';

const { PollContext } = n8nCore;
const TRIGGER =
	'../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.ts';

type TriggerModule =
	typeof import('../../../nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node');

/** The promise by which n8n tells how an execution ended. */
interface Done {
	resolve(run: IRun | undefined): void;
	reject(error: Error): void;
}

export interface PollingSetup extends HostedSetup {
	/** n8n saves what the node remembers and the execution in one transaction. */
	durable?: boolean;
	/** How long such an n8n lets a poll run, ms. */
	budgetMs?: number;
}

/** What goes wrong when n8n takes over what a poll found. */
export interface Mishaps {
	notStarted?: boolean;
	/** The execution is still running when n8n polls again. */
	running?: boolean;
	/** n8n keeps the cursor apart, as with durable cursors, but not in one transaction: it ended in between. */
	cursorAlone?: boolean;
}

let nodes = 0;

/**
 * What n8n 2.41 does around a polling trigger, over n8n-core's own context: static data stays in memory from
 * poll to poll, is saved when something is emitted, and the execution is created beside that.
 */
export class PollingN8n extends HostedTrigger<PollingSetup> {
	/** The items of each execution. */
	readonly executions: IDataObject[][] = [];
	mishaps: Mishaps = {};
	private underway?: Done;
	private workflow = this.load();

	constructor(setup: PollingSetup, trigger = loadTrigger()) {
		const parameters = { watch: 'order', ...setup.parameters };
		super({ nodeId: `node-${++nodes}`, ...setup, parameters }, trigger);
	}

	/** Everything that was executed, in order. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** A scheduled poll. @throws what n8n would show as a failed execution */
	async poll(isPublishing = false): Promise<void> {
		if (this.setup.durable) await this.pollDurably(isPublishing);
		else await this.call('trigger', (data, _response, done) => this.emit(data, done));
		// The promises of n8n's hand-over settle.
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** A poll over a copy of its own, which is committed with the execution, or alone, but for a poll at publishing. */
	private async pollDurably(isPublishing: boolean): Promise<void> {
		const staged = JSON.parse(this.database.staticData) as IDataObject;
		const commit = () => {
			this.database.staticData = JSON.stringify(staged);
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
		const durable = [undefined, undefined, undefined, () => staged, () => budgetMs] as const;
		const context = new PollContext(
			this.workflow,
			this.node,
			this.additionalData(),
			mode,
			mode === 'manual' ? 'manual' : 'activate',
			emit,
			...((staged === undefined ? [] : durable) as []),
		);
		return await this.trigger.poll?.call(this.logged(context));
	}

	/** Publishing, and every start of n8n: one poll, then static data is saved. */
	async publish(): Promise<void> {
		this.workflow = this.load();
		await this.poll(true);
		if (!this.setup.durable) this.save(this.workflow);
	}

	/** "Fetch Test Event". */
	async fetchSample(): Promise<INodeExecutionData[] | undefined> {
		const returned = await this.call('manual');
		return returned?.[0];
	}

	/** n8n dies and starts again: another process, with what is in the database. */
	async restart(): Promise<void> {
		jest.resetModules();
		this.trigger = loadTrigger();
		await this.publish();
	}

	/** Another n8n over the same database, such as a second main. */
	other(): PollingN8n {
		jest.resetModules();
		return new PollingN8n({ ...this.setup, database: this.database });
	}

	/** The same database, with something about the trigger changed. */
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

	/** The execution under way turns out never to have started. */
	failToStart(): void {
		this.underway?.reject(new Error('The database is not there'));
	}
}

/** The node's module, afresh after `jest.resetModules()`: what a process remembers is in its modules. */
function loadTrigger(): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the point is to load it again
	const module = require(TRIGGER) as TriggerModule;
	return new module.CommercePlatformChangesTrigger();
}
