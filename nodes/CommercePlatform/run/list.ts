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
	// One object for all: at 300,000 items an object each would be felt.
	const pairedItem = { item: plan.item.itemIndex };
	const shortfall: Shortfall = { records: 0 };
	let read = 0;
	const listCall: ListCall = { ...call, pages: (limit) => pagesOf(list, limit) };
	const limit = plan.list?.limit ?? Number.POSITIVE_INFINITY;
	for await (const { response, pagination, ...page } of operation.run?.(listCall) ??
		listCall.pages()) {
		const given = page.records.slice(0, limit - read);
		const meta =
			plan.metadata && response !== undefined
				? { _meta: metadataOf(call.client, response) }
				: undefined;
		if (response?.status === 304) output.push({ json: { notModified: true, ...meta }, pairedItem });
		read += given.length;
		list.run.report.progress(read, plan.list?.limit, 'records');
		const whole = await rowsOf(list, given, shortfall);
		const records = plan.shape === asItIs ? whole : whole.map(plan.shape);
		if (plan.list?.output === 'pages') {
			output.push({ json: { data: records, pagination: pagination ?? {}, ...meta }, pairedItem });
		} else {
			for (const record of records)
				output.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
		}
		if (read >= limit) break;
	}
	if (shortfall.records > 0) call.hint(`${operation.rows?.missing ?? ''} ${shortfall.records}.`);
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
