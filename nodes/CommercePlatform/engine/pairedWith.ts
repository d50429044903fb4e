import type { INodeExecutionData } from 'n8n-workflow';

/** The link of an output item to the input items that led to it. */
export function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first] = itemIndexes;
	return itemIndexes.length === 1 ? { item: first } : itemIndexes.map((item) => ({ item }));
}
