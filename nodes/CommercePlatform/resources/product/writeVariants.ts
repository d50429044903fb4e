import type { IDataObject } from 'n8n-workflow';

import { InputError, type PlatformError } from '../../../shared/errors/errors';
import type { PlatformRequest } from '../../../shared/api/request';
import { isConflict } from '../../engine/conflict';
import { describe } from '../../../shared/values/readers';
import { choice } from '../../fields/build';
import type { OperationCall, PlannedItem } from '../../engine/operation';
import { checkNamedOnce } from '../../merge/namedOnce';
import { mergeAgain, mergedRequest, readProduct } from '../../merge/mergeWrite';
import { productByHandle } from './productId';

const MERGE = 'merge';
const REPLACE = 'replace';

/** What becomes of the variants and prices that an update does not name. */
export const writeVariants = choice(
	'Variants',
	'writeVariants',
	{
		[MERGE]: [
			'Merge by SKU and Currency',
			'Read the product first, and change only the variants and prices that you enter: one more request',
		],
		[REPLACE]: [
			'Replace All',
			'Send your variants as the whole list: the platform may delete every variant, price and title that you do not enter',
		],
	},
	'What happens to the variants and prices that you do not enter. Counts only if you enter variants. Merging adds a new SKU only if it has a title.',
	{ noDataExpression: true },
);

/** Finds the product, and merges the variants of the update into those that it has. */
export async function mergeIntoProduct(call: OperationCall): Promise<PlatformRequest> {
	const request = await productByHandle(call);
	const named = namedVariants(call);
	if (named === undefined) return request;
	const read = async (one: PlatformRequest) => await call.send(one, 'read');
	const current = await readProduct({ ...call.client, request: read }, idIn(request));
	return mergedRequest(request, current, writeVariants.displayName, named);
}

/** Merges once more where the product was changed in the meantime. */
export async function mergeAfterConflict(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	const named = namedVariants(call);
	if (named === undefined || !isConflict(error)) return undefined;
	const { 'If-Match': refused, ...headers } = call.request.headers ?? {};
	const request = { ...call.request, headers };
	const answer = await mergeAgain(
		error,
		refused,
		async () => await readProduct(call.client, idIn(request)),
		async (current, attempt) =>
			await call.send(
				mergedRequest(request, current, writeVariants.displayName, named),
				`merge ${attempt}`,
			),
	);
	return answer.record ?? { success: true, id: idIn(request), status: answer.status };
}

/**
 * The variants to merge.
 *
 * @returns undefined where none are, or where they are to replace all others
 * @throws InputError
 */
export function namedVariants({ item, fields }: PlannedItem): IDataObject[] | undefined {
	const { variants } = fields;
	// An empty list is what Fields to Clear sends.
	if (!Array.isArray(variants) || variants.length === 0) return undefined;
	const chosen = item.parameter(writeVariants.name, MERGE);
	if (chosen === MERGE) return variants as IDataObject[];
	if (chosen === REPLACE) return undefined;
	throw new InputError(writeVariants.displayName, `cannot be ${describe(chosen)}`);
}

/**
 * Refuses rows that say two things of one price, before the product is read.
 *
 * @throws InputError
 */
export function checkNamedVariants(planned: PlannedItem): void {
	checkNamedOnce(writeVariants.displayName, namedVariants(planned) ?? []);
}

const idIn = ({ pathParams }: PlatformRequest) => (pathParams?.productId ?? '').trim();
