import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type INodePropertyOptions,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import {
	checkHeaderValue,
	checkQueryLength,
	encodeText,
	placeholders,
	type PlatformRequest,
	type QueryValue,
	recordPathOf,
	checkSendable,
} from '../../shared/rest/request';
import {
	checkGuardIsSaid,
	type Field,
	type Item,
	type Options,
	type Send,
} from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import { moneyToSend } from '../../shared/values/money';
import { checkName, plainName } from '../../shared/values/names';
import {
	boolean,
	oneOf,
	optionalText,
	saysNothing,
	text,
	wholeNumber,
} from '../../shared/values/readers';
import { namedOtherwise } from './lookup';
import type { Api, ListOperation, Operation, ReadItem, Run } from './operation';
import { shapeOf } from './shape';
import type { Overwrites } from './writes';

/** The input items of a run: all of them, or the one that n8n's RoutingNode is at. */
export class InputItems {
	/** Kept because n8n copies the node at every call. */
	readonly node: INode;
	/** Index of the first item. */
	readonly first: number;
	readonly total: number;
	/** Empty if RoutingNode gives its one item. */
	private readonly items: readonly INodeExecutionData[];
	/** Values of parameters that are the same for all items, since they hold no expression. */
	private readonly ofAllItems = new Map<string, unknown>();
	private readonly namesWithExpression: ReadonlySet<string>;
	/** The options, if they are the same for all items. */
	private options?: Options;
	/** The item that was read last: a run reads its first item for its options, too. */
	private latest?: Item;

	constructor(
		readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		readonly api: Api,
		private readonly operation: Operation,
	) {
		this.node = context.getNode();
		const isSingle = 'getItemIndex' in context;
		this.items = isSingle ? [] : allItemsOf(context);
		this.first = isSingle ? context.getItemIndex() : 0;
		this.total = isSingle ? 1 : this.items.length;
		const { parameters } = this.node;
		const names = Object.keys(parameters).filter((name) => holdsExpression(parameters[name]));
		this.namesWithExpression = new Set(names);
	}

	/** An item, whose parameters are read when they are asked for. */
	item(itemIndex: number): Item {
		if (this.latest?.itemIndex !== itemIndex) this.latest = new InputItem(this, itemIndex);
		return this.latest;
	}

	jsonOf(itemIndex: number): IDataObject {
		const { context, items } = this;
		return 'getItemIndex' in context ? context.getInputData().json : items[itemIndex].json;
	}

	/**
	 * Reads a parameter once: for the item, or for the whole run if it holds no expression. n8n evaluates an expression
	 * whenever its parameter is read, and the result may differ.
	 *
	 * @param ofItem what was read for the item
	 */
	value(itemIndex: number, ofItem: Map<string, unknown>, name: string): unknown {
		const values = this.isSame(name) ? this.ofAllItems : ofItem;
		if (!values.has(name)) values.set(name, this.evaluated(itemIndex, name));
		const value = values.get(name);
		// One item must not change what the next one gets. Without expressions it is plain JSON.
		return values === ofItem || !isObject(value) ? value : deepCopy(value);
	}

	/** The options of an item, or of all items if they hold no expression. */
	optionsOf(item: Item): Options {
		const { api, operation } = this;
		const isSame = this.isSame('options') && this.isSame(api.requestOptions.name);
		if (!isSame) return readOptions(api, operation, item);
		return (this.options ??= readOptions(api, operation, item));
	}

	/** Whether a parameter is the same for all items, since it holds no expression. */
	isSame(name: string): boolean {
		return !this.namesWithExpression.has(name);
	}

	private evaluated(itemIndex: number, name: string): unknown {
		const { context } = this;
		return 'getItemIndex' in context
			? context.getNodeParameter(name, '', UNCHECKED)
			: context.getNodeParameter(name, itemIndex, '', UNCHECKED);
	}
}

/** No field has n8n's `validateType`; n8n would search all properties of the node at every call. */
const UNCHECKED = { skipValidation: true };

/** An input item, each of whose parameters is read once. */
class InputItem implements Item {
	private readonly values = new Map<string, unknown>();
	private optionsRead?: Options;

	constructor(
		private readonly inputs: InputItems,
		readonly itemIndex: number,
	) {}

	get node(): INode {
		return this.inputs.node;
	}

	get json(): IDataObject {
		return this.inputs.jsonOf(this.itemIndex);
	}

	get row(): number {
		const { row_number: row } = this.json;
		return Number.isSafeInteger(row) ? Number(row) : this.itemIndex + 1;
	}

