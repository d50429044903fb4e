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

/** Runs a bench in its own n8n, with a budget that no bench can spend. */
export const withN8n = async (
	products: number,
	use: (environment: TestEnvironment) => Promise<void>,
): Promise<void> =>
	await whileOpen(
		startTestEnvironment(new Progress(), {
			platform: { ...AMPLE, products },
			n8n: {
				environment: { ...BENCH_NODES, NODE_OPTIONS: '--max-old-space-size=8192' },
			},
		}),
		use,
	);

/** Creates a workflow that runs these nodes from a manual trigger. @returns runs it once and measures that */
export async function measuredWorkflow(
	{ client, credential, n8n }: TestEnvironment,
	name: string,
	before: Nodes,
	measured: Nodes,
): Promise<() => Promise<Run>> {
	const marks = join(n8n.userFolder, 'marks');
	const file = chain(name, credential, [
		manualTrigger('Start'),
		...before,
		mark('Begin', marks),
		...measured,
		mark('End', marks),
	]);
	const credentials = using(credential);
	const { id } = await client.createWorkflow({
		...file,
		nodes: file.nodes.map((node) => ({ ...node, credentials })),
		// n8n stores nothing about a run, so that no round reads or writes what an earlier one left.
		settings: { executionOrder: 'v1', saveManualExecutions: false },
	});
	// A successful execution disappears when it ends.
	const endStatus = async () => {
		const [running] = await client.executions(id);
		if (running === undefined) return 'gone';
		return running.status === 'running' || running.status === 'new' ? undefined : running.status;
	};
	return async () => {
		const execution = await client.run(id, 'Start');
		const status = await until(`${name} to end`, RUN_TIMEOUT_MS, endStatus, POLL_MS);
		if (status !== 'gone') {
			const { data } = await client.execution(execution);
			throw new Error(`${name} ended with ${status}: ${data.resultData.error?.message}`);
		}
		const [begin, end] = marksIn(marks).slice(-2);
		return { wallMs: end.atMs - begin.atMs, items: end.items };
	};
}
