import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { newestFirst } from '../../shared/api/pages';
import type { PlatformResponse } from '../../shared/api/request';
import type { Call, Items, ListCall, ListOperation, ListPage, Rows } from './operation';
import { asItIs, type ItemPlan } from './plan';
import { inParallel } from './pool';
import type { Run } from './run';

/** One item's list. */
interface ListRun {
	run: Run;
	operation: ListOperation;
	plan: ItemPlan;
	call: Call;
	/** Takes the items as they come. */
	output: Items;
}

/**
 * Reads what an item asks for of a list: an item a record, a page, or a row of a record.
 *
 * @throws PlatformError, CancelledError
 */
export async function runList(list: ListRun): Promise<void> {
	const { operation, plan, call, output } = list;
	// One object for all: at 300,000 items an object each would be felt.
	const pairedItem = { item: plan.item.itemIndex };
	const rows = plan.list?.output === operation.rows?.output ? operation.rows : undefined;
	/** Records of which the platform does not show what the rows are made of. */
	let missing = 0;
	let read = 0;
	const listCall: ListCall = { ...call, pages: (limit) => pagesOf(list, limit) };
	const pages = operation.run?.(listCall) ?? listCall.pages();
	const limit = plan.list?.limit ?? Number.POSITIVE_INFINITY;
	for await (const { response, pagination, ...page } of pages) {
		let records = page.records.slice(0, limit - read);
		read += records.length;
		list.run.report.progress(read, plan.list?.limit, 'records');
		const isShown = plan.metadata && response !== undefined;
		const meta = isShown ? { _meta: metadataOf(call.client, response) } : undefined;
		if (response?.status === 304) output.push({ json: { notModified: true, ...meta }, pairedItem });
		if (rows !== undefined) {
			const whole = await wholeRecords(call, rows, records);
			missing += whole.filter((record) => !rows.isWhole(record)).length;
			records = whole.flatMap(rows.of);
		}
		if (plan.shape !== asItIs) records = records.map(plan.shape);
		if (plan.list?.output === 'pages') {
			output.push({ json: { data: records, pagination: pagination ?? {}, ...meta }, pairedItem });
		} else {
			for (const record of records)
				output.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
		}
		if (read >= limit) break;
	}
	if (missing > 0) call.hint(`${rows?.missing ?? ''} ${missing}.`);
}

function pagesOf(
	{ operation, plan, call }: ListRun,
	limit = plan.list?.limit,
): AsyncIterable<ListPage> {
	const { takesQuery, keyset } = operation;
	const options = { ...plan.list, limit, takesQuery, keyset };
	return plan.newestFirst
		? newestFirst(call.client, call.request, options)
		: call.client.pages(call.request, options);
}

/** Reads the records of which the list leaves out what the rows are made of, some at a time. */
async function wholeRecords(
	{ client }: Call,
	{ isWhole, recordPath }: Rows,
	records: IDataObject[],
): Promise<IDataObject[]> {
	const whole = [...records];
	await inParallel([...records.keys()], client.options.maxInFlight, async (index) => {
		const record = records[index];
		if (isWhole(record) || typeof record.id !== 'string') return;
		const pathParams = { id: record.id };
		const answer = await client.request({ method: 'GET', path: recordPath, pathParams });
		if (answer.record?.id === record.id) whole[index] = answer.record;
	});
	return whole;
}

/**
 * What the option Include Response Metadata tells of an answer. With `etag` and `cacheControl` a workflow that keeps
 * records honours what the platform says of them (API document, "Pagination rules", 5); the node itself keeps no
 * answer and uses none twice, so that it has nothing to honour but a 304.
 */
export function metadataOf(client: PlatformClient, response: PlatformResponse): IDataObject {
	const { limit, remaining, dayLimit, dayRemaining } = client.rateLimit();
	return {
		etag: response.headers.etag,
		cacheControl: response.headers['cache-control'],
		requestId: response.requestId,
		status: response.status,
		rateLimit: { limit, remaining, limitDay: dayLimit, remainingDay: dayRemaining },
	};
}
