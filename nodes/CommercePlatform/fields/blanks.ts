import { InputError } from '../../shared/errors/errors';
import { hasField, isObject } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';
import type { Item } from '../../shared/fields';
import { checkTemplate } from './template';

/**
 * A value without the fields that say nothing, at any depth: what an expression leaves empty must not empty a field of
 * the platform's. Entries of lists stay in their places.
 */
export function withoutBlanks<T>(value: T): T {
	return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(cleaned);
	if (!isObject(value)) return value;
	// Without its amount a price would go out as a currency alone; with it, it is refused by name.
	const isNeeded = (name: string) => name === 'amount' && hasField(value, 'currency');
	const fields = Object.entries(value)
		.map(([name, field]) => [name, cleaned(field)] as const)
		.filter(([name, field]) => isNeeded(name) || !saysNothing(field));
	return Object.fromEntries(fields);
}

/**
 * What a JSON field holds. Written by hand, it is sent as it stands; of an expression, what says nothing is left out.
 *
 * @param field display name
 * @param path of the field in the parameters
 * @throws InputError where a text of the expression has brought fields along
 */
export function sentJson<T>(field: string, item: Item, path: string, value: T): T {
	if (!item.isExpression(path)) return value;
	checkTemplate(field, item, path, value);
	return withoutBlanks(value);
}

/**
 * Refuses an empty guard of a write where an expression gave it: without it the write would go out unguarded.
 *
 * @param path of the field in the parameters
 * @throws InputError
 */
export function checkGuardIsSaid(label: string, item: Item, path: string): void {
	if (item.isExpression(path))
		throw new InputError(
			label,
			'is empty',
			'Its expression gives nothing, so the write would go out unguarded. Nothing was sent. Correct the expression, or remove the field.',
		);
}
