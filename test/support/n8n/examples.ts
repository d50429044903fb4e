import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Credential, WorkflowFile } from './types';
import { using } from './workflows';

/** Folder of the workflows that users can import. */
export const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');
const OUR_NODES = 'n8n-nodes-commerce-platform.';

export const ORDER_PAID_EXAMPLE = 'order-paid-to-note.json';
export const LIST_PRODUCTS_EXAMPLE = 'list-products.json';
export const RECENT_ORDERS_EXAMPLE = 'recent-paid-orders.json';
export const SPREADSHEET_EXAMPLE = 'stock-and-prices-from-spreadsheet.json';
export const SYNC_EXAMPLE = 'nightly-catalogue-sync.json';

/** The example workflows that the demo imports. */
export const DEMO_EXAMPLES = [ORDER_PAID_EXAMPLE, LIST_PRODUCTS_EXAMPLE, RECENT_ORDERS_EXAMPLE];

/**
 * An example as a user has it after importing the file and choosing a credential: its triggers have their own webhook
 * addresses.
 */
export async function example(file: string, credential: Credential): Promise<WorkflowFile> {
	const workflow = JSON.parse(await readFile(join(EXAMPLES, file), 'utf8')) as WorkflowFile;
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => ({
			...node,
			...(node.webhookId !== undefined && { webhookId: randomUUID() }),
			...(node.type.startsWith(OUR_NODES) && {
				credentials: using(credential),
			}),
		})),
	};
}
