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
	/** How it strays from the document. */
	fault?: string;
}

/** Reads what the platform recorded, and checks it against openapi.yaml. */
export async function readWire(requests: RecordedRequest[]): Promise<WireRequest[]> {
	const { operations, requestFault } = await loadContract();
	return requests.map((request) => {
		const url = new URL(request.target, 'http://platform.example');
		const path = url.pathname.replace(/^\/v1/, '');
		const sent = {
			query: Object.fromEntries(url.searchParams),
			headers: Object.fromEntries(
				Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
			),
			body: request.body ? (JSON.parse(request.body) as unknown) : undefined,
		};
		for (const operation of operations.filter(({ method }) => method === request.method)) {
			const params = paramsOf(operation, path);
			if (params === undefined) continue;
			const unknown = Object.keys(sent.query).find((name) => !operation.query.has(name));
			const fault =
				unknown === undefined
					? requestFault(operation, { params, ...sent })
					: `${unknown} is no query parameter`;
			return { route: `${request.method} ${operation.template}`, ...sent, fault };
		}
		return { route: `${request.method} ${path}`, ...sent, fault: 'no such path' };
	});
}

/** Every method and path of openapi.yaml. */
export async function documentedRoutes(): Promise<string[]> {
	const { operations } = await loadContract();
	return operations.map(({ method, template }) => `${method} ${template}`);
}

/** What two runs over equal shops have in common: random ids by name, connection headers left out. */
export function comparable(requests: RecordedRequest[], { webhook }: Fixtures): unknown {
	return requests.map(({ method, target, headers, body, status }) => ({
		method,
		target: target.replaceAll(webhook, '<webhook>'),
		body: body?.replaceAll(webhook, '<webhook>'),
		status,
		headers: {
			...headers,
			host: '',
			'user-agent': '',
			// A key covers the request, so with a random ID in it the key is random as well.
			...(`${target}${body}`.includes(webhook) && { 'idempotency-key': '' }),
		},
	}));
}

/** A literal path comes before one with a parameter, as in any router. */
function paramsOf({ template }: Operation, path: string): Record<string, string> | undefined {
	const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
	const match = new RegExp(`^${pattern}$`).exec(path);
	if (match === null) return undefined;
	const params = Object.entries(match.groups ?? {});
	return Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)]));
}
