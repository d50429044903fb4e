import type { IDataObject } from 'n8n-workflow';

import { expandPath } from '../../shared/api/http';
import { costText, requestCost } from '../bulk/requestCost';
import type { Operation, PlannedItem } from './operation';
import { needsLookUp } from './target';

/** What an item would send, in place of sending it. */
export function dryRunRecord(operation: Operation, planned: PlannedItem): IDataObject {
	const { method, path, pathParams, query, body } = planned.request;
	const fields = operation.kind === 'sequence' ? planned.fields : body;
	const record: IDataObject = {
		dryRun: true,
		method,
		path: needsLookUp(operation, planned) ? path : expandPath(path, pathParams),
		requests: requestsOf(operation, planned),
	};
	if (query !== undefined && Object.keys(query).length > 0) record.query = query;
	if (fields !== undefined) record.body = fields;
	const reads = operation.readsFirst?.(planned);
	if (reads !== undefined) record.readsFirst = reads;
	return record;
}

/** How many requests an item takes, where none is repeated. */
export function requestsOf(operation: Operation, planned: PlannedItem): number {
	const own = operation.kind === 'sequence' ? operation.requests : 1;
	const reads = operation.readsFirst?.(planned) === undefined ? 0 : 1;
	return own + reads + (needsLookUp(operation, planned) ? 1 : 0);
}

/** The sentence at the end of a dry run. */
export function dryRunHint(requests: number, known: Parameters<typeof requestCost>[1]): string {
	return `Dry run: nothing was sent. It would be ${costText(requestCost(requests, known))}`;
}
