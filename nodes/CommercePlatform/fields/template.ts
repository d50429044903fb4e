import { InputError } from '../../shared/rest/errors';
import type { Item } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';

/** Stands for an expression outside of quotes, which may give any value. */
const ANY = Symbol('any value');

/** Matches an expression in a JSON text, or a text in quotes with the expressions inside it. */
const TOKEN = /"(?:[^"\\{]|\\.|\{(?!\{)|\{\{[\s\S]*?\}\})*"|\{\{[\s\S]*?\}\}/g;

const EXPRESSION = /\{\{[\s\S]*?\}\}/g;

/**
 * Refuses a JSON text if the value of an expression has closed its quotes and added fields, e.g. `{ "note": "{{
 * $json.text }}" }` with the value `a", "status": "published`. Nobody entered such a field.
 *
 * @param field display name
 * @param path of the JSON in the parameters
 * @param value the JSON with its expressions resolved, parsed
 * @throws InputError
 */
export function checkTemplate(field: string, item: Item, path: string, value: unknown): void {
	const entered = enteredAt(item.node.parameters, path);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return;
	const template = templateOf(entered.slice(1));
	if (template === undefined || hasShape(value, template)) return;
	throw new InputError(
		field,
		'holds more than was entered: a text has broken out of its quotes',
		'Nothing was sent. Write {{ JSON.stringify($json.text) }} without quotes around it, with the field that you mean.',
	);
}

const enteredAt = (parameters: object, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), parameters);

/** The JSON as it was entered, with {@link ANY} instead of expressions; undefined if that is not valid JSON. */
function templateOf(entered: string): unknown {
	const mark = '\u0000any';
	const json = entered.replace(TOKEN, (token) =>
		token.startsWith('"') ? token.replace(EXPRESSION, '') : JSON.stringify(mark),
	);
	try {
		return JSON.parse(json, (_name, value: unknown) => (value === mark ? ANY : value));
	} catch {
		return undefined;
	}
}

/** Whether a value has exactly the fields and entries of a template. */
function hasShape(value: unknown, template: unknown): boolean {
	if (template === ANY) return true;
	if (Array.isArray(template)) {
		if (!Array.isArray(value)) return false;
		// An expression may give several entries, with commas between.
		if (template.includes(ANY)) return true;
		return (
			value.length === template.length &&
			template.every((entry, index) => hasShape(value[index], entry))
		);
	}
	if (!isObject(template)) return typeof value === typeof template;
	if (!isObject(value)) return false;
	const names = Object.keys(template);
	return (
		Object.keys(value).length === names.length &&
		names.every((name) => name in value && hasShape(value[name], template[name]))
	);
}
