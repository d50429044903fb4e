import type { IDataObject } from 'n8n-workflow';

import { checkRequest } from '../../shared/api/httpOptions';
import { checkIdempotencyKey } from '../../shared/api/idempotencyKey';
import { checkHeaderValue } from '../../shared/api/path';
import type { PlatformRequest } from '../../shared/api/request';
import { optionalText } from '../../shared/input/readers';
import { withDecimals } from '../../shared/money';
import { flag, flagParameter } from './flag';
import { listOptionsOf, type ListOptions } from './nodeOptions';
import { isWrite, type ItemScope, type Operation, type PlannedItem } from './operation';
import type { Run } from './run';
import { recordPathOf } from './target';

/** Everything about an item's request that can be known before anything is sent. */
export interface ItemPlan extends PlannedItem {
	list?: ListOptions;
	/** Whether each output item tells of the answer that it came with. */
	metadata: boolean;
	shape: Shape;
	/** Whether to send nothing, and show what would be sent. */
	dryRun: boolean;
	/** Whether to leave out what would change nothing. */
	onlyIfChanged: boolean;
	/** What it writes to. */
	targets: readonly string[];
}

/** What the user wants a record to look like. */
export type Shape = (record: IDataObject) => IDataObject;

export const asItIs: Shape = (record) => record;

/**
 * Reads and checks all that an item asks for, and sends nothing.
 *
 * @param described the request as the operation's routing gives it
 * @throws InputError that names the field
 */
export function planItem(run: Run, item: ItemScope, described: PlatformRequest): ItemPlan {
	const { operation } = run;
	const options = item.parameter('options', {}) as IDataObject;
	// Also where the item has no amount, so that a mistake shows with the first item and not with the last.
	flag(options, 'amountsInMajorUnits', 'Amounts in Major Units');
	const request = withOptions(run, described, options);
	checkRequest(request);
	const planned: PlannedItem = { item, request, fields: described.body ?? {} };
	return {
		...planned,
		list: operation.kind === 'list' ? listOptionsOf(item) : undefined,
		metadata: flag(options, 'includeMetadata', 'Include Response Metadata'),
		shape: shapeOf(operation, item, options),
		dryRun: flag(options, 'dryRun', 'Dry Run') && isWrite(operation),
		onlyIfChanged: flag(options, 'onlyIfChanged', 'Only If Changed'),
		targets: targetsOf(run, planned),
	};
}

function targetsOf({ operation, client }: Run, planned: PlannedItem): string[] {
	if (!isWrite(operation)) return [];
	const target = operation.target?.(planned) ?? recordPathOf(planned.request);
	return target === undefined ? [] : [`${client.host} ${target}`];
}

function withOptions(run: Run, described: PlatformRequest, options: IDataObject): PlatformRequest {
	const request = { ...described, headers: { ...described.headers } };
	const etag = optionalText('Known ETag', options.ifNoneMatch);
	if (etag !== undefined) request.headers['If-None-Match'] = checkHeaderValue('Known ETag', etag);
	// Such operations put their bodies together themselves.
	if (run.operation.kind === 'sequence' || run.operation.kind === 'batch') delete request.body;
	// Their requests are not those of one item.
	if (request.method === 'GET' || run.operation.kind === 'batch') return request;
	const ownKey = optionalText('Idempotency Key', options.idempotencyKey);
	if (ownKey === undefined) return request;
	const idempotencyKey = checkIdempotencyKey(ownKey);
	run.writes.checkOwnKey(idempotencyKey, request, 'planned');
	return { ...request, idempotencyKey };
}

/** Simplify, and decimals beside amounts. */
function shapeOf(operation: Operation, item: ItemScope, options: IDataObject): Shape {
	const simplify = 'simplify' in operation ? operation.simplify : undefined;
	const short = flagParameter(item, 'simplify', 'Simplify') && simplify ? simplify : asItIs;
	const addDecimals = flag(options, 'addDecimalAmounts', 'Add Decimal Amounts');
	return addDecimals ? (record) => withDecimals(short(record)) : short;
}
