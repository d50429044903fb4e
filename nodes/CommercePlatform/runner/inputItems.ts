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
	checkQueryLength,
	encodeText,
	placeholders,
	type PlatformRequest,
	type QueryValue,
} from '../../shared/rest/request';
import type { Field, Item, Options, Send } from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import { moneyToSend } from '../../shared/values/money';
import {
	boolean,
	oneOf,
	optionalText,
	saysNothing,
	text,
	wholeNumber,
} from '../../shared/values/readers';
import type { Operation, ReadItem } from './operation';

/** The input items of a run: all of them, or the one that n8n's RoutingNode is at. */
export class InputItems {
	/** Kept because n8n copies the node at every call. */
	readonly node: INode;
	/** Index of the first item. */
	readonly first: number;
	readonly total: number;
	/** Empty if RoutingNode gives its one item. */
	private readonly items: readonly INodeExecutionData[];
	/** Values of parameters that are the same for all items. */
	private readonly ofAllItems = new Map<string, unknown>();
	private readonly sameNames = new Map<string, boolean>();
	/** The options, if they are the same for all items. */
	private options?: Options;
	/** The item that was read last: a run reads its first item for its options, too. */
	private latest?: Item;

	constructor(
		readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		private readonly operation: Operation,
	) {
		this.node = context.getNode();
		const isSingle = 'getItemIndex' in context;
		this.items = isSingle ? [] : allItemsOf(context);
		this.first = isSingle ? context.getItemIndex() : 0;
		this.total = isSingle ? 1 : this.items.length;
	}

	/**
	 * An item's parameters, each read once. n8n evaluates an expression whenever its parameter is read, and the result
	 * may differ.
	 */
	item(itemIndex: number): Item {
		if (this.latest?.itemIndex !== itemIndex) this.latest = this.itemAt(itemIndex);
		return this.latest;
	}

	private itemAt(itemIndex: number): Item {
		const { context, node, items } = this;
		const ofItem = new Map<string, unknown>();
		/** Reads a parameter once: for the item, or for the whole run if it holds no expression. */
		const once = (name: string, key: string, read: () => unknown): unknown => {
			const values = this.isSame(name) ? this.ofAllItems : ofItem;
			if (!values.has(key)) values.set(key, read());
			const value = values.get(key);
			// One item must not change what the next one gets. Without expressions it is plain JSON.
			return values === ofItem || !isObject(value) ? value : deepCopy(value);
		};
		const parameter = (path: string, fallback?: unknown): unknown => {
			const [name, ...steps] = isPlainName(path) ? [path] : stepsOf(path);
			if (node.parameters[name] === undefined && fallback !== undefined) return fallback;
			let value = once(name, name, () => this.evaluated(itemIndex, name));
			for (const step of steps) {
				if (!isContainer(value) || !(step in value)) return fallback;
				value = value[step];
			}
			return value;
		};
		const optionsOf = () => this.optionsOf(parameter);
		let options: Options | undefined;
		return {
			itemIndex,
			node,
			get options() {
				return (options ??= optionsOf());
			},
			get json() {
				return 'getItemIndex' in context ? context.getInputData().json : items[itemIndex].json;
			},
			get timezone() {
				return context.getTimezone();
			},
			parameter,
			resourceId: (name) =>
				once(name, `ID ${name}`, () => this.evaluated(itemIndex, name, { extractValue: true })),
			lookUpMode: (name) => {
				const locator: unknown = node.parameters[name];
				const mode = isObject(locator) ? locator.mode : undefined;
				return DIRECT_MODES.includes(mode) ? undefined : String(mode);
			},
			isExpression: (path) => isExpression(node.parameters, stepsOf(path)),
		};
	}

	/** Reads the options of an item, or of all items if they hold no expression. */
	private optionsOf(parameter: Item['parameter']): Options {
		const { operation } = this;
		const isSame = this.isSame('options') && this.isSame(operation.requestOptions.name);
		if (!isSame) return readOptions(operation, parameter);
		return (this.options ??= readOptions(operation, parameter));
	}

	private evaluated(itemIndex: number, name: string, options?: ReadOptions): unknown {
		const { context } = this;
		return 'getItemIndex' in context
			? context.getNodeParameter(name, '', options)
			: context.getNodeParameter(name, itemIndex, '', options);
	}

