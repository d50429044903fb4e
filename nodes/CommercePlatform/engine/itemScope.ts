import type { IExecuteFunctions, IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { boolean } from '../../shared/input/readers';
import { isObject } from '../../shared/isObject';
import type { ItemScope } from './operation';
import { isExpression } from './preSend';

/**
 * One input item of a run that has them all.
 *
 * @param node the context's; handed in because n8n copies it at every call
 */
export function itemScope(context: IExecuteFunctions, itemIndex: number, node: INode): ItemScope {
	const parameter = (name: string, fallback?: unknown, options?: { extractValue?: boolean }) =>
		context.getNodeParameter(name, itemIndex, fallback, options) as unknown;
	return {
		itemIndex,
		parameter: (name, fallback) => parameter(name, fallback),
		resourceId: (name) => parameter(name, '', { extractValue: true }),
		locatorMode: (name) => modeOf(node, name),
		isExpression: (name) => isExpression(node, name),
		get single() {
			// What n8n's RoutingNode would hand to a preSend function, made from the context of all items.
			return Object.create(context, {
				getItemIndex: { value: () => itemIndex },
				getInputData: { value: () => context.getInputData()[itemIndex] },
				getNodeParameter: { value: parameter },
			}) as IExecuteSingleFunctions;
		},
	};
}

/** The item that n8n's RoutingNode is at. */
export function singleScope(context: IExecuteSingleFunctions): ItemScope {
	return {
		itemIndex: context.getItemIndex(),
		parameter: (name, fallback) => context.getNodeParameter(name, fallback),
		resourceId: (name) => context.getNodeParameter(name, '', { extractValue: true }),
		locatorMode: (name) => modeOf(context.getNode(), name),
		isExpression: (name) => isExpression(context.getNode(), name),
		single: context,
	};
}

function modeOf(node: INode, name: string): unknown {
	const locator: unknown = node.parameters[name];
	return isObject(locator) ? locator.mode : undefined;
}

/**
 * Whether a parameter that is a switch is on; an expression that gives nothing leaves it off.
 *
 * @param field display name
 * @throws InputError
 */
export function flagParameter(item: ItemScope, name: string, field: string): boolean {
	return boolean(field, item.parameter(name, false) ?? false);
}
