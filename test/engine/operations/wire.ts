import type { RecordedRequest } from '../../platform';
import { loadContract, type Operation } from '../../platform/api/contract';
import type { Fixtures } from './shop';

/** One request as it stood on the wire, held against openapi.yaml. */
export interface WireRequest {
	/** e.g. `GET /orders/{id}`; as it was sent where the document has no such path. */
	route: string;
	query: Record<string, string>;
	headers: Record<string, string>;
	body: unknown;
	status: number;
	/** How it strays from the document. */
	fault?: string;
}

/** Reads what the platform recorded, and checks it against openapi.yaml. */
export async function readWire(requests: RecordedRequest[]): Promise<WireRequest[]> {
	const { operations, requestFault } = await loadContract();
	return requests.map((request) => {
		const url = new URL(request.target, 'http://platform.example');
		const path = url.pathname.replace(/^\/v1/, '');
		const found = operations
			.filter(({ method }) => method === request.method)
			.map((operation) => ({ operation, params: paramsOf(operation, path) }))
			.find(({ params }) => params !== undefined);
		const query = Object.fromEntries(url.searchParams);
		const headers = Object.fromEntries(
			Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
		);
		const body: unknown = request.body ? JSON.parse(request.body) : undefined;
		const { status } = request;
		if (found?.params === undefined)
			return {
				route: `${request.method} ${path}`,
				query,
				headers,
				body,
				status,
				fault: 'no such path',
			};
		const { operation, params } = found;
		const unknown = Object.keys(query).find((name) => !operation.query.has(name));
		const fault =
			unknown === undefined
				? requestFault(operation, { params, query, headers, body })
				: `${unknown} is no query parameter`;
		return {
			route: `${request.method} ${operation.template}`,
			query,
			headers,
			body,
			status,
			fault,
		};
	});
}

/** Every method and path of openapi.yaml. */
export async function documentedRoutes(): Promise<string[]> {
	const { operations } = await loadContract();
	return operations.map(({ method, template }) => `${method} ${template}`);
}

/** What two runs over equal shops have in common: random ids by name, connection headers left out. */
export function comparable(requests: RecordedRequest[], fixtures: Fixtures): unknown {
	const { webhook } = fixtures;
	return requests.map(({ method, target, headers, body, status }) => ({
		method,
		target: target.replaceAll(webhook, '<webhook>'),
		body: body?.replaceAll(webhook, '<webhook>'),
		status,
		headers: Object.fromEntries(
			Object.entries(headers)
				.filter(([name]) => name !== 'host' && name !== 'user-agent')
				.map(([name, value]) => [
					name,
					// A key covers the request, so with a random ID in it the key is random as well.
					name === 'idempotency-key' && `${target}${body}`.includes(webhook) ? '<key>' : value,
				]),
		),
	}));
}

/** A literal path comes before one with a parameter, as in any router. */
function paramsOf({ template }: Operation, path: string): Record<string, string> | undefined {
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	const pattern = template.replaceAll(/\{\w+\}/g, '([^/]+)');
	const match = new RegExp(`^${pattern}$`).exec(path);
	if (match === null) return undefined;
	return Object.fromEntries(
		names.map((name, index) => [name, decodeURIComponent(match[index + 1])]),
	);
}
