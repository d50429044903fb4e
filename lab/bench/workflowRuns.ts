import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../test/support/environment/testEnvironment';
import { chain, manualTrigger, using } from '../../test/support/n8n/workflows';
import { Progress } from '../../test/support/progress';
import { until } from '../../platform/support/until';
import { AMPLE, whileOpen } from './shop';

/** Environment that makes n8n load the nodes that exist for benches only. */
export const BENCH_NODES = { N8N_CUSTOM_EXTENSIONS: join(__dirname, 'nodes') };

/** A node that writes a mark into a file each time it runs. */
export const mark = (name: string, file: string): Partial<INode> => ({
	name,
	type: 'CUSTOM.mark',
	parameters: { file },
});

/** When a mark was written, on n8n's monotonic clock in ms, and how many items its node received. */
export const marksIn = (file: string): Array<{ atMs: number; items: number }> =>
	readFileSync(file, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as { atMs: number; items: number });

/** A chain of nodes that is measured together. */
export type Nodes = Array<Partial<INode>>;

/** Measurements of one run of these nodes. */
export interface Run {
	wallMs: number;
	/** Output items of the last node. */
	items: number;
}

const RUN_TIMEOUT_MS = 300_000;
const POLL_MS = 200;

/**
 * The environment of the measurements: a real n8n with this package, and a platform with a budget that no bench can
 * spend.
 */
export class Bench {
	private constructor(
		private readonly environment: TestEnvironment,
		private readonly marks: string,
	) {}

	/**
	 * Runs a bench in its own n8n.
	 */
	static async use(products: number, use: (bench: Bench) => Promise<void>): Promise<void> {
		const started = startTestEnvironment(new Progress(), {
			platform: { ...AMPLE, products },
			n8n: {
				environment: {
					...BENCH_NODES,
					NODE_OPTIONS: '--max-old-space-size=8192',
				},
			},
		});
		await whileOpen(started, async (environment) => {
			await use(new Bench(environment, join(environment.n8n.userFolder, 'marks')));
		});
	}

	get platform() {
		return this.environment.platform;
	}

	/** Creates a workflow that runs these nodes from a manual trigger. @returns runs it once and measures that */
	async workflow(name: string, before: Nodes, measured: Nodes): Promise<() => Promise<Run>> {
		const { client, credential } = this.environment;
		const file = chain(name, credential, [
			manualTrigger('Start'),
			...before,
			mark('Begin', this.marks),
			...measured,
			mark('End', this.marks),
		]);
		const credentials = using(credential);
		const { id } = await client.createWorkflow({
			...file,
			nodes: file.nodes.map((node) => ({ ...node, credentials })),
			// n8n stores nothing about a run, so that no round reads or writes what an earlier one left.
			settings: { executionOrder: 'v1', saveManualExecutions: false },
		});
		return async () => await this.run(id, name);
	}

	private async run(id: string, name: string): Promise<Run> {
		const { client } = this.environment;
		const execution = await client.run(id, 'Start');
		// A successful execution disappears when it ends.
		const endStatus = await until(
			`${name} to end`,
			RUN_TIMEOUT_MS,
			async () => {
				const [running] = await client.executions(id);
				if (running === undefined) return 'gone';
				return running.status === 'running' || running.status === 'new'
					? undefined
					: running.status;
			},
			POLL_MS,
		);
		if (endStatus !== 'gone') {
			const { data } = await client.execution(execution);
			throw new Error(`${name} ended with ${endStatus}: ${data.resultData.error?.message}`);
		}
		const [begin, end] = marksIn(this.marks).slice(-2);
		return { wallMs: end.atMs - begin.atMs, items: end.items };
	}
}
