import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { errorContextOf } from './collect';
import { failedItem } from './failedItem';
import { InputItem } from '../run/item';
import { requestReader } from '../run/readRequest';
import type { Items, Resource } from './operation';
import { planItem } from './plan';
import { startRun } from './run';
import { runItem } from '../run/each';
import { findUnchangedItems } from './unchanged';

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

/**
 * Runs an item in the places where n8n insists on its RoutingNode (a node used as an AI tool, an operation given
 * by an expression). What the engine has made of the item is left alone.
 *
 * @returns what `requestOperations.pagination` holds; it is asked where `send.paginate` is true
 */
export function paginationOf(resources: Resource[]): Pagination {
	return async function (this) {
		const { resource, operation } = find(
			resources,
			this.getNodeParameter('resource'),
			this.getNodeParameter('operation'),
		);
		const item = InputItem.ofOne(this);
		const items: Items = [];
		try {
			const run = await startRun(this, resource, operation, item);
			const plan = planItem(run, item, requestReader(operation, item.node)(item));
			await findUnchangedItems(run, [plan]);
			await runItem(run, plan, items);
			run.report.end();
			return items;
		} catch (error) {
			const errorContext = errorContextOf(resource, operation, error);
			const nodeError = toNodeError(this.getNode(), error, errorContext, item.itemIndex);
			if (!this.continueOnFail()) throw nodeError;
			items.push(failedItem(this.getNode(), nodeError, { item, operation, cause: error }));
			return items;
		}
	};
}

function find(resources: Resource[], resourceName: unknown, operationName: unknown) {
	const resource = resources.find(({ value }) => value === resourceName);
	const operation = resource?.operations.find(({ option }) => option.value === operationName);
	if (resource === undefined || operation === undefined) {
		throw new TypeError(
			`There is no operation “${String(operationName)}” for “${String(resourceName)}”`,
		);
	}
	return { resource, operation };
}
