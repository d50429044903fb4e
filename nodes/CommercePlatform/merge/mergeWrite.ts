import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { PlatformError, settled } from '../../shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { parseExactly } from '../../shared/values/json';
import { isConflict } from '../run/each';
import { mergeVariants, notCertain } from './mergeVariants';

/** Others that write this often to one product will not let us win by trying on. Writes, the first included. */
const MAX_WRITES = 4;

/** A tag that If-Match may carry: weak ones never match there (RFC 9110, 13.1.1). */
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;

/** A product as it was read for a write. */
export interface CurrentProduct {
	product: IDataObject;
	/** Of the version that was read. */
	etag?: string;
	/** Its numbers that would change on the way back, as they are written. */
	inexact?: readonly string[];
}

/**
 * Reads a product of which parts are to be sent back.
 *
 * @throws PlatformError
 */
export async function readProduct(
	client: Pick<PlatformClient, 'host' | 'request'>,
	id: string,
): Promise<CurrentProduct> {
	const request: PlatformRequest = {
		method: 'GET',
		path: '/products/{productId}',
		pathParams: { productId: id },
		pathLabels: { productId: 'Product' },
		forReturn: true,
	};
	const { record, status, requestId, headers, inexact } = await client.request(request);
	if (record === undefined)
		throw new PlatformError('empty', { ...request, host: client.host }, { status, requestId });
	const { etag = '' } = headers;
	return { product: record, etag: STRONG_TAG.test(etag) ? etag : undefined, inexact };
}

/**
 * The write of a product with what was named merged into its variants.
 *
 * @param request PATCH of the product, with its other fields
 * @throws InputError as `mergeVariants` does
 */
export function mergedRequest(
	request: PlatformRequest,
	{ product, etag, inexact = [] }: CurrentProduct,
	field: string,
	named: readonly IDataObject[],
): PlatformRequest {
	const variants = mergeVariants(field, product.variants, named);
	checkExact(field, product, variants, inexact);
	return underVersion({ ...request, body: { ...request.body, variants } }, etag);
}

/** Every variant is sent back, and a number that is not held exactly would be another one then. */
function checkExact(
	field: string,
	{ id, title = id }: IDataObject,
	variants: readonly IDataObject[],
	inexact: readonly string[],
): void {
	const text = inexact.length === 0 ? '' : JSON.stringify(variants);
	const lost = inexact.find((one) => text.includes(JSON.stringify(parseExactly(one))));
	if (lost === undefined) return;
	const why = `“${String(title)}” holds ${lost}, which no number can hold exactly`;
	throw notCertain(field, why);
}

/** The request for the version that was read, where the platform told it. */
export const underVersion = (request: PlatformRequest, etag?: string): PlatformRequest =>
	etag === undefined ? request : { ...request, headers: { ...request.headers, 'If-Match': etag } };

/**
 * Writes what was merged, and reads, merges and writes again after a conflict.
 *
 * @param first the product as it was read
 * @param write sends the merged write; attempts are counted from 1
 * @throws PlatformError
 */
export async function writeMerged(
	first: CurrentProduct,
	read: () => Promise<CurrentProduct>,
	write: (current: CurrentProduct, attempt: number) => Promise<PlatformResponse>,
): Promise<PlatformResponse> {
	return await write(first, 1).catch(async (error: unknown) => {
		if (!isConflict(error)) throw error;
		return await mergeAgain(error, first.etag, read, write);
	});
}

/**
 * Reads, merges and writes again after a conflict, in which nothing was written.
 *
 * @param refusedTag the ETag with which the write was refused
 * @param write sends the merged write; attempts are counted from 2
 * @throws PlatformError of the last conflict, or whatever else fails
 */
export async function mergeAgain(
	conflict: PlatformError,
	refusedTag: string | undefined,
	read: () => Promise<CurrentProduct>,
	write: (current: CurrentProduct, attempt: number) => Promise<PlatformResponse>,
): Promise<PlatformResponse> {
	let last = conflict;
	let refused = refusedTag;
	for (let attempt = 2; attempt <= MAX_WRITES; attempt++) {
		const { product, etag } = await read();
		// Refused although nothing has changed: the platform does not take its ETags in If-Match.
		const usable = etag === refused ? undefined : etag;
		const written = await settled(write({ product, etag: usable }, attempt));
		if (written.status === 'fulfilled') return written.value;
		if (!isConflict(written.reason)) throw written.reason;
		last = written.reason;
		refused = usable;
	}
	throw last;
}
