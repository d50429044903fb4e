import type { IDataObject } from 'n8n-workflow';

import { newestFirst } from '../../shared/api/pages';
import type { FetchedPage } from '../../shared/api/answer';
import { inParallel } from '../bulk/inParallel';
import { metadataOf } from './metadata';
import type { Items, ListOperation, OperationCall } from './operation';
import { asItIs, type ItemPlan } from './plan';
import type { Rows } from './rows';
import type { Run } from './run';

/** One item's list. */
interface ListRun {
	run: Run;
	operation: ListOperation;
	plan: ItemPlan;
	call: OperationCall;
	/** Takes the items as they come. */
	output: Items;
}

/** Records of which the platform does not show what the rows are made of. */
interface Shortfall {
	records: number;
}

/**
 * Reads what an item asks for of a list: an item a record, a page, or a row of a record.
 *
 * @throws PlatformError, CancelledError
 */
export async function runList(list: ListRun): Promise<void> {
	const { operation, plan, call, output } = list;
	const found = await operation.find?.(call);
	if (found !== undefined) return emitFound(list, found);
	// One object for all: at 300,000 items an object each would be felt.
	const pairedItem = { item: plan.item.itemIndex };
	const shortfall: Shortfall = { records: 0 };
	let read = 0;
	for await (const page of pagesOf(list)) {
		const meta = plan.metadata ? { _meta: metadataOf(call.client, page.response) } : undefined;
		if (page.response.status === 304)
			output.push({ json: { notModified: true, ...meta }, pairedItem });
		read += page.records.length;
		list.run.report.progress(read, plan.list?.limit, 'records');
		const whole = await rowsOf(list, page.records, shortfall);
		const records = plan.shape === asItIs ? whole : whole.map(plan.shape);
		if (plan.list?.output === 'pages') {
			const pagination = page.pagination ?? {};
			output.push({ json: { data: records, pagination, ...meta }, pairedItem });
			continue;
		}
		for (const record of records)
			output.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
	}
	if (shortfall.records > 0) call.hint(`${operation.rows?.missing ?? ''} ${shortfall.records}.`);
}

function pagesOf({ operation, plan, call }: ListRun): AsyncGenerator<FetchedPage> {
	const { takesQuery, keyset } = operation;
	const options = { ...plan.list, takesQuery, keyset };
	return plan.newestFirst
		? newestFirst(call.client, call.request, options)
		: call.client.pages(call.request, options);
}

/** What was found without a walk; it comes from several answers, so it has no metadata of one. */
function emitFound({ plan, output }: ListRun, found: IDataObject[]): void {
	const pairedItem = { item: plan.item.itemIndex };
	const records = found.slice(0, plan.list?.limit).map(plan.shape);
	if (plan.list?.output === 'pages')
		output.push({ json: { data: records, pagination: {} }, pairedItem });
	else for (const json of records) output.push({ json, pairedItem });
}

async function rowsOf(
	{ operation: { rows }, plan, call }: ListRun,
	records: IDataObject[],
	shortfall: Shortfall,
): Promise<IDataObject[]> {
	if (rows === undefined || plan.list?.output !== rows.output) return records;
	const whole = await wholeRecords(call, rows, records);
	shortfall.records += whole.filter((record) => !rows.isWhole(record)).length;
	return whole.flatMap(rows.of);
}

/** Reads the records of which the list leaves out what the rows are made of, some at a time. */
async function wholeRecords(
	{ client }: OperationCall,
	{ isWhole, recordPath }: Rows,
	records: IDataObject[],
): Promise<IDataObject[]> {
	const whole = [...records];
	await inParallel([...records.keys()], client.options.maxInFlight, async (index) => {
		const record = records[index];
		if (isWhole(record) || typeof record.id !== 'string') return;
		const pathParams = { id: record.id };
		const answer = await client.request({ method: 'GET', path: recordPath, pathParams });
		whole[index] = answer.record ?? record;
	});
	return whole;
}