	get timezone(): string {
		return this.inputs.context.getTimezone();
	}

	get options(): Options {
		return (this.optionsRead ??= this.inputs.optionsOf(this));
	}

	parameter(path: string, fallback?: unknown): unknown {
		const [name, ...steps] = isPlainName(path) ? [path] : stepsOf(path);
		if (this.node.parameters[name] === undefined && fallback !== undefined) return fallback;
		return valueAt(this.inputs.value(this.itemIndex, this.values, name), steps, fallback);
	}

	resourceId(name: string): unknown {
		const locator = this.parameter(name);
		return isObject(locator) && 'mode' in locator ? locator.value : locator;
	}

	lookUpMode(name: string): string | undefined {
		const locator: unknown = this.node.parameters[name];
		const mode = isObject(locator) ? locator.mode : undefined;
		return DIRECT_MODES.includes(mode) ? undefined : String(mode);
	}

	entered(path: string): unknown {
		return valueAt(this.node.parameters, stepsOf(path));
	}

	isExpression(path: string): boolean {
		return isExpression(this.node.parameters, stepsOf(path));
	}
}

/** The names on a path such as `options.rows[0].price`. */
const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** Whether a path is the name of a parameter, as most are. */
const isPlainName = (path: string): boolean => !path.includes('.') && !path.includes('[');

const isContainer = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** What stands at the end of a path; the fallback if the path leads nowhere. */
function valueAt(value: unknown, steps: readonly string[], fallback?: unknown): unknown {
	let reached = value;
	for (const step of steps) {
		if (!isContainer(reached) || !(step in reached)) return fallback;
		reached = reached[step];
	}
	return reached;
}

/** Whether a value, or any part of it, is an expression. */
export function holdsExpression(entered: unknown): boolean {
	if (typeof entered === 'string') return entered.startsWith('=');
	return isContainer(entered) && Object.values(entered).some(holdsExpression);
}

/** Whether a value, or one on the way to it, is an expression. */
function isExpression(entered: unknown, [name, ...rest]: string[]): boolean {
	if (typeof entered === 'string') return entered.startsWith('=');
	return name !== undefined && isExpression(Object(entered)[name] as unknown, rest);
}

/** Modes of a locator that need no look-up; the last two if no mode was chosen. */
const DIRECT_MODES: readonly unknown[] = ['id', 'list', '', undefined];

/** An AI tool gets its items by another connection. */
function allItemsOf(context: IExecuteFunctions): readonly INodeExecutionData[] {
	const items = context.getInputData();
	return items.length > 0 ? items : context.getInputData(0, NodeConnectionTypes.AiTool);
}

/**
 * Reads an item's Options and Request Options. Options with `send` are read with the other fields.
 *
 * @throws InputError that names the field
 */
function readOptions({ requestOptions }: Api, operation: Operation, item: Item): Options {
	return {
		...readChoices(ownOptions(operation), item.parameter('options', {})),
		...readChoices(optionsIn(requestOptions), item.parameter(requestOptions.name, {})),
	};
}

/** The fields under an operation's Options. */
export const ownOptions = ({ fields }: Operation): Field[] =>
	optionsIn(fields.find(({ name }) => name === 'options'));

/** The fields of a collection. */
export const optionsIn = (collection?: Field): Field[] => (collection?.options ?? []) as Field[];

/**
 * Reads the choices in a collection, each as its field says: a switch, a whole number within its bounds, one of a list,
 * or a text without surrounding blanks.
 *
 * @param fields those of the collection that are wanted
 * @param chosen what was entered in it
 * @throws InputError that names the field
 */
export function readChoices(fields: readonly Field[], chosen: unknown): IDataObject {
	if (!isObject(chosen)) return {};
	const choices = fields
		.filter(({ name, send }) => send === undefined && name in chosen)
		.map((field) => [field.name, choiceOf(field, chosen[field.name])]);
	return Object.fromEntries(choices) as IDataObject;
}

/**
 * Reads the value of one field that is not sent.
 *
 * @returns undefined if it is empty; a switch must not be empty
 * @throws InputError that names the field
 */
