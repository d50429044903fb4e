import type {
	IDataObject,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { PlatformError } from '../../shared/errors/errors';
import { errorJson } from '../../shared/errors/nodeErrors';
import type { Item } from '../fields/field';
import type { Operation } from './operation';
import { pairedWith } from './pairedWith';
import { isDirectMode } from './target';

/** Fields that say which record an item is about, and their names in the API document. */
const KEYS: Readonly<Record<string, string>> = {
	customerId: 'customer_id',
	locationId: 'location_id',
	orderId: 'order_id',
	productId: 'product_id',
	sku: 'sku',
	webhookId: 'webhook_id',
};

/** An item that failed. */
export interface FailedItem {
	item: Item;
	/** All items that failed with it, itself first; it alone where undefined. */
	together?: readonly number[];
	operation: Operation;
	/** What was thrown. */
	cause?: unknown;
}

/**
 * What Continue On Fail gives in place of a failed item's result, for the regular or the error output: the error,
 * the item's index, and what the item is about.
 */
export function failedItem(
	node: INode,
	error: NodeApiError | NodeOperationError,
	{ item: scope, together = [scope.itemIndex], operation, cause }: FailedItem,
): INodeExecutionData {
	const { itemIndex } = scope;
	// The key of one item would say nothing of the others.
	const about = together.length > 1 ? { itemIndexes: [...together] } : keysOf(operation, scope);
	const json = { ...errorJson(error), ...progressOf(cause), itemIndex, ...about };
	const item: INodeExecutionData = { json, pairedItem: pairedWith(together) };
	if (node.onError === 'continueErrorOutput') {
		// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
		// would be copied too, and n8n would then cut the JSON down to the message.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

/** Left out is what is empty, or cannot be read: that is then what the error says. */
function keysOf({ fields, keyOf }: Operation, item: Item): IDataObject {
	const keys: IDataObject = {};
	const enter = (key: string, read: () => unknown) => {
		try {
			const value = read();
			if (typeof value === 'number' || (typeof value === 'string' && value !== ''))
				keys[key] = value;
		} catch {
			return;
		}
	};
	for (const { name } of fields) {
		if (name in KEYS)
			enter(namedBy(KEYS[name], item.locatorMode(name)), () => item.resourceId(name));
	}
	if (keyOf !== undefined) enter(keyOf.name, () => keyOf.read(item));
	return keys;
}

/** What is not named by its ID has the name of its locator's mode, e.g. `order_number`. */
const namedBy = (key: string, mode: unknown): string =>
	isDirectMode(mode) ? key : key.replace(/_id$/, `_${String(mode)}`);

/** How far a list had come, so that a workflow can go on from there. */
function progressOf(cause: unknown): { fetched?: number; cursor?: string; sort?: string } {
	if (!(cause instanceof PlatformError) || cause.details.cursor === undefined) return {};
	const { fetched, cursor, sort } = cause.details;
	return sort === undefined ? { fetched, cursor } : { fetched, cursor, sort };
}
