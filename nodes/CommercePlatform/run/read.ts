import {
	type IDataObject,
	type INode,
	type INodePropertyCollection,
	type INodePropertyOptions,
	NodeHelpers,
} from 'n8n-workflow';

import {
	checkQueryLength,
	encodeText,
	placeholders,
	type PlatformRequest,
	type QueryValue,
} from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import type { Field, Item, Send } from '../../shared/fields';
import { hasField, isObject } from '../../shared/values/json';
import { moneyToSend } from '../../shared/values/money';
import { boolean, oneOf, text, wholeNumber } from '../../shared/values/readers';
import type { Operation, PlannedItem } from './operation';

/** What the fields of an item give, by where it goes. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Makes the requests of an operation: method and path of its option, and what its fields say of their values
 * (`send`), nested in collections as well.
 *
 * @param node whose choices decide which fields are shown, and so count
 * @returns a function that reads one input item, and throws an InputError that names the field
 */
export function itemReader(operation: Operation, node: INode): (item: Item) => PlannedItem {
	const shown = operation.fields.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	return (item) => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shown) readField(field, field.name, item, sent);
		checkChoices(operation, item);
		const fields = moneyToSend(sent.body);
		return { item, fields, request: requestOf(operation, item, { ...sent, body: fields }) };
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
			checkQueryLength(label, encodeText(label, `${name}=${value}`));
	}
	return more;
}

function requestOf(
	{ kind, option, fields }: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { method, url } = option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// The requests of a run of all items are about records that it finds itself.
	for (const name of kind === 'all' ? [] : placeholders(url)) {
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		const id = text(label, item.resourceId(name) ?? '');
		if (id.trim() === '')
			throw new InputError(
				label,
				'is empty',
				'Nothing was sent. Enter an ID, or an expression that gives one.',
			);
		pathLabels[name] = label;
		pathParams[name] = id;
	}
	const hasBody = method !== 'GET' && (method !== 'DELETE' || Object.keys(body).length > 0);
	return {
		method,
		path: url,
		pathParams,
		pathLabels,
		query: query as Record<string, QueryValue>,
		headers: headers as Record<string, string>,
		body: hasBody ? body : undefined,
	};
}

/**
 * The item's choices of its collections, each read as its field says: a switch, a whole number within its bounds, one of
 * a list. Other kinds are left as they were entered.
 *
 * @param chosen what the item has under Options and Requests
 * @param collections reads those of these names alone
 * @throws InputError that names the field
 */
export function readOptions(
	{ fields }: Operation,
	chosen: IDataObject,
	collections = ['options', 'requests'],
): IDataObject {
	const read: IDataObject = {};
	const known = fields
		.filter(({ name }) => collections.includes(name))
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
	// Choices that are sent are the platform's: it may know more than the list.
	if (type === 'options' && field.send?.as === undefined) {
		const choices = (field.options ?? []) as INodePropertyOptions[];
		oneOf<unknown>(displayName, value, [field.default, ...choices.map((one) => one.value)]);
	}
	return value;
}

/**
 * Refuses a choice that its list does not have, which would count as the default in silence. Only an expression can
 * give one: whatever else is entered n8n checks itself.
 */
function checkChoices({ fields }: Operation, item: Item): void {
	for (const field of fields)
		if (field.type === 'options' && item.isExpression(field.name))
			valueOf(field, item.parameter(field.name, field.default));
}