function choiceOf(field: Field, value: unknown): unknown {
	const { displayName, type, typeOptions: { minValue, maxValue } = {} } = field;
	if (type === 'boolean') return boolean(displayName, value);
	if (saysNothing(value)) return undefined;
	if (type === 'number') return wholeNumber(displayName, value, minValue, maxValue);
	if (type === 'string') return optionalText(displayName, value);
	if (type !== 'options') return value;
	const choices = (field.options ?? []) as INodePropertyOptions[];
	const allowed = [field.default, ...choices.map((choice) => choice.value)];
	return oneOf<unknown>(displayName, value, allowed);
}

/** An item's request, with everything that is known before anything is sent. */
export type ItemRequest = ReturnType<typeof itemRequestOf>;

/**
 * Reads and checks everything that an item asks for. Sends nothing.
 *
 * @throws InputError that names the field
 */
export function itemRequestOf(run: Run, item: Item) {
	const { api, operation, isWrite } = run;
	const readItem = run.read(item);
	const { options } = item;
	checkSameForAll(run, item);
	operation.check?.(readItem);
	// An operation that handles all items together makes its own requests.
	const isPerItem = operation.kind !== 'all';
	if (isPerItem) takeOptions(run, readItem);
	if (isWrite) api.cells.checkNames(readItem.fields);
	const list = operation.kind === 'list' ? listOptionsOf(operation, readItem) : undefined;
	const targets = isWrite && isPerItem ? itemTargets(run, readItem) : [];
	return {
		...readItem,
		/** How many records a list gives, and in which form. */
		list,
		/** Brings a record into the form that the user wants. */
		shape: shapeOf(run, item, list?.output),
		/** Whether to show what would be sent, instead of sending it. */
		dryRun: options.dryRun === true && isWrite,
		/** What it writes to. */
		targets,
		/** Whether it adds to what other items write there, and replaces nothing of it. */
		addsUp: operation.kind === 'each' && operation.addsUp?.(item) === true,
		/** The items whose write it is: itself, until it is joined with others. */
		rows: [item] as readonly Item[],
	};
}

/**
 * What a write replaces, so that the later of two writes wins there: with PUT the record, with PATCH the fields that it
 * sends. Other writes add up, like two refunds.
 */
export function overwritesOf(
	{ method, body = {} }: PlatformRequest,
	targets: readonly string[],
): Overwrites {
	if (method === 'PUT') return { targets };
	return method === 'PATCH' ? { targets, fields: Object.keys(body) } : { targets: [] };
}

/** @returns undefined if each item is a record of its own, or names none, which its own error says */
export function nameOfRow(operation: Operation, item: Item): string | undefined {
	if (operation.kind === 'list') return undefined;
	try {
		return operation.rowOf?.(item) || undefined;
	} catch {
		return undefined;
	}
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
		checkGuardIsSaid(label, item, `${run.api.requestOptions.name}.idempotencyKey`);
	if (key !== undefined) {
		const write = nameOfRow(run.operation, item) ?? item.itemIndex;
		request.idempotencyKey = run.writes.ownKey(write, label, key, request);
	}
	checkSendable(request);
}

/**
 * How many records a list gives, and in which form.
 *
 * @throws InputError
 */
function listOptionsOf(operation: ListOperation, { item, request }: ReadItem) {
	const { output, pageSize, startCursor } = item.options;
	// An expression without a value leaves it off.
	const readsAll = boolean('Return All', item.parameter('returnAll', false) ?? false);
	const limit = readsAll ? undefined : wholeNumber('Limit', item.parameter('limit', 50), 1);
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
 * @throws InputError
 */
function checkSameForAll({ sharedOptions, firstItemOptions }: Run, item: Item): void {
	if (sharedOptions.length === 0) return;
	const chosen = item.parameter('options', {}) as IDataObject;
	const differing = sharedOptions.find(({ name }) => chosen[name] !== firstItemOptions[name]);
	if (differing === undefined) return;
	throw new InputError(
		differing.displayName,
		'is not the same for all items',
		'It counts for the whole run. Choose one value, or send the items through two nodes after an If node.',
	);
}

/**
 * What a write changes, as far as it is known before anything is sent. Writes to one target go one after the other. A
 * record that is not looked up yet is named by what the user entered, in the form in which names are compared: `#1041`
 * and `1041` are one order.
 */
function itemTargets({ operation, client }: Run, readItem: ReadItem): string[] {
	const target = operation.target?.(readItem) ?? recordPathOf(readItem.request);
	if (target === undefined) return [];
	const named = namedOtherwise(operation, readItem.item);
	if (named === undefined) return [client.keyOf(target)];
	const { field, key } = named;
	const name = key.comparable(readItem.request.pathParams?.[field.name] ?? '');
	return [client.keyOf(`look-up ${key.path} ${name}`)];
}

/**
 * Makes the requests of an operation: method and path from its option, and what its fields say of their values
 * (`send`), also inside collections.
 *
 * @param node whose parameters decide which fields are shown; only those count
 * @returns a function that reads one input item, and throws an InputError that names the field
 */
export function itemReader(api: Api, operation: Operation, node: INode): (item: Item) => ReadItem {
	const { fields: all } = operation;
	const shownFields = all.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	// Choices that are sent belong to the platform, which may know more of them than the list. n8n itself checks what is
	// no expression.
	const choices = all.filter(
		({ type, send, name }) =>
			type === 'options' && send?.as === undefined && holdsExpression(node.parameters[name]),
	);
	const read = (item: Item): ReadItem => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shownFields) readField(field, field.name, item, sent);
		// A choice that is not in its list would silently count as the default.
		for (const field of choices) choiceOf(field, item.parameter(field.name, field.default));
		const fields = moneyToSend(sent.body, api.service.mustBeMoney);
		return { item, fields, request: requestOf(operation, item, { ...sent, body: fields }) };
	};
	return (item) => {
		try {
			return read(item);
		} catch (error) {
			throw withOddColumns(api, error, item);
		}
	};
}

