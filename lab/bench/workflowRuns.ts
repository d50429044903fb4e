import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../test/support/environment/testEnvironment';
import { chain, manualTrigger, using } from '../../test/support/n8n/workflows';
import { Progress } from '../../test/support/progress';
import { until } from '../../platform/support/until';
import { benchNodes, mark, marksIn } from './mark';
import { AMPLE } from './shop';

/** Nodes in a line that are measured together. */
export type Nodes = Array<Partial<INode>>;

/** What one run of them took of n8n's process. */
export interface Run {
	wallMs: number;
	/** Items of the last node. */
	items: number;
}

const RUN_TIMEOUT_MS = 300_000;
const POLL_MS = 200;

/** Where what is measured runs: a real n8n with this package, and a platform whose budgets nobody can spend. */
export class Bench {
	private constructor(
		private readonly environment: TestEnvironment,
		private readonly marks: string,
	) {}

	/**
	 * Runs a bench in an n8n of its own.
	 *
	 * @param before folder with an earlier build, whose node is then there as `CUSTOM.commercePlatform`
	 */
	static async use(
		products: number,
		before: string | undefined,
		use: (bench: Bench) => Promise<void>,
	): Promise<void> {
		const more = before === undefined ? [] : [join(before, 'dist')];
		const environment = await startTestEnvironment(new Progress(), {
			platform: { ...AMPLE, products },
			n8n: {
				environment: {
					...benchNodes(...more),
					NODE_OPTIONS: '--max-old-space-size=8192',
				},
			},
		});
		try {
			await use(new Bench(environment, join(environment.n8n.userFolder, 'marks')));
		} finally {
			await environment.close();
		}
	}

	get platform() {
		return this.environment.platform;
	}

	/** A workflow that runs these nodes from its manual trigger. @returns what runs it once, and measures that */
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
			// Nothing is kept of a run, so that no round writes and reads what another left behind.
			settings: { executionOrder: 'v1', saveManualExecutions: false },
		});
		return async () => await this.run(id, name);
	}

	private async run(id: string, name: string): Promise<Run> {
		const { client } = this.environment;
		const execution = await client.run(id, 'Start');
		// An execution that went well is gone when it has ended.
		const failed = await until(
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
		if (failed !== 'gone') {
			const { data } = await client.execution(execution);
			throw new Error(`${name} ended with ${failed}: ${data.resultData.error?.message}`);
		}
		const [begin, end] = marksIn(this.marks).slice(-2);
		return { wallMs: end.atMs - begin.atMs, items: end.items };
	}
}
