import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import { idempotencyKeyOf, type WriteIdentity } from '../../shared/api/idempotencyKey';
import { executionIdOf } from './itemMemory';
import { sendOptionsOf } from './nodeOptions';
import { Report } from './report';
import type { ItemScope, Operation, Resource } from './operation';

/** What all items of a run have in common. */
export interface Run {
	operation: Operation;
	/** e.g. `order.update` */
	name: string;
	client: PlatformClient;
	/** Tells this run's writes apart from any other's. */
	identity: Omit<WriteIdentity, 'itemIndex' | 'operation' | 'step'>;
	report: Report;
}

/**
 * Begins a run over input items.
 *
 * @param first the item whose options count for the whole run
 * @throws CredentialError, InputError
 */
export async function startRun(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	resource: Resource,
	operation: Operation,
	first: ItemScope,
): Promise<Run> {
	const client = await createClient(context, sendOptionsOf(first));
	return {
		operation,
		name: `${resource.value}.${operation.option.value}`,
		client,
		report: new Report(context, client),
		identity: {
			workflowId: context.getWorkflow().id ?? '',
			nodeId: context.getNode().id,
			executionId: executionIdOf(context) ?? randomUUID(),
			runIndex: context.getWorkflowDataProxy(first.itemIndex).$runIndex as number,
		},
	};
}

/**
 * The Idempotency-Key of one of an item's writes.
 *
 * @param step tells the requests of an operation apart where it sends several
 */
export function keyOf(run: Run, item: ItemScope, step?: string): string {
	return idempotencyKeyOf({
		...run.identity,
		itemIndex: item.itemIndex,
		operation: run.name,
		step,
	});
}

/**
 * The same for a write of several items.
 *
 * @param content makes a key of its own for every body
 */
export function keyOfItems(run: Run, itemIndexes: readonly number[], content: string): string {
	return idempotencyKeyOf({
		...run.identity,
		itemIndex: itemIndexes[0],
		operation: run.name,
		step: `${itemIndexes.join(' ')} ${content}`,
	});
}
