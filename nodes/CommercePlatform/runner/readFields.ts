import { type IDataObject, type INode, NodeHelpers } from 'n8n-workflow';

import {
	checkQueryLength,
	encodeText,
	placeholders,
	type PlatformRequest,
	type QueryValue,
} from '../../shared/rest/request';
import { InputError } from '../../shared/rest/errors';
import type { Field, Item, Send } from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import { moneyToSend } from '../../shared/values/money';
import { saysNothing, text } from '../../shared/values/readers';
import type { Operation, ReadItem } from './operation';
import { choiceOf } from './readOptions';

/** What the fields of an item give for each part of a request. */
type Sent = Record<Send['in'], IDataObject>;

/**
 * Makes the requests of an operation: method and path from its option, and what its fields say of their values
 * (`send`), also inside collections.
 *
 * @param node whose parameters decide which fields are shown; only those count
 * @returns a function that reads one input item, and throws an InputError that names the field
 */
export function itemReader(operation: Operation, node: INode): (item: Item) => ReadItem {
	const shownFields = operation.fields.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, null),
	);
	const read = (item: Item): ReadItem => {
		const sent: Sent = { body: {}, query: {}, headers: {} };
		for (const field of shownFields) readField(field, field.name, item, sent);
		checkChoices(operation, item);
		const fields = moneyToSend(sent.body, operation.service.mustBeMoney);
		return { item, fields, request: requestOf(operation, item, { ...sent, body: fields }) };
	};
	return (item) => {
		try {
			return read(item);
		} catch (error) {
			throw withOddColumns(operation, error, item);
		}
	};
}

/** Explains an error about an empty field by the names of the row's columns, if these may be the reason. */
function withOddColumns({ cells }: Operation, error: unknown, { json }: Item): unknown {
	if (!(error instanceof InputError) || !error.message.endsWith('is empty')) return error;
	const columns = cells.oddColumns(json);
	if (columns === undefined) return error;
	return new InputError(error.field, 'is empty', `${error.description} ${columns}`.trim());
}

function readField(field: Field, path: string, item: Item, sent: Sent): void {
	const { send, displayName, type } = field;
	if (send !== undefined) {
		const sentBefore = sent[send.in];
		const value = send.read(
			displayName,
			item.parameter(path, field.default),
			item,
			sentBefore,
			path,
		);
		sent[send.in] = { ...sentBefore, ...sentFields(displayName, send, value, sentBefore) };
	}
	if (type !== 'collection') return;
	const entered = item.parameter(path, {});
	if (!isObject(entered)) return;
	for (const option of (field.options ?? []) as Field[]) {
		if (option.name in entered) readField(option, `${path}.${option.name}`, item, sent);
	}
}

/** @throws InputError if another field has set the same already */
function sentFields(label: string, send: Send, value: unknown, sentBefore: IDataObject): object {
	if (value === undefined) return {};
	const fields = send.as === undefined ? (value as object) : { [send.as]: value };
	for (const [name, sent] of Object.entries(fields) as Array<[string, unknown]>) {
		if (hasField(sentBefore, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (send.in === 'query' && typeof sent === 'string')
			checkQueryLength(label, encodeText(label, `${name}=${sent}`));
	}
	return fields;
}

function requestOf(
	{ kind, option, fields, cells }: Operation,
	item: Item,
	{ body, query, headers }: Sent,
): PlatformRequest {
	const { method, url } = option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// An operation that handles all items together finds its records itself.
	for (const name of kind === 'all' ? [] : placeholders(url)) {
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		const id = text(label, item.resourceId(name) ?? '');
		if (saysNothing(id))
			throw new InputError(
				label,
				'is empty',
				'Nothing was sent. Enter an ID, or an expression that gives one.',
			);
		if (item.lookUpMode(name) !== undefined) cells.checkName(label, id);
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
 * Refuses a choice that is not in its list, which would otherwise silently count as the default. Only an expression can
 * give one: n8n itself checks everything else.
 */
function checkChoices({ fields }: Operation, item: Item): void {
	// Choices that are sent belong to the platform, which may know more of them than the list.
	const choices = fields.filter(({ type, send }) => type === 'options' && send?.as === undefined);
	for (const field of choices)
		if (item.isExpression(field.name)) choiceOf(field, item.parameter(field.name, field.default));
}
