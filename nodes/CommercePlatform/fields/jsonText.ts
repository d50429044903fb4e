import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import type { Item } from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import { json, jsonObject, saysNothing } from '../../shared/values/readers';

/** An expression in a text that a user wrote. */
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;

/**
 * A text in quotes, with the expressions inside it; or an expression; or any other part of JSON. Each text matches in
 * one way only: otherwise a quote without its end would take for ever.
 */
const TEMPLATE_TOKEN =
	/"(?:[^"\\{]|\\.|\{(?!\{)|\{\{(?:[^}]|\}(?!\}))*\}\})*"|\{\{[\s\S]*?\}\}|[{}[\],:]|[^\s{}[\],:"]+/g;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** A text without blanks around it that is one fenced block, as language models write JSON. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*)```$/i;

/**
 * Reads a JSON field; no JSON that a user enters is read in another way. A text that an expression puts between quotes
 * stays there: what the template writes itself comes out with its own value, no name stands twice in one object, and
 * nothing comes in that the template does not have.
 *
 * @param field display name
 * @param path of the field in the parameters
 * @param value what n8n made of the field for this item
 * @throws InputError that names the field
 */
export function enteredJson(field: string, item: Item, path: string, value: unknown): unknown {
	if (typeof value !== 'string') return json(field, value);
	const template = templateAt(item, path);
	const written = FENCED.exec(value.trim())?.[1] ?? value;
	checkBesideExpression(field, template, written);
	checkBackslashes(field, template);
	const read = json(field, written);
	const tokens = written.match(TOKEN) ?? [];
	const twice = nameTwiceIn(tokens);
	if (twice !== undefined)
		throw new InputError(field, `has ${twice} twice in one object`, CHECK_EXPRESSION);
	if (template !== undefined && !fits(template.match(TEMPLATE_TOKEN) ?? [], tokens))
		throw new InputError(
			field,
			'holds more than was entered: a text has left its quotes',
			USE_STRINGIFY,
		);
	return read;
}

const CHECK_EXPRESSION = 'Nothing was sent. Check the expression.';
const USE_STRINGIFY =
	'Nothing was sent. Write {{ JSON.stringify($json.text) }} without quotes around it, with the field that you mean.';

/** The text with its expressions, as the user wrote it; undefined if it has none, or is one expression as a whole. */
function templateAt(item: Item, path: string): string | undefined {
	const entered = item.entered(path);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return undefined;
	const template = entered.slice(1);
	return template.replace(EXPRESSION, '').trim() === '' ? undefined : template;
}

/** n8n makes a text of an object if anything stands next to its expression. */
function checkBesideExpression(field: string, template: string | undefined, written: string): void {
	if (!written.includes('[object Object]')) return;
	const rest = template?.replace(EXPRESSION, ' … ').trim();
	const remedy =
		rest === undefined
			? 'Remove blanks and line breaks before {{ and after }}.'
			: `Remove what is before or after the expression: ${rest.slice(0, 60)}`;
	throw new InputError(
		field,
		'holds “[object Object]” in place of an object',
		`Nothing was sent. ${remedy}`,
	);
}

/** n8n makes one backslash of two that stand between expressions: another value would come out than was entered. */
function checkBackslashes(field: string, template: string | undefined): void {
	const between = template?.split(EXPRESSION).slice(1, -1) ?? [];
	if (between.some((part) => part.includes('\\\\')))
		throw new InputError(
			field,
			'has two backslashes between expressions, of which n8n keeps one',
			USE_STRINGIFY,
		);
}

/** The first name that stands twice in one object. */
function nameTwiceIn(tokens: readonly string[]): string | undefined {
	const objects: Array<Set<unknown> | undefined> = [];
	for (const [index, token] of tokens.entries()) {
		if (token === '{' || token === '[') objects.push(token === '{' ? new Set() : undefined);
		else if (token === '}' || token === ']') objects.pop();
		else if (tokens[index + 1] === ':' && token.startsWith('"')) {
			const name: unknown = JSON.parse(token);
			if (objects.at(-1)?.has(name)) return token;
			objects.at(-1)?.add(name);
		}
	}
	return undefined;
}

/**
 * Whether the parts of a JSON text are those of its template, where an expression between quotes stands for some text,
 * and any other expression for one value; in a list of nothing else it stands for all of its entries.
 */
function fits(template: readonly string[], tokens: readonly string[]): boolean {
	let at = 0;
	for (const [index, part] of template.entries()) {
		if (part.startsWith('{{')) {
			const isWholeList = template[index - 1] === '[' && template[index + 1] === ']';
			at = isWholeList ? endOfList(tokens, at) : endOfValue(tokens, at);
		} else if (part.startsWith('"') && part.includes('{{')) {
			if (!fitsText(part, tokens[at++] ?? '')) return false;
		} else if (tokens[at++] !== part) return false;
	}
	return at === tokens.length;
}

/** Where the value that begins at a token ends. */
function endOfValue(tokens: readonly string[], start: number): number {
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		if (tokens[at] === '{' || tokens[at] === '[') depth++;
		if (tokens[at] === '}' || tokens[at] === ']') depth--;
		if (depth <= 0) return at + 1;
	}
	return tokens.length;
}

function endOfList(tokens: readonly string[], start: number): number {
	let at = start;
	while (at < tokens.length && tokens[at] !== ']') at = endOfValue(tokens, at);
	return at;
}

/** Code that writes the escapes of JSON itself. */
const ESCAPES = /stringify|\\\\/;

/** Whether a text in quotes is one of its template: its own parts in their order, and plain text between. */
function fitsText(template: string, text: string): boolean {
	if (!text.startsWith('"')) return false;
	const parts = template.split(EXPRESSION);
	const expressions = template.match(EXPRESSION) ?? [];
	let at = 0;
	for (const [index, part] of parts.entries()) {
		const found = index === parts.length - 1 ? text.length - part.length : text.indexOf(part, at);
		if (found < at || !text.startsWith(part, found)) return false;
		// A backslash of the text itself would escape what follows, or become another character.
		const between = text.slice(at, found);
		if (between.includes('\\') && !ESCAPES.test(expressions[index - 1] ?? '')) return false;
		at = found + part.length;
	}
	return true;
}

/** Reads a JSON object in the same way. */
export const enteredObject = (
	field: string,
	item: Item,
	path: string,
	value: unknown,
): IDataObject => jsonObject(field, enteredJson(field, item, path, value));

/**
 * Removes fields that say nothing, at any depth: an expression without a value must not empty a field of the record.
 * Entries of lists stay in their places.
 */
export function withoutBlanks<T>(value: T): T {
	// Most have no blanks. An object that loses fields is slow from then on, so a new one is made of those that stay.
	if (!holdsBlank(value)) return value;
	if (Array.isArray(value)) return value.map(withoutBlanks) as T;
	const fields = value as IDataObject;
	// A price without its amount would be sent as a currency alone; left in, it is refused by name.
	const isNeeded = (name: string) => name === 'amount' && hasField(fields, 'currency');
	const kept = Object.entries(fields).map(([name, field]) => [name, withoutBlanks(field)] as const);
	return Object.fromEntries(
		kept.filter(([name, field]) => !saysNothing(field) || isNeeded(name)),
	) as T;
}

/** Whether an object, at any depth, has a field that says nothing. */
function holdsBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(holdsBlank);
	return (
		isObject(value) && Object.values(value).some((field) => saysNothing(field) || holdsBlank(field))
	);
}

/**
 * Reads a JSON field for a body. JSON that was written by hand is sent unchanged. From JSON with an expression, fields
 * that say nothing are removed.
 *
 * @param field display name
 * @param path of the field in the parameters
 * @throws InputError
 */
export function sentJson(field: string, item: Item, path: string, value: unknown): unknown {
	if (!item.isExpression(path)) return enteredJson(field, item, path, value);
	// An object from an expression may hold fields without a value, which JSON does not have.
	const given = typeof value === 'string' ? value : withoutBlanks(value);
	return withoutBlanks(enteredJson(field, item, path, given));
}

/** Reads a JSON object in the same way; an empty field is an empty object. */
export function sentObject(field: string, item: Item, path: string, value: unknown): IDataObject {
	if (saysNothing(value)) return {};
	return jsonObject(field, sentJson(field, item, path, value));
}
