import {
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	deepCopy,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Item, Options } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import type { Operation } from './operation';
import { readOptions } from './readOptions';

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
		const { context, node, items, operation } = this;
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
			const [name, ...steps] = path.split(/[.[\]]+/).filter((step) => step !== '');
			if (node.parameters[name] === undefined && fallback !== undefined) return fallback;
			let value = once(name, name, () => this.evaluated(itemIndex, name));
			for (const step of steps) {
				if (!isContainer(value) || !(step in value)) return fallback;
				value = value[step];
			}
			return value;
		};
		let options: Options | undefined;
		return {
			itemIndex,
			node,
			get options() {
				return (options ??= readOptions(operation, parameter));
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
			isExpression: (path) => isExpression(node.parameters, path.split(/[.[\]]+/)),
		};
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
