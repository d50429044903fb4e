import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { credentialsHelper } from '../../support/engine/credentialsHelper';
import { keepWarnings } from '../../support/engine/keepWarnings';
import { n8nCore } from '../../support/engine/n8nCore';
import { oneNodeWorkflow, type Workflow } from '../../support/engine/oneNodeWorkflow';

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

/** One changes trigger in one workflow. */
export interface PollingSetup {
	credentials: { baseUrl: string; apiKey: string };
	parameters?: IDataObject;
	workflowId?: string;
	nodeId?: string;
	credentialId?: string;
	/** n8n saves what the node remembers and the execution in one transaction. */
	durable?: boolean;
}

/** What goes wrong when n8n takes over what a poll found. */
export interface Mishaps {
	notSaved?: boolean;
	notStarted?: boolean;
	/** The execution is still running when n8n polls again. */
	running?: boolean;
}

let nodes = 0;

/**
 * What n8n 2.41 does around a polling trigger, over n8n-core's own context: static data stays in memory from
 * poll to poll, is saved when something is emitted, and the execution is created beside that.
 */
export class PollingN8n {
	/** The items of each execution. */
	readonly executions: IDataObject[][] = [];
	/** Everything the node logged with level warn. */
	readonly warnings: string[] = [];
	/** What the database holds as static data. */
	database = '{}';
	mishaps: Mishaps = {};
	private underway?: Done;

	private trigger: INodeType;
	private workflow: Workflow;
	private readonly nodeId: string;

	constructor(private readonly setup: PollingSetup) {
		this.nodeId = setup.nodeId ?? `node-${++nodes}`;
		this.trigger = loadTrigger();
		this.workflow = this.load();
	}

	/** Everything that was executed, in order. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** A scheduled poll. @throws what n8n would show as a failed execution */
	async poll(isPublishing = false): Promise<void> {
		if (this.setup.durable) await this.pollDurably(isPublishing);
		else await this.pollInMemory();
		// The promises of n8n's hand-over settle.
		await new Promise((resolve) => setImmediate(resolve));
	}

	private async pollInMemory(): Promise<void> {
		const returned = await this.call('trigger', (data, _response, done) => this.emit(data, done));
		if (returned) this.emit(returned);
	}

	/** A poll over a copy of its own, which is committed with the execution, or alone, but for a poll at publishing. */
	private async pollDurably(isPublishing: boolean): Promise<void> {
		const staged = JSON.parse(this.database) as IDataObject;
		const commit = () => {
			this.database = JSON.stringify(staged);
		};
		const emitted = this.executions.length;
		await this.call(
			'trigger',
			(data, _response, done) => {
				if (this.mishaps.notStarted) return void done?.resolve(undefined);
				commit();
				this.executed(data, done);
			},
			staged,
		);
		const isQuiet = this.executions.length === emitted && !this.mishaps.notStarted;
		if (isQuiet && !isPublishing) commit();
	}

	/** @param staged durable static data */
	private async call(
		mode: 'trigger' | 'manual',
		emit?: ConstructorParameters<typeof PollContext>[5],
		staged?: IDataObject,
	): Promise<INodeExecutionData[][] | null | undefined> {
		const durable = [undefined, undefined, undefined, () => staged, () => 36_000] as const;
		const context = new PollContext(
			this.workflow,
			this.node,
			this.additionalData(),
			mode,
			mode === 'manual' ? 'manual' : 'activate',
			emit,
			...((staged === undefined ? [] : durable) as []),
		);
		keepWarnings(context, this.warnings);
		return await this.trigger.poll?.call(context);
	}

	/** Publishing, and every start of n8n: one poll, then static data is saved. */
	async publish(): Promise<void> {
		this.workflow = this.load();
		await this.poll(true);
		if (!this.setup.durable) this.save();
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
		const other = this.changed({});
		other.trigger = loadTrigger();
		return other;
	}

	/** The same database, with something about the trigger changed. */
	changed(change: Partial<PollingSetup>): PollingN8n {
		const other = new PollingN8n({ nodeId: this.nodeId, ...this.setup, ...change });
		other.database = this.database;
		other.trigger = this.trigger;
		return other;
	}

	private emit(data: INodeExecutionData[][], done?: Done): void {
		const { notSaved, notStarted } = this.mishaps;
		if (!notSaved) this.save();
		if (notStarted) {
			done?.reject(new Error('The database is not there'));
			return;
		}
		this.executed(data, done);
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

	private save(): void {
		const { staticData } = this.workflow;
		if (!(staticData as { __dataChanged?: boolean }).__dataChanged) return;
		this.database = JSON.stringify(staticData);
	}

	private load(): Workflow {
		const workflow = { id: this.setup.workflowId, name: 'Changes' };
		const staticData = this.setup.durable ? '{}' : this.database;
		return oneNodeWorkflow(workflow, this.node, this.trigger, staticData);
	}

	private get node(): INode {
		return {
			id: this.nodeId,
			name: 'Changes',
			type: 'test.changes',
			typeVersion: 1,
			position: [0, 0],
			parameters: { watch: 'order', ...this.setup.parameters } as INode['parameters'],
			credentials: {
				commercePlatformApi: { id: this.setup.credentialId ?? 'credential-1', name: 'Shop' },
			},
		};
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		return {
			credentialsHelper: credentialsHelper(this.setup),
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
	}
}

/** The node's module, afresh after `jest.resetModules()`: what a process remembers is in its modules. */
function loadTrigger(): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the point is to load it again
	const module = require(TRIGGER) as TriggerModule;
	return new module.CommercePlatformChangesTrigger();
}