/** Explains an error about an empty field by the names of the row's columns, if these may be the reason. */
function withOddColumns({ cells }: Api, error: unknown, { json }: Item): unknown {
	if (!(error instanceof InputError) || !error.message.endsWith('is empty')) return error;
	const columns = cells.oddColumns(json, error.field);
	if (columns === undefined) return error;
	return new InputError(error.field, 'is empty', `${error.description} ${columns}`.trim());
}

/**
 * What an item names a record by: an ID as it is written, or another name without what spreadsheets put around it.
 *
 * @throws InputError if it is empty, or a broken cell
 */
function recordNameOf(operation: Operation, item: Item, parameter: string, label: string): string {
	const written = text(label, item.resourceId(parameter) ?? '');
	const isName = item.lookUpMode(parameter) !== undefined;
	const name = isName ? plainName(written) : written;
	if (saysNothing(name)) {
		const called = namedOtherwise(operation, item)?.key.called ?? 'ID';
		throw new InputError(
			label,
			'is empty',
			`Nothing was sent. Enter the ${called}, or an expression that returns it.`,
		);
	}
	if (isName) checkName(label, name);
	return name;
}

function requestOf(
	operation: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { kind, option, fields } = operation;
	const { method, url } = option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// An operation that handles all items together finds its records itself.
	for (const name of kind === 'all' ? [] : placeholders(url)) {
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		pathLabels[name] = label;
		pathParams[name] = recordNameOf(operation, item, name, label);
	}
	const hasBody = method !== 'GET' && (method !== 'DELETE' || Object.keys(body).length > 0);
	return {
		method,
		path: url,
		pathParams,
		pathLabels,
		query: query as Record<string, QueryValue>,
		headers: headers as Record<string, string>,
		body: hasBody ? body : undefined,
	};
}

/** What the fields of an item give for each part of a request. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Reads a field that is sent, and those inside a collection that the user added.
 *
 * @param sent takes what is to be sent
 * @throws InputError that names the field
 */
function readField(field: Field, path: string, item: Item, sent: Sent): void {
	const { send, displayName, type } = field;
	if (send !== undefined) {
		const sentBefore = sent[send.in];
		const entered = item.parameter(path, field.default);
		const value = send.read(displayName, entered, item, sentBefore, path);
		// Object.assign would lose a field of the name `__proto__`.
		if (value !== undefined)
			sent[send.in] = { ...sentBefore, ...sentFields(displayName, send, value, sentBefore) };
	}
	if (type !== 'collection') return;
	const entered = item.parameter(path, {});
	if (!isObject(entered)) return;
	for (const option of optionsIn(field)) {
		if (option.name in entered) readField(option, `${path}.${option.name}`, item, sent);
	}
}

/** @throws InputError if another field has set the same already */
function sentFields(label: string, send: Send, value: unknown, sentBefore: IDataObject): object {
	const fields = send.as === undefined ? (value as object) : { [send.as]: value };
	for (const [name, sent] of Object.entries(fields) as Array<[string, unknown]>) {
		if (hasField(sentBefore, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (send.in === 'query' && typeof sent === 'string')
			checkQueryLength(label, encodeText(label, `${name}=${sent}`));
	}
	return fields;
}
