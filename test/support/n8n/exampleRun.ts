import assert from 'node:assert/strict';
import type { IDataObject, INode } from 'n8n-workflow';

import type { TestEnvironment } from '../environment/testEnvironment';
import { example } from './examples';
import type { Execution, WorkflowFile } from './types';

/** What a run of an example did. */
export type ExampleRun = ReturnType<typeof whatItDid>;

/** An example in n8n, with the credential chosen. @param change what its user changes in it */
export async function importExample(
	{ client, credential }: TestEnvironment,
	file: string,
	change: (workflow: WorkflowFile) => WorkflowFile = (workflow) => workflow,
): Promise<string> {
	const { id } = await client.createWorkflow(change(await example(file, credential)));
	return id;
}

/** Runs an imported example from its trigger, and asserts that it went well. */
export async function runImported(
	{ client }: TestEnvironment,
	workflowId: string,
	{ trigger = 'Start', given }: { trigger?: string; given?: IDataObject } = {},
): Promise<ExampleRun> {
	return whatItDid(await client.finishedExecution(await client.run(workflowId, trigger, given)));
}

/** Publishes an imported example while something happens that starts it; asserts that it went well. */
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
		/** The items of one node's last run, by output; no outputs where it did not run. */
		outputs: (node: string) => jsonOf(node, -1),
		/** How often a node ran. */
		runs,
		/** The items of a node's first output, over all its runs. */
		all: (node: string) =>
			Array.from({ length: runs(node) }, (_, run) => jsonOf(node, run)[0] ?? []).flat(),
		/** The file that a node made. */
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

/** Lays parameters over those of some nodes, as a user does in their panels. */
export const withParameters =
	(of: (node: INode) => boolean, parameters: object) =>
	(workflow: WorkflowFile): WorkflowFile => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			of(node) ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		),
	});
