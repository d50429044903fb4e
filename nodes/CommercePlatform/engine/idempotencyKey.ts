import { createHash } from 'node:crypto';

import { stringifyExactly } from '../../shared/values/json';
import { checkHeaderValue } from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';

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
 * itself runs the node again (Retry On Fail keeps execution, run and item), and another for anything else. It
 * covers the request as well, because execution ids repeat where a database is restored or copied.
 *
 * @param request its method, path and body count; left out where the step says already what is written
 * @returns 43 printable characters
 */
export function idempotencyKeyOf(identity: WriteIdentity, request?: WrittenRequest): string {
	const parts = [
		identity.workflowId,
		identity.nodeId,
		identity.executionId,
		identity.runIndex,
		identity.itemIndex,
		identity.operation,
		identity.step ?? '',
		request === undefined ? '' : requestDigest(request),
	];
	return digest(JSON.stringify(parts));
}

/** The parts of a request that say what is written. */
export type WrittenRequest = Pick<PlatformRequest, 'method' | 'path' | 'pathParams' | 'body'>;

/**
 * Tells two writes apart: the same for the same method, path and body, whatever the order of the keys in
 * `pathParams`. For a check that one key of the user's does not stand for two different requests.
 *
 * @returns 43 printable characters
 */
export function requestDigest({ method, path, pathParams, body }: WrittenRequest): string {
	const ids = Object.entries(pathParams ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
	return digest(stringifyExactly([method, path, ids, body ?? null]));
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}

/**
 * Checks a key that the user chose.
 *
 * @throws InputError unless it is 1..255 printable ASCII characters
 */
export function checkIdempotencyKey(key: unknown): string {
	return checkHeaderValue('Idempotency Key', key, 255);
}
