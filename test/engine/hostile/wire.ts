import nock from 'nock';

import { BASE_URL } from '../../support/testShop';

/** A request as text, by place: `path 1`, `query q`, `header if-match`, `body variants.0.sku`. */
export type Places = Map<string, unknown>;

export interface CaughtRequest {
	places: Places;
	/** The exact bytes of the body. */
	text: string;
}

/** Stands in for the places of an object that has none. */
export const EMPTY_OBJECT = '(empty object)';

const HEADERS = ['idempotency-key', 'if-match', 'if-none-match'];

/** Answers every request with a record whose request ID is its number, and keeps the requests. */
export function catchRequests(): CaughtRequest[] {
	const caught: CaughtRequest[] = [];
	/** The SKU that was looked for: its product has just this variant. */
	let sku: string | null = null;
	for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
		nock(BASE_URL)
			.persist()
			.intercept(/.*/, method)
			.reply(function (uri, body) {
				const request = this.req as unknown as {
					headers: Record<string, string>;
					requestBodyBuffers?: Buffer[];
				};
				const text = Buffer.concat(request.requestBodyBuffers ?? []).toString();
				caught.push({ places: placesOf(method, uri, request.headers, body), text });
				const url = new URL(uri, BASE_URL);
				sku = url.searchParams.get('sku') ?? sku;
				const isList = method === 'GET' && !/\/v1\/(account|\w+\/[^/]+)$/.test(url.pathname);
				// A record is the one that was asked for.
				const asked = method === 'GET' ? /\/v1\/\w+\/([^/]+)$/.exec(url.pathname)?.[1] : undefined;
				const id = asked === undefined ? 'rec_1' : decodeURIComponent(asked);
				const job = url.pathname.includes('/jobs/') ? {} : { id };
				const record = {
					...job,
					caught: caught.length - 1,
					url: 'https://old.example/x',
					events: ['order.paid'],
					secret: 's',
					...(sku === null ? {} : { variants: [{ sku, prices: [] }] }),
				};
				const isLevels = url.pathname.endsWith('/inventory/levels') && method === 'GET';
				const isBatch = url.pathname.endsWith('/products/batch');
				const result = { status: 200, data: { id: 'rec_1', updated_at: caught.length - 1 } };
				const data = isBatch ? [result] : isList || isLevels ? [record] : record;
				return [200, { data }, { 'x-request-id': String(caught.length - 1) }];
			});
	}
	return caught;
}

function placesOf(
	method: string,
	uri: string,
	headers: Record<string, string>,
	body: unknown,
): Places {
	const url = new URL(uri, BASE_URL);
	const places: Places = new Map<string, unknown>([['method', method]]);
	const segments = url.pathname.replace(/^\/v1\//, '').split('/');
	for (const [at, segment] of segments.entries())
		places.set(`path ${at}`, decodeURIComponent(segment));
	for (const [name, value] of url.searchParams) places.set(`query ${name}`, value);
	for (const name of HEADERS)
		if (headers[name] !== undefined) places.set(`header ${name}`, String(headers[name]));
	if (body !== '') flatten('body', body, places);
	return places;
}

/** The one operation of a batch or an import, as if it were the body; its SKU is the same for every item. */
export function operationIn({ places, text }: CaughtRequest): CaughtRequest {
	const operation = text
		.slice('{"operations":['.length, -']}'.length)
		.replace('"op":"upsert",', '')
		.replace(/"sku":"row-\d+"/, '"sku":"row"');
	const inner: Places = new Map([...places].filter(([place]) => !place.startsWith('body')));
	flatten('body', JSON.parse(operation), inner);
	return { places: inner, text: operation };
}

function flatten(place: string, value: unknown, places: Places): void {
	if (typeof value !== 'object' || value === null) places.set(place, value);
	else {
		const entries = Object.entries(value);
		if (entries.length === 0)
			places.set(place, Array.isArray(value) ? '(empty list)' : EMPTY_OBJECT);
		for (const [name, inner] of entries) flatten(`${place} ${name}`, inner, places);
	}
}
