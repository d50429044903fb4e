import type { INode } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';

/** An expression in which a model fills in the value: it leaves a filter empty to say that it wants none. */
const BY_MODEL = /\$fromAI\s*\(/i;

/**
 * Refuses a filter whose expression gives nothing: without it all records would come, and what follows in the
 * workflow would be done to all of them. One that was left empty by hand does not count, as ever.
 *
 * @param name of the filter among the node's `filters`
 * @param field display name
 * @param value what it gives
 * @throws InputError
 */
export function checkFilterGiven(
	{ parameters }: Pick<INode, 'parameters'>,
	name: string,
	field: string,
	value: unknown,
): void {
	const isEmpty = typeof value === 'string' ? value.trim() === '' : (value ?? null) === null;
	if (!isEmpty) return;
	const filters: unknown = parameters.filters;
	const entered: unknown = isObject(filters) ? filters[name] : filters;
	const isExpression = typeof entered === 'string' && entered.startsWith('=');
	if (!isExpression || BY_MODEL.test(entered)) return;
	throw new InputError(
		field,
		'is empty',
		'Nothing was sent: its expression gives nothing, and without this filter all records would come. Give it a value, or remove the filter.',
	);
}
