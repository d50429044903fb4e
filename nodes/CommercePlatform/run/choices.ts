import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { boolean, oneOf } from '../../shared/values/readers';
import type { Operation } from '../engine/operation';
import type { Field, Item } from '../fields/field';

/**
 * Whether a parameter that is a switch is on; an expression that gives nothing leaves it off.
 *
 * @param field display name
 * @throws InputError
 */
export function flagParameter(item: Pick<Item, 'parameter'>, name: string, field: string): boolean {
	return boolean(field, item.parameter(name, false) ?? false);
}

/**
 * Refuses a choice that its list does not have, which would count as the default in silence. Only an expression can
 * give one: whatever else is entered n8n checks itself.
 *
 * @param options the item's Options
 * @throws InputError that names the field
 */
export function checkChoices({ fields }: Operation, item: Item, options: IDataObject): void {
	for (const field of fields) {
		const { name, default: byDefault } = field;
		if (isChoice(field) && item.isExpression(name)) check(field, item.parameter(name, byDefault));
		if (name !== 'options') continue;
		for (const option of (field.options ?? []) as Field[])
			if (isChoice(option)) check(option, options[option.name]);
	}
}

/** Choices that are sent are the platform's: it may know more than the list. */
const isChoice = ({ type, send }: Field) => type === 'options' && send?.as === undefined;

function check(field: Field, value: unknown): void {
	const choices = (field.options ?? []) as INodePropertyOptions[];
	oneOf<unknown>(field.displayName, value, [field.default, ...choices.map((one) => one.value)]);
}
