import {
	NodeHelpers,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyRouting,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { placeholders } from '../../shared/api/http';
import type { PlatformRequest, QueryValue } from '../../shared/api/request';
import { text } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import type { ItemScope, Operation, PreSend } from './operation';

/** One place of the description that contributes to the request, found once for all items of a run. */
interface Contribution {
	/** The parameter's path, e.g. `filters.status`. */
	path: string;
	routing: INodePropertyRouting;
}

/**
 * Reads an operation's `routing` the way n8n's RoutingNode does, as far as this package uses it: method and
 * url of the option, `send` of the fields (property, type, `preSend`), nested in collections. Engine tests
 * hold both against each other.
 *
 * @returns a function that makes the request of one input item
 */
export function requestReader(
	operation: Operation,
	node: INode,
	description: INodeTypeDescription,
): (item: ItemScope) => Promise<PlatformRequest> {
	const shown = operation.fields.filter((field) =>
		NodeHelpers.displayParameter(node.parameters, field, node, description),
	);
	const { method, url } = operation.option.routing.request;
	return async (item) => {
		const options: IHttpRequestOptions = { method, url, qs: {}, body: {}, headers: {} };
		const preSends: PreSend[] = [];
		for (const field of shown) contribute(field, field.name, item, options, preSends);
		let shaped = options;
		for (const preSend of preSends) shaped = await preSend.call(item.single, shaped);
		return toPlatformRequest(shaped, item, operation);
	};
}

/**
 * Turns n8n's request options, after all routing was applied, into a request of the platform.
 *
 * @throws InputError unless a query value is text, a number or a boolean
 */
export function toPlatformRequest(
	options: Pick<IHttpRequestOptions, 'qs' | 'body' | 'headers'>,
	item: ItemScope,
	operation: Operation,
): PlatformRequest {
	const { method, url } = operation.option.routing.request;
	const pathParams: Record<string, string> = {};
	const pathLabels: Record<string, string> = {};
	// The requests of a run of all items are about records that it finds itself.
	const named = operation.kind === 'batch' ? [] : placeholders(url);
	for (const name of named) {
		pathLabels[name] = labelOf(operation, name);
		pathParams[name] = idOf(item, pathLabels[name], name);
	}
	const body = options.body as IDataObject | undefined;
	const hasBody = body !== undefined && Object.keys(body).length > 0;
	return {
		method,
		path: url,
		pathParams,
		pathLabels,
		query: queryOf(options.qs ?? {}),
		headers: options.headers as Record<string, string> | undefined,
		body: hasBody ? body : method === 'GET' || method === 'DELETE' ? undefined : {},
	};
}

function labelOf({ fields }: Operation, name: string): string {
	return fields.find((field) => field.name === name)?.displayName ?? name;
}

function idOf(item: ItemScope, label: string, name: string): string {
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

function queryOf(qs: IDataObject): Record<string, QueryValue> {
	const query: Record<string, QueryValue> = {};
	for (const [name, value] of Object.entries(qs)) {
		if (value === undefined || value === null || value === '') continue;
		if (typeof value === 'object')
			throw new InputError(name, 'must be text, a number or true/false');
		query[name] = value;
	}
	return query;
}

function contribute(
	field: INodeProperties,
	path: string,
	item: ItemScope,
	options: IHttpRequestOptions,
	preSends: PreSend[],
): void {
	if (field.routing !== undefined) apply({ path, routing: field.routing }, item, options, preSends);
	if (field.type === 'collection') {
		const chosen = item.parameter(path, {});
		for (const option of (field.options ?? []) as INodeProperties[]) {
			if (isObject(chosen) && option.name in chosen)
				contribute(option, `${path}.${option.name}`, item, options, preSends);
		}
	}
	if (field.type === 'fixedCollection') contributeGroups(field, path, item, options, preSends);
}

function contributeGroups(
	field: INodeProperties,
	path: string,
	item: ItemScope,
	options: IHttpRequestOptions,
	preSends: PreSend[],
): void {
	const chosen = item.parameter(path, {});
	if (!isObject(chosen)) return;
	for (const group of (field.options ?? []) as INodePropertyCollection[]) {
		const entries = chosen[group.name];
		if (entries === undefined) continue;
		const count = Array.isArray(entries) ? entries.length : 1;
		for (let index = 0; index < count; index++) {
			const base = `${path}.${group.name}${Array.isArray(entries) ? `[${index}]` : ''}`;
			for (const value of group.values)
				contribute(value, `${base}.${value.name}`, item, options, preSends);
		}
	}
}

function apply(
	{ path, routing }: Contribution,
	item: ItemScope,
	options: IHttpRequestOptions,
	preSends: PreSend[],
): void {
	const { send } = routing;
	if (send === undefined) return;
	if (typeof send.property === 'string') {
		const target = (send.type === 'body' ? options.body : options.qs) as IDataObject;
		setAt(target, send.property, item.parameter(path));
	}
	if (send.preSend !== undefined) preSends.push(...(send.preSend as PreSend[]));
}

/** Properties with dots are nested, as in n8n's own engine. */
function setAt(target: IDataObject, property: string, value: unknown): void {
	const names = property.split('.');
	const last = names.pop() ?? property;
	let place = target;
	for (const name of names) {
		if (!isObject(place[name])) place[name] = {};
		place = place[name] as IDataObject;
	}
	place[last] = value as IDataObject[string];
}
