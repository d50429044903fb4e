import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { ORIGIN, stubApi } from '../../support/engine';
import { actionNode, runNode } from '../../support/engine/runNode';
import { FIRST_CASES } from '../operations/cases';

/** A request as it was sent. */
interface SentRequest {
	method: string;
	/** Path under the base URL, with the query. */
	target: string;
	headers: Record<string, string>;
	body?: unknown;
}

const KEPT_HEADERS = ['accept', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'];

/** The fields of every record of this shop, so that each operation finds what it needs. */
const RECORD = {
	id: 'rec_1',
	event_id: 'evt_2',
	handle: 'linen-shirt',
	url: 'https://receiver.example/hook',
	events: ['order.paid'],
	secret: 'signing-secret',
	version: 3,
	variants: ['A', 'V1', 'V2', 'OTHER'].map((sku) => ({
		sku,
		title: `Title of ${sku}`,
		prices: [],
	})),
	updated_at: '2026-01-01T00:00:00Z',
};

/** Answers every request in the simplest way, lists in two pages, and records the requests. */
function serveShop(): SentRequest[] {
	const sent: SentRequest[] = [];
	stubApi({
		'*': ({ route, target, headers, body }) => {
			const [method] = route.split(' ');
			const kept = KEPT_HEADERS.filter((name) => headers[name] !== undefined);
			const ofKept = Object.fromEntries(kept.map((name) => [name, String(headers[name])]));
			sent.push({ method, target, headers: ofKept, ...(body === '' ? {} : { body }) });
			return answerTo(method, new URL(target, ORIGIN), body);
		},
	});
	return sent;
}

/** The second page of a list has another record, without variants, so that one SKU names one product. */
const SECOND = { ...RECORD, id: 'rec_2', event_id: 'evt_3', handle: 'wool-scarf', variants: [] };

function answerTo(method: string, url: URL, body: unknown): [number, IDataObject | string] {
	if (method === 'DELETE') return [204, ''];
	const { operations = [], ...fields } = body as IDataObject & { operations?: IDataObject[] };
	const results = operations.map(({ sku }) => ({ sku, success: true }));
	if (url.pathname === '/products/batch') return [200, { data: results }];
	if (method !== 'GET') return [200, { data: { ...RECORD, ...fields } }];
	const isList = /^\/(inventory\/levels|[a-z]+)$/.test(url.pathname) && url.pathname !== '/account';
	/** The ID in the path, if one record is asked for. */
	const [, id = RECORD.id] = /^\/[a-z]+\/([^/]+)$/.exec(url.pathname) ?? [];
	if (id === SECOND.id) return [200, { data: SECOND }];
	if (!isList) return [200, { data: { ...RECORD, id } }];
	if (url.pathname === '/webhooks') return [200, { data: [RECORD] }];
	const { searchParams: query } = url;
	const isLast =
		query.get('cursor') === 'page-2' || query.get('after_event_id') === RECORD.event_id;
	const pagination = { limit: 1, next_cursor: isLast ? null : 'page-2', has_more: !isLast };
	return [200, { data: [isLast ? SECOND : RECORD], pagination }];
}

/** The node of a saved workflow, and the requests that it sends. */
interface Sample {
	name: string;
	parameters: IDataObject;
	requests: SentRequest[];
}

/** Replaces a key that the node made itself. */
const MADE_KEY = '(made by the node)';

/** Each file of this folder has the samples of one resource. */
const samples = readdirSync(__dirname)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as Sample[]);

/** The requests without keys that differ between executions. */
function withoutMadeKeys(requests: SentRequest[], { parameters }: Sample): SentRequest[] {
	const { idempotencyKey = parameters.refundOnceKey } = (parameters.requestOptions ??
		{}) as IDataObject;
	if (idempotencyKey !== undefined) return requests;
	return requests.map(({ headers, ...request }) => {
		const isKeyed = headers['idempotency-key'] !== undefined;
		return { ...request, headers: { ...headers, ...(isKeyed && { 'idempotency-key': MADE_KEY }) } };
	});
}

describe('a saved workflow', () => {
	it.each(samples.map((sample) => [sample.name, sample] as const))(
		'sends the requests of its sample: %s',
		async (_name, sample) => {
			const sent = serveShop();
			const { error } = await runNode({ parameters: sample.parameters });
			expect(error).toBeUndefined();
			expect(withoutMadeKeys(sent, sample)).toEqual(sample.requests);
		},
	);

	it('has a sample for every operation', () => {
		const sampled = samples.map(
			({ parameters: { resource, operation } }) => `${String(resource)}.${String(operation)}`,
		);
		expect([...new Set(sampled)].sort()).toEqual(FIRST_CASES.map(({ name }) => name).sort());
	});
});

it('a new node opens on Order, Get Many', () => {
	const { description } = actionNode(false);
	const { properties, version } = description;
	const node = { typeVersion: version } as INode;
	// The parameters as the editor fills them in: with the defaults that it does not save.
	const filled = NodeHelpers.getNodeParameters(properties, {}, true, false, node, description);
	expect(filled).toMatchObject({ resource: 'order', operation: 'getAll' });
});
