import {
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
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

	item(itemIndex: number): Item {
		const { context, node, items, operation } = this;
		const parameter = (name: string, fallback: unknown, options?: ReadOptions): unknown =>
			'getItemIndex' in context
				? context.getNodeParameter(name, fallback, options)
				: context.getNodeParameter(name, itemIndex, fallback, options);
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
			parameter: (name, fallback) => parameter(name, fallback),
			resourceId: (name) => parameter(name, '', { extractValue: true }),
			lookUpMode: (name) => {
				const locator: unknown = node.parameters[name];
				const mode = isObject(locator) ? locator.mode : undefined;
				return DIRECT_MODES.includes(mode) ? undefined : String(mode);
			},
			isExpression: (path) => isExpression(node.parameters, path.split(/[.[\]]+/)),
		};
	}
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
