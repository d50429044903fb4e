import type { IDataObject } from 'n8n-workflow';

import { CREDENTIAL } from '../../shared/rest/request';
import type { InputItems } from './inputItems';
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
	const { context, first, total } = inputs;
	const itemIndexes = Array.from({ length: total }, (_, offset) => first + offset);
	const credentials = new Map<number, IDataObject>();
	await inParallel(itemIndexes, CREDENTIALS_AT_ONCE, async (itemIndex) => {
		try {
			const credential = await ('getItemIndex' in context
				? context.getCredentials<IDataObject>(CREDENTIAL)
				: context.getCredentials<IDataObject>(CREDENTIAL, itemIndex));
			credentials.set(itemIndex, credential);
		} catch (error) {
			failed(itemIndex, error);
		}
	});
	const merchants = new Map<string, MerchantItems>();
	for (const itemIndex of itemIndexes) {
		const credential = credentials.get(itemIndex);
		if (credential === undefined) continue;
		const { baseUrl, apiKey } = credential;
		const merchantKey = JSON.stringify([baseUrl, apiKey]);
		const merchant = merchants.get(merchantKey) ?? { credential, itemIndexes: [] };
		merchant.itemIndexes.push(itemIndex);
		merchants.set(merchantKey, merchant);
	}
	return [...merchants.values()];
}
