import {
	type IDataObject,
	type INode,
	type INodePropertyCollection,
	type INodePropertyOptions,
	NodeHelpers,
} from 'n8n-workflow';

import { checkQueryLength, encodeText, placeholders } from '../../shared/api/http';
import type { PlatformRequest, QueryValue } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { hasField, isObject } from '../../shared/values/json';
import { boolean, oneOf, text, wholeNumber } from '../../shared/values/readers';
import type { Field, Item, Send } from '../fields/field';
import type { Operation } from './operation';

/** What the fields of an item give, by where it goes. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Makes the requests of an operation: method and path of its option, and what its fields say of their values
 * (`send`), nested in collections as well.
 *
 * @param node whose choices decide which fields are shown, and so count
 * @returns a function that makes the request of one input item, and throws an InputError that names the field
 */
export function requestReader(operation: Operation, node: INode): (item: Item) => PlatformRequest {
	const shown = operation.fields.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	return (item) => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shown) readField(field, field.name, item, sent);
		return requestOf(operation, item, sent);
	};
}

function readField(field: Field, path: string, item: Item, sent: Sent): void {
	const { send, displayName, type } = field;
	if (send !== undefined) {
		const before = sent[send.in];
		const given = send.read(displayName, item.parameter(path, field.default), item, before);
		sent[send.in] = { ...before, ...named(displayName, send, given, before) };
	}
	if (type !== 'collection' && type !== 'fixedCollection') return;
	const chosen = item.parameter(path, {});
	if (!isObject(chosen)) return;
	if (type === 'fixedCollection') return readGroups(field, path, chosen, item, sent);
	for (const option of (field.options ?? []) as Field[]) {
		if (option.name in chosen) readField(option, `${path}.${option.name}`, item, sent);
	}
}

function readGroups(field: Field, path: string, chosen: IDataObject, item: Item, sent: Sent): void {
	for (const group of (field.options ?? []) as INodePropertyCollection[]) {
		const rows = chosen[group.name];
		if (rows === undefined) continue;
		const places = Array.isArray(rows) ? rows.map((_, at) => `[${at}]`) : [''];
		for (const place of places) {
			for (const value of group.values)
				readField(value, `${path}.${group.name}${place}.${value.name}`, item, sent);
		}
	}
}

/** @throws InputError where another field has said the same already */
function named(label: string, send: Send, given: unknown, before: IDataObject): object {
	if (given === undefined) return {};
	const more = send.as === undefined ? (given as object) : { [send.as]: given };
	for (const [name, value] of Object.entries(more) as Array<[string, unknown]>) {
		if (hasField(before, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (send.in === 'query' && typeof value === 'string')
			checkQueryLength(label, encodeText(label, value));
	}
	return more;
}

function requestOf(
	operation: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { method, url } = operation.option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// The requests of a run of all items are about records that it finds itself.
	const named = operation.kind === 'all' ? [] : placeholders(url);
	for (const name of named) {
		pathLabels[name] = labelOf(operation, name);
		pathParams[name] = idOf(item, pathLabels[name], name);
	}
	const hasBody = Object.keys(body).length > 0;
	return {
		method,
		path: url,
		pathParams,
		pathLabels,
		query: query as Record<string, QueryValue>,
		headers: headers as Record<string, string>,
		body: hasBody ? body : method === 'GET' || method === 'DELETE' ? undefined : {},
	};
}

function labelOf({ fields }: Operation, name: string): string {
	return fields.find((field) => field.name === name)?.displayName ?? name;
}

function idOf(item: Item, label: string, name: string): string {
	const value = item.resourceId(name) ?? '';
	if (typeof value === 'number') return text(label, value);
	if (typeof value !== 'string') throw new InputError(label, 'must be the ID as text');
	if (value.trim() === '')
		throw new InputError(
			label,
			'is empty',
			'Nothing was sent. Enter an ID, or an expression that gives one.',
		);
	return value;
}

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
 * The item's choices of its collections, each read as its field says: a switch, a whole number within its bounds, one of
 * a list. Other kinds are left as they were entered.
 *
 * @param chosen what the item has under Options and Requests
 * @param collection reads that of this name alone
 * @throws InputError that names the field
 */
export function readOptions(
	{ fields }: Operation,
	chosen: IDataObject,
	collection?: 'requests',
): IDataObject {
	const read: IDataObject = {};
	const known = fields
		.filter(({ name }) => name === 'requests' || (name === 'options' && collection === undefined))
		.flatMap(({ options }) => options as Field[]);
	for (const option of known) {
		const { name } = option;
		if (name in chosen) read[name] = valueOf(option, chosen[name]) as IDataObject[string];
	}
	return read;
}

function valueOf(field: Field, value: unknown): unknown {
	const { displayName, type, typeOptions: { minValue, maxValue } = {} } = field;
	if (type === 'boolean') return boolean(displayName, value);
	if (type === 'number' && value !== undefined)
		return wholeNumber(displayName, value, minValue, maxValue);
	if (isChoice(field)) checkChoice(field, value);
	return value;
}

/** Choices that are sent are the platform's: it may know more than the list. */
const isChoice = ({ type, send }: Field) => type === 'options' && send?.as === undefined;

/** Refuses what the list does not have, which would count as the default in silence. */
function checkChoice({ displayName, options, default: byDefault }: Field, value: unknown): void {
	const choices = (options ?? []) as INodePropertyOptions[];
	oneOf<unknown>(displayName, value, [byDefault, ...choices.map((one) => one.value)]);
}

/**
 * Refuses a choice that its list does not have. Only an expression can give one: whatever else is entered n8n checks
 * itself.
 *
 * @throws InputError that names the field
 */
export function checkChoices({ fields }: Operation, item: Item): void {
	for (const field of fields)
		if (isChoice(field) && item.isExpression(field.name))
			checkChoice(field, item.parameter(field.name, field.default));
}
