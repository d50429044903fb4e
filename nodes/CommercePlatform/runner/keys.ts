import { createHash, randomUUID } from 'node:crypto';

import type { PlatformRequest } from '../../shared/rest/request';

/** Makes the keys of one execution differ from those of every other, even if n8n gives an execution ID twice. */
export const newSeed = (): string => randomUUID();

/** The same for the same method, path and body, whatever the order of `pathParams`. */
export function digestOf({ method, path, pathParams, body }: PlatformRequest): string {
	const ids = Object.entries(pathParams ?? {}).sort();
	return digest([method, path, ids, body ?? null]);
}

/**
 * Makes the Idempotency-Key of a write (API document, "Conventions").
 *
 * @param seed of the node's execution, see {@link newSeed}
 * @param parts what distinguishes the write from the others of the execution
 * @returns 43 printable characters
 */
export const keyOf = (seed: string, parts: ReadonlyArray<string | number>): string =>
	digest([seed, ...parts]);

const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');
