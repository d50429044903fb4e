import { createHash } from 'node:crypto';

import { checkHeaderValue } from './path';

/** What makes a write one and the same write. */
export interface WriteIdentity {
	workflowId: string;
	nodeId: string;
	executionId: string;
	runIndex: number;
	itemIndex: number;
	/** e.g. `order.cancel` */
	operation: string;
	/** Tells the requests of one operation apart where it sends several. */
	step?: string;
}

/**
 * The Idempotency-Key of a write (API document, "Conventions"): the same for every attempt, also when n8n
 * itself runs the node again (Retry On Fail keeps execution, run and item), and another for anything else.
 *
 * @returns 43 printable characters
 */
export function idempotencyKeyOf(identity: WriteIdentity): string {
	const parts = [
		identity.workflowId,
		identity.nodeId,
		identity.executionId,
		identity.runIndex,
		identity.itemIndex,
		identity.operation,
		identity.step ?? '',
	];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * Checks a key that the user chose.
 *
 * @throws InputError unless it is 1..255 printable ASCII characters
 */
export function checkIdempotencyKey(key: unknown): string {
	return checkHeaderValue('Idempotency Key', key, 255);
}
