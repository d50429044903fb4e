import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { Item } from '../fields/field';

type ReadParameter = (
	name: string,
	fallback: unknown,
	options?: { extractValue?: boolean },
) => unknown;

/** One input item, made of either of n8n's contexts. */
export class InputItem implements Item {
	private constructor(
		readonly itemIndex: number,
		readonly node: INode,
		private readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		private readonly read: ReadParameter,
	) {}

	/**
	 * An item of a run that has them all.
	 *
	 * @param node the context's; handed in because n8n copies it at every call
	 */
	static ofAll(context: IExecuteFunctions, itemIndex: number, node: INode): InputItem {
		return new InputItem(itemIndex, node, context, (name, fallback, options) =>
			context.getNodeParameter(name, itemIndex, fallback, options),
		);
	}

	/** The item that n8n's RoutingNode is at. */
	static ofOne(context: IExecuteSingleFunctions): InputItem {
		return new InputItem(
			context.getItemIndex(),
			context.getNode(),
			context,
			(name, fallback, options) => context.getNodeParameter(name, fallback, options),
		);
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	get json(): IDataObject {
		const input = this.context.getInputData();
		return (Array.isArray(input) ? input[this.itemIndex] : input).json;
	}

	parameter(name: string, fallback?: unknown): unknown {
		return this.read(name, fallback);
	}

	resourceId(name: string): unknown {
		return this.read(name, '', { extractValue: true });
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
