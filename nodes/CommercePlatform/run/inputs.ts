import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { Item } from '../fields/field';

/** The input items of a run, whichever of n8n's engines runs the node: all of them, or the one that RoutingNode is at. */
export class Inputs {
	/** Held because n8n copies it at every call. */
	readonly node: INode;
	/** Index of the first item. */
	readonly first: number;
	readonly total: number;
	/** None where RoutingNode gives its item by itself. */
	private readonly items: readonly INodeExecutionData[];

	constructor(readonly context: IExecuteFunctions | IExecuteSingleFunctions) {
		this.node = context.getNode();
		const isOne = 'getItemIndex' in context;
		this.items = isOne ? [] : allOf(context);
		this.first = isOne ? context.getItemIndex() : 0;
		this.total = isOne ? 1 : this.items.length;
	}

	item(itemIndex: number): Item {
		return new InputItem(this, itemIndex);
	}

	/** What came in. */
	json(itemIndex: number): IDataObject {
		const { context } = this;
		return 'getItemIndex' in context ? context.getInputData().json : this.items[itemIndex].json;
	}

	/** An item's value of a parameter. */
	parameter(itemIndex: number, name: string, fallback: unknown, options?: ReadOptions): unknown {
		const { context } = this;
		return 'getItemIndex' in context
			? context.getNodeParameter(name, fallback, options)
			: context.getNodeParameter(name, itemIndex, fallback, options);
	}
}

type ReadOptions = Parameters<IExecuteSingleFunctions['getNodeParameter']>[2];

/** As an AI tool the node gets its items by another connection. */
function allOf(context: IExecuteFunctions): readonly INodeExecutionData[] {
	const items = context.getInputData();
	return items.length > 0 ? items : context.getInputData(0, NodeConnectionTypes.AiTool);
}

/** One of them. */
class InputItem implements Item {
	constructor(
		private readonly inputs: Inputs,
		readonly itemIndex: number,
	) {}

	get node(): INode {
		return this.inputs.node;
	}

	get timezone(): string {
		return this.inputs.context.getTimezone();
	}

	get json(): IDataObject {
		return this.inputs.json(this.itemIndex);
	}

	parameter(name: string, fallback?: unknown): unknown {
		return this.inputs.parameter(this.itemIndex, name, fallback);
	}

	resourceId(name: string): unknown {
		return this.inputs.parameter(this.itemIndex, name, '', { extractValue: true });
	}

	locatorMode(name: string): unknown {
		const locator: unknown = this.node.parameters[name];
		return isObject(locator) ? locator.mode : undefined;
	}

	isExpression(name: string): boolean {
		const entered: unknown = this.node.parameters[name];
		return typeof entered === 'string' && entered.startsWith('=');
	}
}
