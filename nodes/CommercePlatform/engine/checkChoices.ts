import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { oneOf } from '../../shared/input/readers';
import type { ItemScope, Operation } from './operation';

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
