import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { boolean, oneOf } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import type { ItemScope, Operation } from './operation';
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

/**
 * Refuses a choice that its list does not have, which would count as the default in silence. Only an expression can
 * give one: whatever else is entered n8n checks itself.
 *
 * @param options the item's Options
 * @throws InputError that names the field
 */
export function checkChoices({ fields }: Operation, item: ItemScope, options: IDataObject): void {
	for (const field of fields) {
		const { name, default: byDefault } = field;
		if (isChoice(field) && item.isExpression(name)) check(field, item.parameter(name, byDefault));
		if (name !== 'options') continue;
		for (const option of (field.options ?? []) as INodeProperties[])
			if (isChoice(option)) check(option, options[option.name]);
	}
}

/** Choices that are sent are the platform's: it may know more than the list. */
const isChoice = ({ type, routing }: INodeProperties) =>
	type === 'options' && routing?.send?.property === undefined;

function check(field: INodeProperties, value: unknown): void {
	const choices = (field.options ?? []) as INodePropertyOptions[];
	oneOf<unknown>(field.displayName, value, [field.default, ...choices.map((one) => one.value)]);
}
