import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

/** Folder of the nodes that exist for benches only. */
const NODES = join(__dirname, 'nodes');

/** Environment that makes n8n load them. */
export const benchNodes = () => ({ N8N_CUSTOM_EXTENSIONS: NODES });

/** What the node Mark writes to its file. */
export interface Mark {
	/** On n8n's monotonic clock, ms. */
	atMs: number;
	/** Number of its input items. */
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
