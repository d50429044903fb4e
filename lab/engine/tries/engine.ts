import type { IDataObject } from 'n8n-workflow';

import { runOperation, type NodeResult } from '../../../test/support/engine';
import { openLines } from '../orders';
import { paidAmount, refundedAmount, type Order } from '../orderRecord';

/** The running engine, started by `npm run test:engine`. */
export const access = {
	baseUrl: String(process.env.ENGINE_URL),
	apiKey: String(process.env.ENGINE_KEY),
};

/** Runs an operation of the node against the engine. */
export const run = async (
	operation: string,
	parameters: IDataObject,
	items?: IDataObject[],
): Promise<NodeResult> => await runOperation(operation, parameters, { credentials: access, items });

/** Asks the adapter for something that is no part of the API. */
export async function control<T>(body: object): Promise<T> {
	const url = access.baseUrl.replace('/v1', '/_control');
	const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
	const answer = (await response.json()) as T & { message?: string };
	if (!response.ok) throw new Error(`The engine: ${answer.message}`);
	return answer;
}

/** Asks the engine itself. */
export const ask = async <T>(query: string, variables: object = {}): Promise<T> =>
	await control<T>({ query, variables });

/** The records of a list as the engine itself has them, e.g. `orders`; with a filter of its own. */
export async function recordsOf<T>(
	list: string,
	fields: string,
	filter: object = {},
): Promise<T[]> {
	const type = `${list[0].toUpperCase()}${list.slice(1, -1)}`;
	const query = `query ($filter: ${type}FilterParameter) { result: ${list}(options: { take: 1000, filter: $filter, sort: { createdAt: ASC } }) { items { ${fields} } } }`;
	return (await ask<{ result: { items: T[] } }>(query, { filter })).result.items;
}

export const set = async (settings: object): Promise<unknown> => await control({ set: settings });

/** The requests since the last call, e.g. `POST /v1/products`. */
export async function requests(): Promise<string[]> {
	const log = await control<{ requests: Array<{ method: string; path: string }> }>({});
	await control({ clear: true });
	return log.requests.map(({ method, path }) => `${method} ${path}`);
}

/** A new order of a kind. @returns its ID in the API */
export const newOrder = async (kind: string): Promise<string> =>
	`ord_${(await control<{ id: string }>({ order: kind })).id}`;

/** What the engine itself says of an order. */
export async function orderOf(id: string) {
	const { order } = await ask<{ order: Required<Order> }>(
		'query ($id: ID!) { order(id: $id) { id code state currencyCode totalWithTax customFields { merchantNote } lines { id quantity fulfillmentLines { fulfillmentId quantity } } fulfillments { id state trackingCode } payments { id amount state refunds { state total } } } }',
		{ id: id.replace('ord_', '') },
	);
	const refunded = order.payments.reduce((sum, payment) => sum + refundedAmount(payment), 0);
	return { ...order, open: openLines(order), paid: paidAmount(order), refunded };
}

export type EngineOrder = Awaited<ReturnType<typeof orderOf>>;

/** Whether the engine refuses a change that is made past the API. */
export async function engineRefuses(name: string, type: string, input: object): Promise<boolean> {
	const query = `mutation ($input: ${type}!) { result: ${name}(input: $input) { __typename ... on ErrorResult { errorCode } } }`;
	const { result } = await ask<{ result: { errorCode?: string } }>(query, { input });
	return result.errorCode !== undefined;
}

/** Whether the engine would not send these pieces: it prepares parcels of orders that it does not let go out. */
export async function engineKeeps(lines: EngineOrder['open']): Promise<boolean> {
	const values = ['method', 'trackingCode'].map((name) => ({ name, value: 'X' }));
	const input = { lines, handler: { code: 'manual-fulfillment', arguments: values } };
	const { added } = await ask<{ added: { id?: string } }>(
		'mutation ($input: FulfillOrderInput!) { added: addFulfillmentToOrder(input: $input) { ... on Fulfillment { id } } }',
		{ input },
	);
	if (added.id === undefined) return true;
	const sending = ask<{ moved: { errorCode?: string } }>(
		'mutation ($id: ID!) { moved: transitionFulfillmentToState(id: $id, state: "Shipped") { ... on ErrorResult { errorCode } } }',
		{ id: added.id },
	);
	return await sending.then(
		({ moved }) => moved.errorCode !== undefined,
		() => true,
	);
}

/** The one failure of a run that must fail. */
export const failureOf = ({ error, failures }: NodeResult): string =>
	error?.message ?? failures[0]?.message ?? 'nothing failed';
