import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../../shared/n8n';
import { InputError } from '../../shared/rest/errors';
import {
	checkHeaderValue,
	checkQueryLength,
	encodeText,
	recordPathOf,
	targetAndHeadersOf,
} from '../../shared/rest/request';
import { checkGuardIsSaid, decimalFormOf, type Item } from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import { rowWithMoney, withDecimals } from '../../shared/values/money';
import {
	boolean,
	oneOf,
	saysNothing,
	someText,
	textList,
	wholeNumber,
} from '../../shared/values/readers';
import { optionsIn } from './inputItems';
import type { ListOperation, Operation, ReadItem } from './operation';
import type { Run } from './run';

/** An item's request, with everything that is known before anything is sent. */
export type ItemRequest = ReturnType<typeof itemRequestOf>;

/**
 * Reads and checks everything that an item asks for. Sends nothing.
 *
 * @throws InputError that names the field
 */
export function itemRequestOf(run: Run, item: Item) {
	const { operation, isWrite } = run;
	const readItem = run.read(item);
	const { options } = item;
	checkRunWide(operation, run.firstItemOptions, item);
	// An operation that handles all items together makes its own requests.
	const isPerItem = operation.kind !== 'all';
	if (isPerItem) takeOptions(run, readItem);
	operation.check?.(readItem);
	if (isWrite) operation.cells.checkNames(readItem.fields);
	const list = operation.kind === 'list' ? listOptionsOf(operation, readItem) : undefined;
	return {
		...readItem,
		/** How many records a list gives, and in which form. */
		list,
		/** Brings a record into the form that the user wants. */
		shape: shapeOf(run, item, list?.output),
		/** Whether to show what would be sent, instead of sending it. */
		dryRun: options.dryRun === true && isWrite,
		/** What it writes to. */
		targets: isWrite && isPerItem ? itemTargets(operation, run.client.credentialId, readItem) : [],
	};
}

/**
 * Completes an item's request, for operations that do so. It may read the platform.
 *
 * @throws InputError, PlatformError, CancelledError
 */
export async function completed(
	{ operation, client }: Run,
	itemRequest: ItemRequest,
): Promise<ItemRequest> {
	if (operation.complete === undefined) return itemRequest;
	const fields = await operation.complete(itemRequest, client);
	const { request } = itemRequest;
	const body = request.body === undefined ? undefined : fields;
	return { ...itemRequest, fields, request: { ...request, body } };
}

/** Adds to an item's request what its options say, and checks it. */
function takeOptions(run: Run, { item, request }: ReadItem): void {
	const { ifNoneMatch, idempotencyKey } = item.options;
	const isRead = request.method === 'GET';
	if (ifNoneMatch !== undefined && isRead)
		request.headers = {
			...request.headers,
			'If-None-Match': checkHeaderValue('Known ETag', ifNoneMatch),
		};
	const keyInField = request.headers?.['Idempotency-Key'];
	const field = run.operation.fields.find(({ send }) => send?.as === 'Idempotency-Key');
	const label = (keyInField === undefined ? undefined : field?.displayName) ?? 'Idempotency Key';
	const key = keyInField ?? (isRead ? undefined : idempotencyKey);
	if (key === undefined && !isRead)
		checkGuardIsSaid(label, item, `${run.operation.requestOptions.name}.idempotencyKey`);
	if (key !== undefined)
		request.idempotencyKey = run.writes.ownKey(item.itemIndex, label, key, request);
	targetAndHeadersOf(request);
}

/**
 * Makes the function that brings a record into the user's form: Simplify, decimals beside amounts, Selected Fields. A
 * write gives decimals as well, unless amounts were entered in minor units.
 */
function shapeOf(
	{ operation, isWrite, report }: Run,
	item: Item,
	output = 'records',
): (record: IDataObject) => IDataObject {
	const makesRows = output !== 'records' && output !== 'pages';
	const { isShort, selectedNames } = isWrite
		? { isShort: switchedOn(item, 'simplify', 'Simplify'), selectedNames: [] }
		: wantedOf(item);
	const wantsShort = isShort && !makesRows;
	const shorten = wantsShort && 'simplify' in operation ? operation.simplify : undefined;
	const isEnteredInMajor = isWrite && item.options.amountsAreIn !== 'minor';
	const decimalForm = decimalFormOf(
		item.options,
		shorten || makesRows || isEnteredInMajor ? 'number' : 'off',
	);
	const withForm = (record: IDataObject): IDataObject =>
		makesRows ? rowWithMoney(record, decimalForm) : withDecimals(record, decimalForm);
	return (record) => {
		const shaped = withForm(shorten === undefined ? record : shorten(record));
		if (selectedNames.length === 0) return shaped;
		const { fields, missing } = selectedOf(withForm(record), shaped, selectedNames);
		report.selects(selectedNames, missing);
		// A model sees no hint.
		return isTool(item.node) && missing.length > 0 ? { ...fields, missingFields: missing } : fields;
	};
}

/**
 * Which fields of a record a read gives: a node has Simplify, and an AI tool the field Output.
 *
 * @throws InputError
 */
