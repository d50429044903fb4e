import type { IDataObject, INode } from 'n8n-workflow';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import type { Workflow } from '../../support/n8n/types';
import { chain, manualTrigger } from '../../support/n8n/workflows';
import type { Editor } from './editor';
import type { Panel } from './panel';

type Part = Partial<INode>;

/** The figures of a task. */
export interface TaskFigures {
	task: string;
	/** What the user did in our node's panel, counted. */
	steps: number;
	seconds: number;
	/** Requests that reached the platform. */
	requests: number;
}

/** Tasks in n8n's editor, each in its own workflow, with their figures. */
export class MerchantDesk {
	readonly figures: TaskFigures[] = [];

	constructor(
		readonly environment: TestEnvironment,
		readonly editor: Editor,
	) {}

	/** Opens a workflow `Start → parts`, opens its last node, and does a task in its panel. */
	async does(
		task: string,
		parts: Part[],
		act: (panel: Panel) => Promise<unknown>,
	): Promise<Workflow> {
		const { client, platform, credential } = this.environment;
		const all = [manualTrigger('Start'), ...parts];
		const workflow = await client.createWorkflow(chain(task, credential, all));
		await this.editor.openWorkflow(workflow.id);
		await platform.control.resetCounters();
		const startedMs = Date.now();
		const panel = await this.editor.openNode(parts.at(-1)?.name ?? '');
		await act(panel);
		const { total: requests } = await platform.control.counters();
		this.figures.push({
			task,
			steps: panel.steps,
			seconds: Math.round((Date.now() - startedMs) / 1000),
			requests,
		});
		return workflow;
	}

	/** The output items of a node in the workflow's latest execution. */
	async itemsOf({ id }: Workflow, node: string): Promise<IDataObject[]> {
		const { client } = this.environment;
		const [latest] = await client.executions(id);
		const { data } = await client.finishedExecution(latest.id);
		return (data.resultData.runData[node]?.[0].data?.main[0] ?? []).map(({ json }) => json);
	}
}
