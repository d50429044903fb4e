import type { IDataObject } from 'n8n-workflow';

import { rawCredentialOf } from '../../shared/n8n';
import { CREDENTIAL } from '../../shared/rest/request';
import { isObject } from '../../shared/values/json';
import { holdsExpression, type InputItems } from './inputItems';
import { inParallel } from './pool';

/** Items of a run whose credential has the same address and key. They go to one merchant. */
export interface MerchantItems {
	/** The credential as n8n has resolved it for these items. */
	credential: IDataObject;
	/** In input order. */
	itemIndexes: number[];
}

/** How many credentials n8n is asked for at once. Each one is a query of its database. */
const CREDENTIALS_AT_ONCE = 20;

/**
 * Groups the items of a run by merchant. A credential's fields can be expressions, which n8n resolves for each item. So
 * the items of one run may go to several shops.
 *
 * @param failed receives an item whose credential cannot be read
 * @returns groups in the order of their first items
 */
export async function itemsByMerchant(
	inputs: InputItems,
	failed: (itemIndex: number, error: unknown) => void,
): Promise<MerchantItems[]> {
	const { first, total } = inputs;
	const itemIndexes = Array.from({ length: total }, (_, offset) => first + offset);
	const shared = total > 2 ? await sharedCredential(inputs) : undefined;
	if (shared !== undefined) return [{ credential: shared, itemIndexes }];
	const credentials = new Map<number, IDataObject>();
	await inParallel(itemIndexes, CREDENTIALS_AT_ONCE, async (itemIndex) => {
		try {
			credentials.set(itemIndex, await credentialOf(inputs, itemIndex));
		} catch (error) {
			failed(itemIndex, error);
		}
	});
	const merchants = new Map<string, MerchantItems>();
	for (const itemIndex of itemIndexes) {
		const credential = credentials.get(itemIndex);
		if (credential === undefined) continue;
		const merchantKey = keyOf(credential);
		const merchant = merchants.get(merchantKey) ?? { credential, itemIndexes: [] };
		merchant.itemIndexes.push(itemIndex);
		merchants.set(merchantKey, merchant);
	}
	return [...merchants.values()];
}

const keyOf = ({ baseUrl, apiKey }: IDataObject): string => JSON.stringify([baseUrl, apiKey]);

const credentialOf = async ({ context }: InputItems, itemIndex: number): Promise<IDataObject> =>
	await ('getItemIndex' in context
		? context.getCredentials<IDataObject>(CREDENTIAL)
		: context.getCredentials<IDataObject>(CREDENTIAL, itemIndex));

/**
 * The credential of all items, if it holds no expression, and n8n resolves it to what was entered.
 *
 * @returns undefined if it may differ between items, or cannot be read
 */
async function sharedCredential(inputs: InputItems): Promise<IDataObject | undefined> {
	const { context, node, first, total } = inputs;
	const entered = await rawCredentialOf(context, CREDENTIAL);
	if (!isObject(entered) || holdsExpression([entered, node.credentials])) return undefined;
	try {
		const credential = await credentialOf(inputs, first);
		const last = await credentialOf(inputs, first + total - 1);
		const isShared = [credential, last].every((each) => keyOf(each) === keyOf(entered));
		return isShared ? credential : undefined;
	} catch {
		return undefined;
	}
}
