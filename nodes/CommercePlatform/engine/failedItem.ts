import type {
	IDataObject,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { errorJson } from '../../shared/api/nodeErrors';
import { PlatformError } from '../../shared/api/platformError';
import type { Operation } from './operation';

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
	itemIndex: number;
	operation: Operation;
	/** The item's value of a parameter; of a resource locator, the ID. May throw. */
	parameter: (name: string) => unknown;
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
	{ itemIndex, operation, parameter, cause }: FailedItem,
): INodeExecutionData {
	const keys = keysOf(operation, parameter);
	const json = { ...errorJson(error), ...progressOf(cause), itemIndex, ...keys };
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	if (node.onError === 'continueErrorOutput') {
		// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
		// would be copied too, and n8n would then cut the JSON down to the message.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

/** Left out is what is empty, or cannot be read: that is then what the error says. */
function keysOf({ fields }: Operation, parameter: FailedItem['parameter']): IDataObject {
	const keys: IDataObject = {};
	for (const { name } of fields) {
		if (!(name in KEYS)) continue;
		try {
			const value: unknown = parameter(name);
			if (typeof value === 'number' || (typeof value === 'string' && value !== ''))
				keys[KEYS[name]] = value;
		} catch {
			continue;
		}
	}
	return keys;
}

/** How far a list had come, so that a workflow can go on from there. */
function progressOf(cause: unknown): { fetched?: number; cursor?: string } {
	if (!(cause instanceof PlatformError) || cause.details.cursor === undefined) return {};
	const { fetched, cursor } = cause.details;
	return { fetched, cursor };
}
