import { randomUUID } from 'node:crypto';
import type { INode, NodeParameterValueType } from 'n8n-workflow';

import { byId } from '../parameters';
import type { Credential, WorkflowFile } from './types';

type Parameters = Record<string, NodeParameterValueType>;

const COLUMN_WIDTH = 240;
/** The version that the editor gives a new trigger. */
const TRIGGER_VERSION = 1.1;

/** A node of this package, not yet part of a workflow. */
export const shopNode = (name: string, parameters: Parameters = {}): Partial<INode> => ({
	name,
	type: 'n8n-nodes-commerce-platform.commercePlatform',
	typeVersion: 1,
	parameters,
});

/** This package's webhook trigger with its own address. */
export const shopTrigger = (name: string, parameters: Parameters): Partial<INode> => ({
	name,
	type: 'n8n-nodes-commerce-platform.commercePlatformTrigger',
	typeVersion: TRIGGER_VERSION,
	webhookId: randomUUID(),
	// Without the record, since most tests count the requests of a delivery.
	parameters: { getFullRecord: false, ...parameters },
});

/** n8n allows no interval below a minute, but several times within one. */
export const THREE_TIMES_A_MINUTE = {
	item: [0, 20, 40].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
};

/**
 * For tests that stop n8n's database: n8n 2.41 that polled meanwhile sometimes never polled again, although its
 * schedule was still there.
 */
export const EVERY_MINUTE = { item: [{ mode: 'everyMinute' }] };

/** This package's changes trigger, polling often. */
export const changesTrigger = (name: string, parameters: Parameters): Partial<INode> => ({
	name,
	type: 'n8n-nodes-commerce-platform.commercePlatformChangesTrigger',
	parameters: { pollTimes: THREE_TIMES_A_MINUTE, ...parameters },
});

export const manualTrigger = (name: string): Partial<INode> => ({
	name,
	type: 'n8n-nodes-base.manualTrigger',
});

export const noOperation = (name: string): Partial<INode> => ({
	name,
	type: 'n8n-nodes-base.noOp',
});

/** A credential in the form that a node has it. */
export const using = ({ id, name, type }: Credential) => ({ [type]: { id, name } });

/** A workflow of nodes in a line; each of this package's nodes has the credential. */
export function chain(
	name: string,
	credential: Credential,
	parts: Array<Partial<INode>>,
): WorkflowFile {
	const nodes = parts.map((part, column): INode => ({
		id: randomUUID(),
		name: `Node ${column}`,
		type: '',
		typeVersion: 1,
		position: [column * COLUMN_WIDTH, 0],
		parameters: {},
		...(part.type?.startsWith('n8n-nodes-commerce-platform.') && {
			credentials: using(credential),
		}),
		...part,
	}));
	const links = nodes
		.slice(0, -1)
		.map((node, column) => [
			node.name,
			{ main: [[{ node: nodes[column + 1].name, type: 'main' as const, index: 0 }]] },
		]);
	return { name, nodes, connections: Object.fromEntries(links) };
}

/** The note that {@link notePaidOrder} writes. */
export const NOTE = 'Written by n8n';

/** Trigger → read the order → write to it. */
export function notePaidOrder(credential: Credential): WorkflowFile {
	return chain('Note paid orders', credential, [
		shopTrigger('Order Paid', { events: ['order.paid'] }),
		shopNode('Get', {
			resource: 'order',
			operation: 'get',
			orderId: byId('={{ $json.payload.id }}'),
		}),
		shopNode('Note', {
			resource: 'order',
			operation: 'update',
			orderId: byId('={{ $json.id }}'),
			updateFields: { merchant_note: NOTE },
		}),
	]);
}
