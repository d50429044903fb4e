import type { IDataObject } from 'n8n-workflow';

import {
	checkHeaderValue,
	checkQueryLength,
	checkRequest,
	encodeText,
	expandPath,
	type PlatformRequest,
} from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { decimalFormOf, type Item } from '../../shared/fields';
import { withDecimals } from '../../shared/values/money';
import { boolean, textList, wholeNumber } from '../../shared/values/readers';
import type { Run } from './run';
import { checkGuardIsSaid } from '../fields/blanks';
import { amountUnit } from '../fields/amounts';
import { requestOptions } from '../fields/requestOptions';
import { brokenTexts } from '../fields/spreadsheet';
import { optionsIn } from './readOptions';
import type { ListOperation, Operation, ReadItem } from './operation';

/** An item's request, with all that can be known of it before anything is sent. */
export type ItemRequest = ReturnType<typeof itemRequestOf>;

/**
 * Reads and checks all that an item asks for, and sends nothing.
 *
 * @throws InputError that names the field
 */
export function itemRequestOf(run: Run, item: Item) {
	const { operation, isWrite } = run;
	const readItem = run.read(item);
	const { options } = item;
	checkRunWide(operation, run.firstChosen, item);
	// A run of all items has requests of its own.
	const ofOne = operation.kind !== 'all';
	if (ofOne) takeOptions(run, readItem);
	operation.check?.(readItem);
	if (isWrite) run.report.sendsBroken(brokenTexts(readItem.fields));
	const list = operation.kind === 'list' ? listOptionsOf(operation, readItem) : undefined;
	return {
		...readItem,
		/** How many records a list gives, and how they come out. */
		list,
		/** What the user wants a record to look like. */
		shape: shapeOf(run, item, list?.output),
		/** Whether to send nothing, and show what would be sent. */
		dryRun: options.dryRun === true && isWrite,
		/** What it writes to. */
		targets: isWrite && ofOne ? targetsOf(operation, run.client.credentialId, readItem) : [],
	};
}

/** Adds what an item's options say of its request, and checks it. */
function takeOptions(run: Run, { item, request }: ReadItem): void {
	const { ifNoneMatch, idempotencyKey } = item.options;
	const isRead = request.method === 'GET';
	if (ifNoneMatch !== undefined && isRead)
		request.headers = {
			...request.headers,
			'If-None-Match': checkHeaderValue('Known ETag', ifNoneMatch),
		};
	const inField = request.headers?.['Idempotency-Key'];
	const field = run.operation.fields.find(({ send }) => send?.as === 'Idempotency-Key');
	const label = (inField === undefined ? undefined : field?.displayName) ?? 'Idempotency Key';
	const key = inField ?? (isRead ? undefined : idempotencyKey);
	if (key === undefined && !isRead)
		checkGuardIsSaid(label, item, `${requestOptions.name}.idempotencyKey`);
	if (key !== undefined)
		request.idempotencyKey = run.writes.ownKey(item.itemIndex, label, key, request);
	checkRequest(request);
}

/**
 * Simplify, decimals beside amounts, and Selected Fields. Where amounts are entered in major units, or not at all, what
 * is written comes out with decimals as well.
 */
function shapeOf(
	{ operation, isWrite }: Run,
	item: Item,
	output = 'records',
): (record: IDataObject) => IDataObject {
	const inRows = output !== 'records' && output !== 'pages';
	const wantsShort = switchedOn(item, 'simplify', 'Simplify') && !inRows;
	const short = wantsShort && 'simplify' in operation ? operation.simplify : undefined;
	const inMajor = isWrite && amountUnit(item) === 'major';
	const form = decimalFormOf(item.options, short || inRows || inMajor ? 'number' : 'off');
	const names = isWrite ? [] : textList('Selected Fields', item.options.selectedFields);
	return (record) => {
		const shaped = short === undefined ? record : short(record);
		const whole = form === 'off' ? shaped : withDecimals(shaped, form);
		return names.length === 0 ? whole : selectedOf(whole, names);
	};
}

/** The fields with these names. One that a record lacks is left out. */
function selectedOf(record: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** Whether a switch is on; an expression that gives nothing leaves it off. */
const switchedOn = (item: Item, name: string, field: string): boolean =>
	boolean(field, item.parameter(name, false) ?? false);

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
function listOptionsOf(operation: ListOperation, { item, request }: ReadItem) {
	const { output, pageSize, startCursor } = item.options;
	const limit = switchedOn(item, 'returnAll', 'Return All')
		? undefined
		: wholeNumber('Limit', item.parameter('limit', 50), 1);
	if (startCursor !== undefined)
		checkQueryLength('Start Cursor', encodeText('Start Cursor', startCursor));
	const goesOn = startCursor !== undefined || output === 'pages';
	const isOrdered = operation.newestFirst !== true || request.query?.sort !== undefined;
	return {
		/** What an item is: a record, a page, or what else the list offers. */
		output: output ?? 'records',
		limit,
		startCursor,
		/** Records a page. */
		pageSize,
		/**
		 * A Limit of a list that has no order of its own: the newest are meant. Return All keeps the platform's order,
		 * and so does what takes or gives a cursor, since one belongs to the sort of its walk (API document,
		 * "Pagination rules", 3), and the user sees none here.
		 */
		newestFirst: limit !== undefined && !isOrdered && !goesOn,
	};
}

/**
 * Refuses an item with another value of an option that counts for the whole run: those of all items together, and what
 * is compared before the first write. Only an expression can give one, and what such an item asks for would be left
 * out in silence, a dry run for example.
 *
 * @param first what the first item has under Options
 * @throws InputError
 */
function checkRunWide({ kind, fields }: Operation, first: IDataObject, item: Item): void {
	const options = optionsIn(fields.find(({ name }) => name === 'options'));
	const runWide = options.filter(({ name }) => kind === 'all' || name === 'onlyIfChanged');
	if (runWide.length === 0) return;
	const chosen = item.parameter('options', {}) as IDataObject;
	const differing = runWide.find(({ name }) => chosen[name] !== first[name]);
	if (differing === undefined) return;
	throw new InputError(
		differing.displayName,
		'is not the same for all items',
		'It counts for the whole run. Choose one value, or send the items apart by two nodes behind an If node.',
	);
}

/**
 * What a write changes, as it is known before anything is sent: writes to one target go one after the other.
 * A record that is yet to be looked up gets a name of its own, which no record has as its ID.
 */
function targetsOf(operation: Operation, credentialId: string, readItem: ReadItem): string[] {
	const target = operation.target?.(readItem) ?? recordPathOf(readItem.request);
	if (target === undefined) return [];
	const isNamed = operation.fields.some(
		({ type, name }) => type === 'resourceLocator' && readItem.item.lookUpMode(name) !== undefined,
	);
	return [`${credentialId} ${isNamed ? `look-up ${loosely(target)}` : target}`];
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
	const end = path.indexOf('}') + 1;
	return end === 0 ? undefined : expandPath(path.slice(0, end), pathParams);
}
