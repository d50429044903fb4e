import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

/** Folder of the nodes that only benches have. */
const NODES = join(__dirname, 'nodes');

/** What n8n must be started with to have them. @param more further folders */
export const benchNodes = (...more: string[]) => ({
	N8N_CUSTOM_EXTENSIONS: [NODES, ...more].join(';'),
});

/** What the node Mark writes down. */
export interface Mark {
	/** By n8n's monotonic clock, ms. */
	atMs: number;
	/** That it was given. */
	items: number;
}

/** A node that writes a mark into a file each time it runs. */
export const mark = (name: string, file: string): Partial<INode> => ({
	name,
	type: 'CUSTOM.mark',
	parameters: { file },
});

export const marksIn = (file: string): Mark[] =>
	readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Mark);
