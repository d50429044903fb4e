import type { IDataObject } from 'n8n-workflow';

import { placeholders } from '../../shared/api/http';
import { InputError, PlatformError, settled } from '../../shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { readable } from '../../shared/values/json';
import { dryRunRecord, requestsOf } from './dryRun';
import type {
	BatchOperation,
	Items,
	Operation,
	OperationCall,
	PlannedItem,
	RecordOperation,
	SequenceOperation,
} from './operation';
import type { Item } from '../fields/field';
import { metadataOf } from './metadata';
import type { ItemPlan, Shape } from './plan';
import type { Run } from './run';
import { runAlone } from './runBatch';
import { runList } from './runList';
import { withTurns, type Turns } from './turns';

/**
 * Sends what an item asks for and turns the answers into output items, each linked to its input item.
 *
 * @param output takes the items as they come; they stay in it where the rest fails
 * @throws PlatformError, InputError, CancelledError
 */
export async function runItem(run: Run, plan: ItemPlan, output: Items): Promise<void> {
	const { operation } = run;
	if (operation.kind === 'batch') return await runAlone(run, operation, plan, output);
	const unsent = withoutSending(run, plan);
	if (unsent !== undefined) {
		output.push(toItem(run, plan, unsent));
		return;
	}
	if (!run.isWrite) return await sendItem(run, operation, { plan, output });
	await withTurns(async (turns) => await sendItem(run, operation, { plan, output, turns }));
}

async function sendItem(
	run: Run,
	operation: Exclude<Operation, BatchOperation>,
	{ plan, output, turns }: { plan: ItemPlan; output: Items; turns?: Turns },
): Promise<void> {
	const answers: Answers = {};
	const ready = await settled(callOf(run, plan, answers, turns));
	if (ready.status === 'rejected') {
		const instead = insteadOf(operation, plan, ready.reason);
		if (instead === undefined) throw ready.reason;
		output.push(toItem(run, plan, instead, answers.latest));
		return;
	}
	const call = ready.value;
	if (operation.kind === 'list') return await runList({ run, operation, plan, call, output });
	const record = await (operation.kind === 'record'
		? runRecord(operation, call, plan, answers)
		: operation.kind === 'delete'
			? runDelete(call, answers)
			: runSequence(operation, call, plan));
	output.push(toItem(run, plan, record, answers.latest));
}

/** What the user wants in place of an error with which an item could not be made ready. */
function insteadOf(operation: Operation, plan: ItemPlan, error: unknown): IDataObject | undefined {
	if (operation.kind !== 'record' || !(error instanceof InputError)) return undefined;
	const record = operation.recoverPrepare?.(plan, error);
	return record && plan.shape(record);
}

/** The result of an item for which nothing is sent: a dry run, or a write that would change nothing. */
function withoutSending(run: Run, plan: ItemPlan): IDataObject | undefined {
	if (plan.dryRun) {
		run.report.wouldSend(requestsOf(run.operation, plan));
		return dryRunRecord(run.operation, plan);
	}
	const current = run.unchanged?.get(plan.item.itemIndex);
	return current && plan.shape({ ...current, skipped: true });
}

/** An item of the output, linked to its input item. Only writes read or show numbers in the form to send. */
function toItem(
	run: Run,
	plan: ItemPlan,
	record: IDataObject,
	answer?: PlatformResponse,
): Items[number] {
	const shown = run.isWrite ? readable(record) : record;
	const json =
		plan.metadata && answer !== undefined
			? { ...shown, _meta: metadataOf(run.client, answer) }
			: shown;
	return { json, pairedItem: { item: plan.item.itemIndex } };
}

/** The answer that an item's record comes from: the latest that had a body. */
interface Answers {
	latest?: PlatformResponse;
}

async function callOf(
	run: Run,
	plan: ItemPlan,
	answers: Answers,
	turns?: Turns,
): Promise<OperationCall> {
	const { operation, client } = run;
	const { item, request, fields } = plan;
	const hint = (text: string) => run.report.hint(text);
	const turn = async (path: string) => await turns?.take(`${client.host} ${path}`);
	const call = { item, request, fields, client, hint, turn, send: senderOf(run, plan, answers) };
	const prepare = 'prepare' in operation ? operation.prepare : undefined;
	const prepared = prepare === undefined ? request : await prepare(call);
	const { idempotencyKey: ownKey } = prepared;
	if (ownKey !== undefined) run.writes.checkOwnKey(ownKey, prepared, 'sent');
	return { ...call, request: keyed(run, item, prepared) };
}

function senderOf(run: Run, { item }: PlannedItem, answers: Answers): OperationCall['send'] {
	return async (request, step) => {
		// A key of the user's stands for the item's one write, not for what is sent beside it.
		const own = { ...request, idempotencyKey: undefined };
		const response = await run.client.request(keyed(run, item, own, step));
		if (response.body !== undefined) answers.latest = response;
		return response;
	};
}

function keyed(run: Run, item: Item, request: PlatformRequest, step?: string) {
	return request.method === 'GET' ? request : run.writes.keyed(item.itemIndex, request, step);
}

async function runRecord(
	operation: RecordOperation,
	call: OperationCall,
	plan: ItemPlan,
	answers: Answers,
): Promise<IDataObject> {
	const { request, client } = call;
	const sent = await settled(client.request(request));
	if (sent.status === 'fulfilled') {
		answers.latest = sent.value;
		if (sent.value.status === 304) {
			return { notModified: true, id: Object.values(request.pathParams ?? {})[0] };
		}
		return recordOfAnswer(call, sent.value, plan.shape);
	}
	const error: unknown = sent.reason;
	const recovered =
		error instanceof PlatformError ? await operation.recover?.(call, error) : undefined;
	if (recovered === undefined) throw error;
	return plan.shape(recovered);
}

/** A write that was answered with success is done, also where the answer says no more than that. */
function recordOfAnswer(
	{ request, client }: OperationCall,
	response: PlatformResponse,
	shape: Shape,
): IDataObject {
	const { status, requestId, record } = response;
	if (record !== undefined) return shape(record);
	const { method, path, pathParams } = request;
	if (method !== 'GET') return { success: true, id: idOf(request, response), status };
	throw new PlatformError(
		'empty',
		{ method, path, pathParams, host: client.host },
		{ status, requestId },
	);
}

/** The record that a write was about, or the one that a create has made (Location header). */
function idOf({ path, pathParams }: PlatformRequest, { headers }: PlatformResponse) {
	const [name] = placeholders(path);
	if (name !== undefined) return pathParams?.[name]?.trim();
	const made = headers.location?.split(/[?#]/)[0].split('/').filter(Boolean).at(-1);
	return made;
}

async function runDelete(
	{ request, client }: OperationCall,
	answers: Answers,
): Promise<IDataObject> {
	answers.latest = await client.request(request);
	return { deleted: true, id: idOf(request, answers.latest) };
}

async function runSequence(
	operation: SequenceOperation,
	call: OperationCall,
	plan: ItemPlan,
): Promise<IDataObject> {
	return plan.shape(await operation.run(call));
}
