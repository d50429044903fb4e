import assert from 'node:assert/strict';
import type { IDataObject, INode } from 'n8n-workflow';

import type { TestEnvironment } from '../environment/testEnvironment';
import { example } from './examples';
import type { Execution, WorkflowFile } from './types';

/** The result of a run of an example. */
export type ExampleRun = ReturnType<typeof whatItDid>;

/** Imports an example into n8n, with the credential chosen. @param change the user's changes to it */
export async function importExample(
	{ client, credential }: TestEnvironment,
	file: string,
	change: (workflow: WorkflowFile) => WorkflowFile = (workflow) => workflow,
): Promise<string> {
	const { id } = await client.createWorkflow(change(await example(file, credential)));
	return id;
}

/** Runs an imported example from its trigger, and asserts that the run succeeds. */
export async function runImported(
	{ client }: TestEnvironment,
	workflowId: string,
	{ trigger = 'Start', given }: { trigger?: string; given?: IDataObject } = {},
): Promise<ExampleRun> {
	return whatItDid(await client.finishedExecution(await client.run(workflowId, trigger, given)));
}

/** Publishes an imported example, lets something happen that starts it, and asserts that the run succeeds. */
export async function runPublished(
	{ client }: TestEnvironment,
	workflowId: string,
	happening: () => Promise<unknown>,
): Promise<ExampleRun> {
	await client.activate(workflowId);
	await happening();
	const [execution] = await client.finishedExecutions(workflowId, 1);
	await client.deactivate(workflowId);
	return whatItDid(execution);
}

function whatItDid({ status, data }: Execution) {
	const { runData, error } = data.resultData;
	assert.equal(status, 'success', error?.message);
	const jsonOf = (node: string, run: number): IDataObject[][] =>
		(runData[node]?.at(run)?.data?.main ?? []).map((items) =>
			(items ?? []).map(({ json }) => json),
		);
	const runs = (node: string) => runData[node]?.length ?? 0;
	return {
		/** The items of a node's last run, by output; no outputs if it did not run. */
		outputs: (node: string) => jsonOf(node, -1),
		/** How often a node ran. */
		runs,
		/** The items of a node's first output, in all its runs. */
		all: (node: string) =>
			Array.from({ length: runs(node) }, (_, run) => jsonOf(node, run)[0] ?? []).flat(),
		/** The binary file that a node made. */
		file: (node: string) => runData[node]?.at(-1)?.data?.main[0]?.[0]?.binary?.data,
	};
}

/** Imports an example and runs it once. */
export async function runExample(
	environment: TestEnvironment,
	file: string,
	change?: (workflow: WorkflowFile) => WorkflowFile,
): Promise<ExampleRun> {
	return await runImported(environment, await importExample(environment, file, change));
}

/** Changes parameters of some nodes, as a user does in their panels. */
export const withParameters =
	(of: (node: INode) => boolean, parameters: object) =>
	(workflow: WorkflowFile): WorkflowFile => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			of(node) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		),
	});
