import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { type StubAnswer, stubApi, type StubRequest } from '../../support/engine/stubApi';
import { byMode } from '../../support/parameters';
import { playCorpus } from './corpusCase';

interface Given {
	resource: 'order' | 'customer';
	/** The number, or the e-mail address. */
	value: string;
	/** The result of the platform's search: records, or the status that refuses it. */
	search?: IDataObject[] | { status: number };
	/** The first records of the list; then come as many others, and a last one. */
	list?: IDataObject[];
	more?: number;
	last?: IDataObject;
	ignoresQ?: boolean;
}

interface Expected {
	found?: string;
	refused?: true;
	/** The expected outcome: refused, or this record is used. */
	refusedOrFound?: string;
	maxRequests: number;
}

playCorpus<Given, Expected>(['look-up.json'], async (given, expected) => {
	const { resource, value, search = [], ignoresQ } = given;
	const all = recordsOf(given);
	const answer = ({ query }: StubRequest): StubAnswer => {
		if (query.q === undefined || ignoresQ === true) return pageOf(all, query);
		if (Array.isArray(search)) return pageOf(search, query);
		return [search.status, { error: { code: 'INVALID_PARAMETER', message: 'unknown: q' } }];
	};
	const requests = stubApi({
		[`GET /${resource}s`]: answer,
		'POST /orders/*/cancel': [[200, { data: { id: 'ord_1' } }]],
		'PATCH /customers/*': [[200, { data: { id: 'cust_1' } }]],
	});
	const { error } =
		resource === 'order'
			? await runOperation('order.cancel', { orderId: byMode('number', value) })
			: await runOperation('customer.update', {
					customerId: byMode('email', value),
					specifyFields: 'json',
					json: '{"phone":"1"}',
				});
	const writes = requests.filter(({ route }) => !route.startsWith('GET'));
	const written = writes.map(({ target }) => target.split('/')[2]);
	if (expected.found !== undefined) expect(written).toEqual([expected.found]);
	else if (expected.refusedOrFound === undefined || written.length === 0) {
		expect(written).toEqual([]);
		expect(error?.message).toMatch(/^No \w+ has the|^\d+ \w+ have the/);
	} else expect(written).toEqual([expected.refusedOrFound]);
	expect(requests.length - writes.length).toBeLessThanOrEqual(expected.maxRequests);
	// If a list was not read to its end, nobody knows that no record in it has the name.
	if (error !== undefined && all.length > 1000 && written.length === 0)
		expect(error.description).toMatch(
			/the 1,000 \w+ that changed last were looked through. Use the ID.$/i,
		);
});

function recordsOf({ resource, list = [], more = 0, last }: Given): IDataObject[] {
	const others = Array.from({ length: more }, (_, index) =>
		resource === 'order'
			? { id: `ord_f${index}`, number: 5_000_000 + index, status: 'paid' }
			: { id: `cust_f${index}`, email: `f${index}@fill.example` },
	);
	return [...list, ...others, ...(last === undefined ? [] : [last])];
}

function pageOf(records: IDataObject[], query: Record<string, string>): StubAnswer {
	const limit = Number(query.limit ?? 25);
	const start = Number(query.cursor ?? 0);
	const end = start + limit;
	const has_more = end < records.length;
	const pagination = { limit, next_cursor: has_more ? String(end) : null, has_more };
	return [200, { data: records.slice(start, end), pagination }];
}

it.each<[count: number, kind: string, parameters: (name: string) => [string, IDataObject]]>([
	[300, 'orders by number', (name) => ['order.get', { orderId: byMode('number', name) }]],
	[100, 'products by handle', (name) => ['product.get', { productId: byMode('handle', name) }]],
	[100, 'customers by e-mail', (name) => ['customer.get', { customerId: byMode('email', name) }]],
])(
	'%d %s that no search shows cost a search each and four pages of the list',
	async (count, _kind, look) => {
		const records = Array.from({ length: 2_000 }, (_, n) => ({ id: `rec_${n}`, number: n }));
		const requests = stubApi({
			'*': ({ query }) =>
				pageOf(
					query.q === undefined && query.handle === undefined && query.email === undefined
						? records
						: [],
					query,
				),
		});
		const items = Array.from({ length: count }, (_, n) => ({ name: `nobody-${n}@mail.example` }));
		const [operation, parameters] = look('={{ $json.name }}');
		const { json } = await runOperation(operation, parameters, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(json).toHaveLength(count);
		expect(requests.length).toBeLessThanOrEqual(count + 4);
		const searches = requests.filter(({ target }) => target.includes('nobody'));
		expect(requests.length - searches.length).toBe(4);
	},
);
