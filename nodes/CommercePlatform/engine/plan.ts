import type { IDataObject } from 'n8n-workflow';

import {
	checkHeaderValue,
	checkQueryLength,
	checkRequest,
	encodeText,
} from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { withDecimals, moneyToSend } from '../../shared/values/money';
import { decimalFormOf } from '../../shared/fields/decimalAmounts';
import {
	flag,
	optionalText,
	saysNothing,
	someText,
	text,
	wholeNumber,
} from '../../shared/values/readers';
import type { Item } from '../fields/field';
import { checkChoices, flagParameter } from '../run/choices';
import type { Operation, PlannedItem } from './operation';
import type { Run } from './run';
import { checkRunWide } from './runWide';
import { targetsOf } from './target';

/** How many records a list gives, and how they come out. */
export interface ListOptions {
	limit?: number;
	startCursor?: string;
	maxPages?: number;
	/** Records a page. */
	pageSize?: number;
	/** What an item is: a record, a page, or what else the list offers. */
	output: string;
}

/** Everything about an item's request that can be known before anything is sent. */
export interface ItemPlan extends PlannedItem {
	list?: ListOptions;
	/** Whether each output item tells of the answer that it came with. */
	metadata: boolean;
	shape: Shape;
	/** Whether the list is asked for from the record that changed last. */
	newestFirst: boolean;
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
 * @param given the request as the operation's routing gives it
 * @throws InputError that names the field
 */
export function planItem(run: Run, item: Item, given: PlatformRequest): ItemPlan {
	const { operation } = run;
	const described = given.body ? { ...given, body: moneyToSend(given.body) } : given;
	const options = item.parameter('options', {}) as IDataObject;
	checkChoices(operation, item, options);
	if (operation.kind !== 'list') checkRunWide(operation, run.options, options);
	const request = withOptions(run, item, described, options);
	// A run of all items has requests of its own.
	if (operation.kind !== 'all') checkRequest(request);
	const planned: PlannedItem = { item, request, fields: described.body ?? {} };
	operation.check?.(planned);
	const list = operation.kind === 'list' ? listOptionsOf(item, options) : undefined;
	return {
		...planned,
		list,
		newestFirst: isNewestFirst(operation, list, planned),
		metadata: flag(options, 'includeMetadata', 'Include Response Metadata'),
		shape: shapeOf(run, item, options, list?.output),
		dryRun: flag(options, 'dryRun', 'Dry Run') && run.isWrite,
		onlyIfChanged: flag(options, 'onlyIfChanged', 'Only If Changed'),
		targets: run.isWrite ? targetsOf(run.operation, run.client.credentialId, planned) : [],
	};
}

/**
 * A Limit of a list that has no order of its own: the newest are meant. Return All keeps the platform's order, and
 * so does what takes or gives a cursor, since one belongs to the sort of its walk (API document, "Pagination
 * rules", 3), and the user sees none here.
 */
function isNewestFirst(
	operation: Operation,
	list: ListOptions | undefined,
	{ request }: PlannedItem,
): boolean {
	if (operation.kind !== 'list' || operation.newestFirst !== true) return false;
	if (list?.limit === undefined || request.query?.sort !== undefined) return false;
	return list.startCursor === undefined && list.output !== 'pages';
}

function withOptions(
	run: Run,
	{ itemIndex }: Item,
	described: PlatformRequest,
	options: IDataObject,
): PlatformRequest {
	const request = { ...described, headers: { ...described.headers } };
	const etag = optionalText('Known ETag', options.ifNoneMatch);
	if (etag !== undefined) request.headers['If-None-Match'] = checkHeaderValue('Known ETag', etag);
	// Such operations put their bodies together themselves.
	if (run.operation.kind === 'all' || request.method === 'GET') delete request.body;
	// Their requests are not those of one item.
	if (request.method === 'GET' || run.operation.kind === 'all') return request;
	const ownKey = optionalText('Idempotency Key', options.idempotencyKey);
	if (ownKey === undefined) return request;
	return { ...request, idempotencyKey: run.writes.ownKey(itemIndex, ownKey) };
}

const INEXACT =
	'Some amounts are too large for an exact number, so their “decimal” is a text with all digits.';

/** Simplify, and decimals beside amounts. */
function shapeOf(
	{ operation, report }: Run,
	item: Item,
	options: IDataObject,
	output?: string,
): Shape {
	const simplify = 'simplify' in operation ? operation.simplify : undefined;
	const inRows = operation.kind === 'list' && operation.rows?.output === output;
	const wantsShort = flagParameter(item, 'simplify', 'Simplify') && !inRows;
	const isShort = wantsShort && simplify !== undefined;
	const short: Shape = isShort ? simplify : asItIs;
	const form = decimalFormOf(options, isShort || inRows ? 'number' : 'off');
	if (form === 'off') return short;
	const onInexact = () => report.hint(INEXACT);
	return (record) => withDecimals(short(record), form, onInexact);
}

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
function listOptionsOf(item: Item, options: IDataObject): ListOptions {
	const list: ListOptions = { output: text('Output', options.output ?? 'records') };
	if (!flagParameter(item, 'returnAll', 'Return All'))
		list.limit = wholeNumber('Limit', item.parameter('limit', 50), 1);
	if (!saysNothing(options.startCursor)) {
		list.startCursor = someText('Start Cursor', options.startCursor);
		checkQueryLength('Start Cursor', encodeText('Start Cursor', list.startCursor));
	}
	if (options.pageSize !== undefined) list.pageSize = wholeNumber('Page Size', options.pageSize, 1);
	if (options.maxPages !== undefined) list.maxPages = wholeNumber('Max Pages', options.maxPages, 1);
	return list;
}