	/** Whether a parameter is the same for all items, since it holds no expression. */
	private isSame(name: string): boolean {
		const isSame = this.sameNames.get(name) ?? !holdsExpression(this.node.parameters[name]);
		this.sameNames.set(name, isSame);
		return isSame;
	}
}

/** The names on a path such as `options.rows[0].price`. */
const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** Whether a path is the name of a parameter, as most are. */
const isPlainName = (path: string): boolean => !path.includes('.') && !path.includes('[');

const isContainer = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

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

type ReadOptions = Parameters<IExecuteSingleFunctions['getNodeParameter']>[2];

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
function readOptions({ fields, requestOptions }: Operation, parameter: Item['parameter']): Options {
	const options = fields.find(({ name }) => name === 'options');
	return {
		...readChoices(optionsIn(options), parameter('options', {})),
		...readChoices(optionsIn(requestOptions), parameter(requestOptions.name, {})),
	};
}

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

/** What the fields of an item give for each part of a request. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Makes the requests of an operation: method and path from its option, and what its fields say of their values
 * (`send`), also inside collections.
 *
 * @param node whose parameters decide which fields are shown; only those count
 * @returns a function that reads one input item, and throws an InputError that names the field
 */
export function itemReader(operation: Operation, node: INode): (item: Item) => ReadItem {
	const shownFields = operation.fields.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	const read = (item: Item): ReadItem => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shownFields) readField(field, field.name, item, sent);
		checkChoices(operation, item);
		const fields = moneyToSend(sent.body, operation.service.mustBeMoney);
		return { item, fields, request: requestOf(operation, item, { ...sent, body: fields }) };
	};
	return (item) => {
		try {
			return read(item);
		} catch (error) {
			throw withOddColumns(operation, error, item);
		}
	};
}

/** Explains an error about an empty field by the names of the row's columns, if these may be the reason. */
function withOddColumns({ cells }: Operation, error: unknown, { json }: Item): unknown {
	if (!(error instanceof InputError) || !error.message.endsWith('is empty')) return error;
	const columns = cells.oddColumns(json);
	if (columns === undefined) return error;
	return new InputError(error.field, 'is empty', `${error.description} ${columns}`.trim());
}

function readField(field: Field, path: string, item: Item, sent: Sent): void {
	const { send, displayName, type } = field;
	if (send !== undefined) {
		const sentBefore = sent[send.in];
		const value = send.read(
			displayName,
			item.parameter(path, field.default),
			item,
			sentBefore,
			path,
		);
		sent[send.in] = { ...sentBefore, ...sentFields(displayName, send, value, sentBefore) };
	}
	if (type !== 'collection') return;
	const entered = item.parameter(path, {});
	if (!isObject(entered)) return;
	for (const option of (field.options ?? []) as Field[]) {
		if (option.name in entered) readField(option, `${path}.${option.name}`, item, sent);
	}
}

/** @throws InputError if another field has set the same already */
function sentFields(label: string, send: Send, value: unknown, sentBefore: IDataObject): object {
	if (value === undefined) return {};
	const fields = send.as === undefined ? (value as object) : { [send.as]: value };
	for (const [name, sent] of Object.entries(fields) as Array<[string, unknown]>) {
		if (hasField(sentBefore, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (send.in === 'query' && typeof sent === 'string')
			checkQueryLength(label, encodeText(label, `${name}=${sent}`));
	}
	return fields;
}

function requestOf(
	{ kind, option, fields, cells }: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { method, url } = option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// An operation that handles all items together finds its records itself.
	for (const name of kind === 'all' ? [] : placeholders(url)) {
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		const id = text(label, item.resourceId(name) ?? '');
		if (saysNothing(id))
			throw new InputError(
				label,
				'is empty',
				'Nothing was sent. Enter an ID, or an expression that returns one.',
			);
		if (item.lookUpMode(name) !== undefined) cells.checkName(label, id);
		pathLabels[name] = label;
		pathParams[name] = id;
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

/**
 * Refuses a choice that is not in its list, which would otherwise silently count as the default. Only an expression can
 * give one: n8n itself checks everything else.
 */
function checkChoices({ fields }: Operation, item: Item): void {
	// Choices that are sent belong to the platform, which may know more of them than the list.
	const choices = fields.filter(({ type, send }) => type === 'options' && send?.as === undefined);
	for (const field of choices)
		if (item.isExpression(field.name)) choiceOf(field, item.parameter(field.name, field.default));
}