function wantedOf(item: Item): { isShort: boolean; selectedNames: string[] } {
	const { selectedFields } = item.options;
	const output = isTool(item.node) ? item.parameter('output', '') : '';
	if (saysNothing(output))
		return {
			isShort: switchedOn(item, 'simplify', 'Simplify'),
			selectedNames: textList('Selected Fields', selectedFields),
		};
	const chosen = oneOf('Output', output, ['raw', 'selectedFields', 'simplified']);
	const selectedNames =
		chosen === 'selectedFields'
			? textList('Fields', someText('Fields', item.parameter('selectedFields', '')))
			: textList('Selected Fields', selectedFields);
	return { isShort: chosen === 'simplified', selectedNames };
}

/** Whether a switch is on. An expression without a value leaves it off. */
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
	const usesCursor = startCursor !== undefined || output === 'pages';
	const keepsSort = operation.newestFirst !== true || request.query?.sort !== undefined;
	return {
		/** What an output item is: a record, a page, or another form that the list offers. */
		output: output ?? 'records',
		limit,
		startCursor,
		/** How many records a page holds. */
		pageSize,
		/**
		 * With a Limit, and without a sort, the newest records are meant. Return All keeps the platform's order. So does a
		 * list that takes or gives a cursor: a cursor belongs to the sort of its walk (API document, "Pagination rules",
		 * 3), and the user would not see that sort.
		 */
		newestFirst: limit !== undefined && !keepsSort && !usesCursor,
	};
}

/**
 * Refuses an item whose value differs from the first item's, for options that count for the whole run: those of an
 * operation that handles all items together, and Only If Changed, which compares before the first write. Only an
 * expression can give another value, and it would be ignored silently: a dry run, for example.
 *
 * @param firstChosen the first item's Options
 * @throws InputError
 */
function checkRunWide({ kind, fields }: Operation, firstChosen: IDataObject, item: Item): void {
	const options = optionsIn(fields.find(({ name }) => name === 'options'));
	const runWide = options.filter(({ name }) => kind === 'all' || name === 'onlyIfChanged');
	if (runWide.length === 0) return;
	const chosen = item.parameter('options', {}) as IDataObject;
	const differing = runWide.find(({ name }) => chosen[name] !== firstChosen[name]);
	if (differing === undefined) return;
	throw new InputError(
		differing.displayName,
		'is not the same for all items',
		'It counts for the whole run. Choose one value, or send the items apart by two nodes behind an If node.',
	);
}

/**
 * What a write changes, as far as it is known before anything is sent. Writes to one target go one after the other. A
 * record that is not looked up yet is named by what the user entered, which never equals an ID.
 */
function itemTargets(operation: Operation, credentialId: string, readItem: ReadItem): string[] {
	const target = operation.target?.(readItem) ?? recordPathOf(readItem.request);
	if (target === undefined) return [];
	const isNamed = operation.fields.some(
		({ name }) =>
			readItem.request.pathParams?.[name] !== undefined &&
			readItem.item.lookUpMode(name) !== undefined,
	);
	return [`${credentialId} ${isNamed ? `look-up ${lettersAndDigits(target)}` : target}`];
}

/** Reduces a name to its letters and digits, since `#1041` and `1041` may be one record. */
const lettersAndDigits = (target: string): string =>
	decodeURIComponent(target)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Takes fields of a record by their names. A name may lead into objects and lists by dots: `customer.email`.
 *
 * @param record as the platform gave it
 * @param shortened the same record by Simplify; it may have names of its own
 * @returns the fields in the form of the record, and the names that it lacks
 */
export function selectedOf(
	record: IDataObject,
	shortened: IDataObject,
	names: readonly string[],
): { fields: IDataObject; missing: string[] } {
	let fields: unknown = {};
	const missing: string[] = [];
	for (const name of names) {
		const sources = hasField(record, name) ? [record] : [shortened, record];
		const source = sources.find((each) => hasField(each, name));
		const part = source === undefined ? partAt(record, name.split('.')) : { [name]: source[name] };
		if (part === undefined) missing.push(name);
		else fields = joined(fields, part);
	}
	return { fields: fields as IDataObject, missing };
}

/** The part of a value that a path leads to, with what is around it; undefined if there is none. */
function partAt(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (Array.isArray(value)) {
		const parts = value.map((entry) => partAt(entry, [name, ...rest]));
		return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? {});
	}
	if (!isObject(value) || !hasField(value, name)) return undefined;
	const part = partAt(value[name], rest);
	return part === undefined ? undefined : { [name]: part };
}

/** Joins two parts of one value. */
function joined(a: unknown, b: unknown): unknown {
	if (Array.isArray(a) && Array.isArray(b)) return a.map((entry, index) => joined(entry, b[index]));
	if (!isObject(a) || !isObject(b)) return b;
	const fields: IDataObject = { ...a };
	for (const [name, part] of Object.entries(b))
		fields[name] = (hasField(a, name) ? joined(a[name], part) : part) as IDataObject[string];
	return fields;
}
