import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type INodePropertyOptions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Field, Item, Options } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import {
	boolean,
	oneOf,
	optionalText,
	saysNothing,
	wholeNumber,
} from '../../shared/values/readers';
import type { Api, Operation } from './operation';

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
export function choiceOf(field: Field, value: unknown): unknown {
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
