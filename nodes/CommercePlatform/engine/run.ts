import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import { idempotencyKeyOf } from '../../shared/api/idempotencyKey';
import { executionIdOf } from './itemMemory';
import { sendOptionsOf } from './nodeOptions';
import { Report } from './report';
import type { ItemScope, Operation, Resource } from './operation';
import { Writes, type RunIdentity } from './writes';

/** What all items of a run have in common. */
export interface Run {
	operation: Operation;
	/** e.g. `order.update` */
	name: string;
	client: PlatformClient;
	/** Tells this run's writes apart from any other's. */
	identity: RunIdentity;
	writes: Writes;
	report: Report;
	/** The records of the items that would change nothing, by the items' indexes. */
	unchanged?: ReadonlyMap<number, IDataObject>;
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
	const name = `${resource.value}.${operation.option.value}`;
	const identity: RunIdentity = {
		workflowId: context.getWorkflow().id ?? '',
		nodeId: context.getNode().id,
		executionId: executionIdOf(context) ?? randomUUID(),
		runIndex: context.getWorkflowDataProxy(first.itemIndex).$runIndex as number,
		operation: name,
	};
	const writes = new Writes(context, identity);
	return { operation, name, client, report: new Report(context, client), identity, writes };
}

/**
 * The Idempotency-Key of a write of several items.
 *
 * @param content makes a key of its own for every body
 */
export function keyOfItems(run: Run, itemIndexes: readonly number[], content: string): string {
	return idempotencyKeyOf({
		...run.identity,
		itemIndex: itemIndexes[0],
		step: `${itemIndexes.join(' ')} ${content}`,
	});
}
