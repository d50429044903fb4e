import type { IDataObject } from 'n8n-workflow';

import type { PlatformResponse } from '../../shared/api/request';
import { InputError, PlatformError, settled } from '../../shared/errors/errors';
import { metadataOf } from '../engine/metadata';
import type { Call, EachOperation, Items, Operation } from '../engine/operation';
import type { ItemPlan } from '../engine/plan';
import type { Run } from '../engine/run';
import { runAlone } from '../engine/runBatch';
import { runList } from '../engine/runList';
import { needsLookUp } from '../engine/target';
import { callOf, dryRunRecord, WouldWrite } from './call';
import { withLocks } from './lock';

/**
 * Sends what an item asks for and turns the answers into output items, each linked to its input item.
 *
 * @param output takes the items as they come; they stay in it where the rest fails
 * @throws PlatformError, InputError, CancelledError
 */
export async function runItem(run: Run, plan: ItemPlan, output: Items): Promise<void> {
	const { operation } = run;
	if (operation.kind === 'all') return await runAlone(run, operation, plan, output);
	const current = plan.dryRun ? undefined : run.unchanged?.get(plan.item.itemIndex);
	if (current !== undefined)
		output.push(toItem(run, plan, plan.shape({ ...current, skipped: true })));
	else if (operation.kind === 'list')
		await runList({ run, operation, plan, call: callOf(run, plan).call, output });
	else if (run.isWrite && !plan.dryRun)
		await withLocks(async (lock) => {
			output.push(await runEach(run, plan, callOf(run, plan, lock)));
		});
	else output.push(await runEach(run, plan, callOf(run, plan)));
}

async function runEach(
	run: Run,
	plan: ItemPlan,
	of: ReturnType<typeof callOf>,
): Promise<Items[number]> {
	const result = await settled(workOf(run.operation)(of.call));
	if (result.status === 'fulfilled') {
		// What was not modified is no record.
		const record = of.answer?.status === 304 ? result.value : plan.shape(result.value);
		return toItem(run, plan, record, of.answer);
	}
	const reason: unknown = result.reason;
	if (!(reason instanceof WouldWrite)) throw reason;
	const { operation } = run;
	const sent = 1 + of.reads + (needsLookUp(operation, plan) ? 1 : 0);
	const requests = (operation.kind === 'each' ? operation.requests : undefined) ?? sent;
	run.report.wouldSend(requests);
	return toItem(run, plan, dryRunRecord(reason.request, requests));
}

/** An item of the output, linked to its input item. */
function toItem(
	run: Run,
	plan: ItemPlan,
	record: IDataObject,
	answer?: PlatformResponse,
): Items[number] {
	const json =
		plan.metadata && answer !== undefined
			? { ...record, _meta: metadataOf(run.client, answer) }
			: record;
	return { json, pairedItem: { item: plan.item.itemIndex } };
}

type Work = NonNullable<EachOperation['run']>;

const oneRequest: Work = async (call) => await call.record(call.request);

/** What an operation does for an item. */
function workOf(operation: Operation): Work {
	if (operation.kind === 'each') return operation.run ?? oneRequest;
	if (operation.kind === 'list' || operation.kind === 'all') return oneRequest;
	return async (call) => {
		const ready = await settled(operation.prepare?.(call) ?? Promise.resolve(call.request));
		if (ready.status === 'rejected') {
			const reason: unknown = ready.reason;
			const instead =
				operation.kind === 'record' && reason instanceof InputError
					? operation.recoverPrepare?.(call, reason)
					: undefined;
			if (instead === undefined) throw reason;
			return instead;
		}
		const prepared: Call = { ...call, request: ready.value };
		if (operation.kind === 'sequence') return await operation.run(prepared);
		const sent = await settled(call.record(ready.value));
		if (sent.status === 'fulfilled') return sent.value;
		const error: unknown = sent.reason;
		const recovered =
			operation.kind === 'record' && error instanceof PlatformError
				? await operation.recover?.(prepared, error)
				: undefined;
		if (recovered === undefined) throw error;
		return recovered;
	};
}
