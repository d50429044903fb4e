import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../isObject';

/**
 * The record of an answer: `{ data: resource }` (API document, "Conventions") or the bare resource.
 *
 * @returns undefined where the body holds none
 */
export function recordOf(body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	if (isObject(body.data)) return body.data;
	return body.data === null ? undefined : body;
}
