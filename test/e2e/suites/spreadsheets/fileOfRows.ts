import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';

import { loopbackServer } from '../../../../platform/support/loopbackServer';
import type { WorkflowFile } from '../../../support/n8n/types';
import { REPOSITORY } from '../../../support/repository';

/** Files with made-up products, in the formats that shops and spreadsheets write. */
const FILES = join(REPOSITORY, 'test', 'e2e', 'suites', 'spreadsheets', 'files');

/** Serves the files, as a download page would. */
export const serveFiles = async () =>
	await loopbackServer((request, response) => {
		readFile(join(FILES, (request.url ?? '').slice(1))).then(
			(bytes) => response.end(bytes),
			() => response.writeHead(404).end(),
		);
	});

/** How n8n's Extract From File reads a file. */
export type Extraction = { operation: 'csv' | 'xlsx'; options?: INodeParameters };

/**
 * Replaces an example's sample rows by a file, as its note tells the user to do.
 *
 * @param sample the node with the sample rows, before *Rows*
 * @param columns fields for an Edit Fields node, if the file's columns have other names
 */
export const withFile =
	(sample: string, url: string, extraction: Extraction, columns: Record<string, string> = {}) =>
	(workflow: WorkflowFile): WorkflowFile => {
		const download: Partial<INode> = {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
		};
		const { operation, options = {} } = extraction;
		const extract: Partial<INode> = {
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1,
			parameters: { operation, options },
		};
		const own: Record<string, Partial<INode>> = { [sample]: download, Rows: extract };
		const nodes = workflow.nodes.map((node) => ({ ...node, ...own[node.name] }) as INode);
		if (Object.keys(columns).length === 0) return { ...workflow, nodes };
		return renamed({ ...workflow, nodes }, columns);
	};

/** Inserts an Edit Fields node named *Rows* after the extraction, which is renamed to *File Rows*. */
function renamed(workflow: WorkflowFile, columns: Record<string, string>): WorkflowFile {
	const extracted = workflow.nodes.map((node) =>
		node.name === 'Rows' ? { ...node, id: `${node.id}-file`, name: 'File Rows' } : node,
	);
	const assignments = Object.entries(columns).map(([name, value]) => ({
		...{ id: name, name, value, type: 'string' },
	}));
	const edit: INode = {
		id: 'columns',
		name: 'Rows',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		position: [480, -160],
		parameters: { assignments: { assignments }, options: {} },
	};
	const toRows = { main: [[{ node: 'Rows', type: 'main' as const, index: 0 }]] };
	const text = JSON.stringify(workflow.connections);
	const connections = JSON.parse(text) as WorkflowFile['connections'];
	for (const [name, { main }] of Object.entries(connections))
		if (name !== 'Rows')
			for (const link of main.flatMap((links) => links ?? []))
				if (link.node === 'Rows') link.node = 'File Rows';
	return {
		...workflow,
		nodes: [...extracted, edit],
		connections: { ...connections, 'File Rows': toRows },
	};
}
