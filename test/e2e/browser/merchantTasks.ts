import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import type { Credential, Workflow } from '../../support/n8n/types';
import { chain, manualTrigger } from '../../support/n8n/workflows';
import type { Editor } from './editor';
import { Panel } from './panel';

type Part = Partial<INode>;

/** What a task took. */
export interface TaskFigures {
	task: string;
	/** Things that the user did in our node's panel. */
	steps: number;
	seconds: number;
	/** Requests that reached the platform. */
	requests: number;
}

/** n8n's If: lets through what is above a number. */
export const above = (name: string, value: string, limit: number): Part => ({
	name,
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: randomUUID(),
					leftValue: value,
					rightValue: limit,
					operator: { type: 'number', operation: 'gt' },
				},
			],
		},
	},
});

/** Rows as a spreadsheet node gives them: one item a row. */
export const rows = (name: string, list: IDataObject[]): Part[] => [
	{
		name: `${name} as a List`,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: list }) },
	},
	{
		name,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'rows' },
	},
];

/** n8n's Convert to File, as CSV. */
export const asCsv = (name: string): Part => ({
	name,
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {},
});

/** Tasks in n8n's editor, each in a workflow of its own, with what it took. */
export class MerchantDesk {
	readonly figures: TaskFigures[] = [];

	constructor(
		readonly environment: TestEnvironment,
		readonly editor: Editor,
	) {}

	/**
	 * Opens a workflow `Start → parts`, opens one node of it, and does a task in its panel.
	 *
	 * @param node the name of the node whose panel is used
	 */
	async does(
		task: string,
		{ parts, node, credential }: { parts: Part[]; node: string; credential?: Credential },
		act: (panel: Panel) => Promise<void>,
	): Promise<Workflow> {
		const { client, platform } = this.environment;
		const workflow = await client.createWorkflow(
			chain(task, credential ?? this.environment.credential, [manualTrigger('Start'), ...parts]),
		);
		await this.editor.openWorkflow(workflow.id);
		await platform.control.resetCounters();
		const startedMs = Date.now();
		await this.editor.openNode(node);
		const panel = new Panel(this.editor.page);
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

	/** Opens a further node of the same workflow and runs it. */
	async runs(node: string): Promise<string> {
		await this.editor.closeNode();
		await this.editor.openNode(node);
		return await new Panel(this.editor.page).execute();
	}

	/** The items that a node gave in the workflow's latest execution. */
	async itemsOf({ id }: Workflow, node: string): Promise<IDataObject[]> {
		const { client } = this.environment;
		const [latest] = await client.executions(id);
		const { data } = await client.finishedExecution(latest.id);
		return (data.resultData.runData[node]?.[0].data?.main[0] ?? []).map(({ json }) => json);
	}
}
