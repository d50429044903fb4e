import { stubApi, type StubRequest } from '../../support/engine/stubApi';

/** A request as text, by place: `path 1`, `query q`, `header if-match`, `body variants.0.sku`. */
export type Places = Map<string, unknown>;

export interface CaughtRequest {
	places: Places;
	/** The exact bytes of the body. */
	text: string;
}

/** The place of an object that has no places. */
export const EMPTY_OBJECT = '(empty object)';

/** What is open of every order. */
const LINES = ['li_1', 'li_2'].map((line_item_id) => ({ line_item_id, quantity: 9 }));

const HEADERS = ['idempotency-key', 'if-match', 'if-none-match'];

/**
 * Answers every request with a record whose request ID is the request's number, and stores the requests.
 *
 * @param isEmpty whether a list holds nothing, so that nothing is merged into what is sent
 */
export function catchRequests(isEmpty = false): CaughtRequest[] {
	const caught: CaughtRequest[] = [];
	/** The SKU of the last search: its product has exactly this variant. */
	let sku: string | undefined;
	stubApi({
		'*': (request) => {
			const [method, path] = request.route.split(/ (.*)/);
			const number =
				caught.push({ places: placesOf(method, path, request), text: request.text }) - 1;
			sku = request.query.sku ?? sku;
			// The record has the ID that was asked for.
			const asked = method === 'GET' ? /^\/\w+\/([^/]+)$/.exec(path)?.[1] : undefined;
			const isLevels = path === '/inventory/levels' && method === 'GET';
			const isOne = path === '/account' || (asked !== undefined && !isLevels) || method !== 'GET';
			const id = asked === undefined ? 'rec_1' : decodeURIComponent(asked);
			const record = {
				...(path.includes('/jobs/') ? {} : { id }),
				caught: number,
				url: 'https://old.example/x',
				events: ['order.paid'],
				secret: 's',
				...(path.startsWith('/orders/') && { line_items: LINES }),
				// The search finds what was searched for.
				...(request.query.q !== undefined && { customer_id: request.query.q }),
				...(sku === undefined ? {} : { variants: [{ sku, prices: [] }] }),
			};
			const result = { status: 200, data: { id: 'rec_1', updated_at: number } };
			const data = path === '/products/batch' ? [result] : isOne ? record : isEmpty ? [] : [record];
			return [200, { data }, { 'x-request-id': String(number) }];
		},
	});
	return caught;
}

function placesOf(method: string, path: string, { query, headers, body }: StubRequest): Places {
	const places: Places = new Map<string, unknown>([['method', method]]);
	for (const [at, segment] of path.slice(1).split('/').entries())
		places.set(`path ${at}`, decodeURIComponent(segment));
	for (const [name, value] of Object.entries(query)) places.set(`query ${name}`, value);
	for (const name of HEADERS)
		if (headers[name] !== undefined) places.set(`header ${name}`, String(headers[name]));
	if (body !== '') flatten('body', body, places);
	return places;
}

/** The only operation of a batch or an import, as if it were the body. Its SKU is the same for every item. */
export function operationIn({ places, text }: CaughtRequest): CaughtRequest {
	const operation = text
		.slice('{"operations":['.length, -']}'.length)
		.replace('"op":"upsert",', '')
		.replace(/"sku":"row-\d+"/g, '"sku":"row"');
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
