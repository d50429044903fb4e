import type { IDataObject } from 'n8n-workflow';

import {
	checkHeaderValue,
	checkQueryLength,
	checkRequest,
	encodeText,
	expandPath,
	placeholders,
} from '../../shared/api/http';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { decimalFormOf } from '../../shared/fields';
import { moneyToSend, withDecimals } from '../../shared/values/money';
import { optionalText, saysNothing, someText, wholeNumber } from '../../shared/values/readers';
import type { Run } from './run';
import type { Field, Item } from '../fields/field';
import { optionsOf } from '../fields/options';
import { checkChoices, flagParameter, readOptions } from './read';
import type { Operation, PlannedItem } from './operation';

/** How many records a list gives, and how they come out. */
interface ListOptions {
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
	/** What was chosen under Options and Requests. */
	options: IDataObject;
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
 * @param described the request as the fields give it
 * @throws InputError that names the field
 */
export function planItem(run: Run, item: Item, described: PlatformRequest): ItemPlan {
	const { operation, isWrite } = run;
	const fields = moneyToSend(described.body ?? {});
	const body = described.body === undefined || described.method === 'GET' ? undefined : fields;
	const chosen = optionsOf(item);
	checkChoices(operation, item);
	checkRunWide(operation, run.options, chosen);
	const options = readOptions(operation, chosen);
	// A run of all items has requests of its own.
	const ofOne = operation.kind !== 'all';
	const request = ofOne ? requestOf(run, item, { ...described, body }, options) : described;
	const planned: PlannedItem = { item, request, fields };
	operation.check?.(planned);
	const list = operation.kind === 'list' ? listOptionsOf(item, options) : undefined;
	return {
		...planned,
		options,
		list,
		newestFirst: isNewestFirst(operation, list, planned),
		metadata: options.includeMetadata === true,
		shape: shapeOf(run, item, options, list?.output),
		dryRun: options.dryRun === true && isWrite,
		onlyIfChanged: options.onlyIfChanged === true,
		targets: isWrite && ofOne ? targetsOf(operation, run.client.credentialId, planned) : [],
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

/** What is sent for an item, with what its options say of that. */
function requestOf(
	run: Run,
	{ itemIndex }: Item,
	described: PlatformRequest,
	options: IDataObject,
): PlatformRequest {
	const request = { ...described, headers: { ...described.headers } };
	const etag = optionalText('Known ETag', options.ifNoneMatch);
	if (etag !== undefined) request.headers['If-None-Match'] = checkHeaderValue('Known ETag', etag);
	const ownKey = optionalText('Idempotency Key', options.idempotencyKey);
	if (ownKey !== undefined) request.idempotencyKey = run.writes.ownKey(itemIndex, ownKey);
	checkRequest(request);
	return request;
}

const INEXACT =
	'Some amounts are too large for an exact number, so their “decimal” is a text with all digits.';

/**
 * Simplify, and decimals beside amounts. Where those are entered in major units, or not at all, what is written comes
 * out with decimals as well.
 */
function shapeOf(
	{ operation, report, isWrite }: Run,
	item: Item,
	options: IDataObject,
	output?: string,
): Shape {
	const simplify = 'simplify' in operation ? operation.simplify : undefined;
	const inRows = output !== undefined && output !== 'records' && output !== 'pages';
	const wantsShort = flagParameter(item, 'simplify', 'Simplify') && !inRows;
	const isShort = wantsShort && simplify !== undefined;
	const short: Shape = isShort ? simplify : asItIs;
	const inMajor = isWrite && item.parameter('amountsAreIn', 'major') !== 'minor';
	const form = decimalFormOf(options, isShort || inRows || inMajor ? 'number' : 'off');
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
	const { output, startCursor, pageSize, maxPages } = options;
	const list = { output: output ?? 'records', pageSize, maxPages } as ListOptions;
	if (!flagParameter(item, 'returnAll', 'Return All'))
		list.limit = wholeNumber('Limit', item.parameter('limit', 50), 1);
	if (!saysNothing(startCursor)) {
		list.startCursor = someText('Start Cursor', startCursor);
		checkQueryLength('Start Cursor', encodeText('Start Cursor', list.startCursor));
	}
	return list;
}

/** Options that count for the whole run: those of batches; and what is compared is looked up before the first write. */
const RUN_WIDE: Readonly<Record<Operation['kind'], readonly string[]>> = {
	all: ['batchSize', 'dryRun', 'ifBatchNotAvailable', 'onlyIfChanged', 'waitForJob'],
	each: ['onlyIfChanged'],
	list: [],
};

/**
 * Refuses an item with another value of an option that counts for the whole run. Only an expression can give one, and
 * what such an item asks for would be left out in silence, a dry run for example.
 *
 * @param first what the first item chose
 * @param chosen what this item chose
 * @throws InputError
 */
function checkRunWide(operation: Operation, first: IDataObject, chosen: IDataObject): void {
	const differing = RUN_WIDE[operation.kind].find((name) => chosen[name] !== first[name]);
	if (differing === undefined) return;
	const options = operation.fields.find(({ name }) => name === 'options')?.options ?? [];
	const label = (options as Field[]).find(({ name }) => name === differing)?.displayName;
	throw new InputError(
		label ?? differing,
		'is not the same for all items',
		'It counts for the whole run. Choose one value, or send the items apart by two nodes behind an If node.',
	);
}

/**
 * What a write changes, as it is known before anything is sent: writes to one target go one after the other.
 * What is yet to be looked up has a name of its own, so that it is taken for no other record's ID.
 */
function targetsOf(operation: Operation, credentialId: string, planned: PlannedItem): string[] {
	const target = operation.target?.(planned) ?? recordPathOf(planned.request);
	if (target === undefined) return [];
	return [
		`${credentialId} ${needsLookUp(operation, planned) ? `look-up ${loosely(target)}` : target}`,
	];
}

/** A name by its letters and digits alone, since `#1041` and `1041` may be one record. */
const loosely = (target: string): string =>
	decodeURIComponent(target)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The record that a request is about, e.g. `/orders/ord_1` of `/orders/ord_1/cancel`.
 *
 * @returns undefined for a request about none in particular, as a create
 */
export function recordPathOf({ path, pathParams }: PlatformRequest): string | undefined {
	const [name] = placeholders(path);
	if (name === undefined) return undefined;
	const placeholder = `{${name}}`;
	const end = path.indexOf(placeholder) + placeholder.length;
	return expandPath(path.slice(0, end), pathParams);
}

/** Ways to name a record that need no look-up; the last two where no mode was chosen. */
const DIRECT_MODES: readonly unknown[] = ['id', 'list', '', undefined];

export const isDirectMode = (mode: unknown): boolean => DIRECT_MODES.includes(mode);

/** Whether an item names its record by something else than its ID. */
export function needsLookUp({ fields }: Operation, { item }: PlannedItem): boolean {
	return fields.some(
		({ type, name }) => type === 'resourceLocator' && !isDirectMode(item.locatorMode(name)),
	);
}
