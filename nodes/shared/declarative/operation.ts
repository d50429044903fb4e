import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Connection } from '../api/connection';
import type { OperationFacts } from '../api/errorTexts';
import type { PlatformError } from '../api/platformError';
import type { PlatformMethod, PlatformRequest, PlatformResponse } from '../api/request';
import { probableScope } from '../model/scopes';

/** The option of the Operation list, with the request that it stands for. */
export interface OperationOption extends INodePropertyOptions {
	value: string;
	action: string;
	description: string;
	routing: {
		request: {
			method: PlatformMethod;
			/** As the API document writes it, e.g. `/orders/{orderId}/cancel`; a placeholder is a parameter's name. */
			url: string;
		};
	};
}

/** One input item, as operations see it: the same for both of n8n's ways to run a declarative node. */
export interface ItemScope {
	readonly itemIndex: number;
	/** The item's value of a parameter. */
	parameter(name: string, fallback?: unknown): unknown;
	/** The ID that a resource locator holds, whichever way it was entered. */
	located(name: string): unknown;
	/** The way in which it was entered: `list`, `id`, … Costs nothing, unlike a parameter with an expression. */
	locatorMode(name: string): unknown;
	/** The `this` of `preSend` functions. */
	readonly single: IExecuteSingleFunctions;
}

/** A running operation, for the few that need more than one request. */
export interface OperationCall {
	item: ItemScope;
	request: PlatformRequest;
	/** Sends a further request; `step` makes its Idempotency-Key its own. */
	send(request: PlatformRequest, step: string): Promise<PlatformResponse>;
	connection: Connection;
}

/** What an answer becomes. */
export type Answer =
	/** A list by cursor: an item a record, or a page. */
	| 'list'
	/** `{ data: resource }`: one item. */
	| 'record'
	/** 204: `{ deleted: true }` with the id. */
	| 'deleted';

/**
 * One operation of a resource: what the user sees, the request it stands for, and what its answer becomes.
 * It knows nothing of limits, retries or pages.
 */
export interface Operation {
	option: OperationOption;
	fields: INodeProperties[];
	answer: Answer;
	/** Leave `limit` and filters out: the API document gives this list no query. */
	bareList?: true;
	/** How to go on in this list where its pages carry no cursor. */
	continueBy?: { field: string; query: string };
	/** What the platform asks for beyond a scope, as a sentence for a refusal. */
	permission?: string;
	inDevelopment?: boolean;
	meanwhile?: string;
	/** Completes the request with what must be looked up first, e.g. the ID behind a handle. */
	prepare?(call: OperationCall): Promise<PlatformRequest>;
	/** Turns a refusal into a result where the user asked for it; undefined leaves it an error. */
	recover?(call: OperationCall, error: PlatformError): Promise<IDataObject | undefined>;
	/** Replaces the one request by a sequence of its own. */
	perform?(call: OperationCall): Promise<IDataObject>;
	/** Shortens a record when Simplify is on. */
	simplify?(record: IDataObject): IDataObject;
}

export interface Resource {
	name: string;
	value: string;
	description: string;
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	operations: Operation[];
}

/** Shapes a request before it is sent. Works on n8n's own type, so that n8n's engine can call it too. */
export type PreSend = (
	this: IExecuteSingleFunctions,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

export type Items = INodeExecutionData[];

/** Whether an operation changes anything on the platform; one with several requests is described by its first. */
export function isWrite({ option, perform }: Operation): boolean {
	return option.routing.request.method !== 'GET' || perform !== undefined;
}

/** What error messages may know of an operation. */
export function factsOf(resource: Resource, operation: Operation): OperationFacts {
	const { permission, inDevelopment, meanwhile } = operation;
	const scope = probableScope(resource.value, operation.option.value);
	return { noun: resource.noun, scope, permission, inDevelopment, meanwhile };
}
