import type { IDataObject } from 'n8n-workflow';

import { ORIGIN, stubApi, type StubRequest } from '../../support/engine';

/** One request as it stood on the wire. */
export interface SentRequest {
	method: string;
	/** Path under the base URL, with the query. */
	target: string;
	headers: Record<string, string>;
	body?: unknown;
}

const KEPT_HEADERS = ['accept', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'];

/** What every record of this shop holds, so that each operation finds what it looks for. */
const RECORD = {
	id: 'rec_1',
	event_id: 'evt_1',
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

/** Answers every request in the plainest way, lists in two pages, and writes down what was asked. */
export function serveShop(): SentRequest[] {
	const sent: SentRequest[] = [];
	stubApi({
		'*': ({ route, target, headers, body }) => {
			const [method] = route.split(' ');
			sent.push({
				method,
				target,
				headers: keptHeaders(headers),
				...(body === '' ? {} : { body }),
			});
			return answerTo(method, new URL(target, ORIGIN), body);
		},
	});
	return sent;
}

function keptHeaders(headers: StubRequest['headers']): Record<string, string> {
	const kept = KEPT_HEADERS.filter((name) => headers[name] !== undefined);
	return Object.fromEntries(kept.map((name) => [name, String(headers[name])]));
}

/** A list's second page holds another record, without variants, so that one SKU names one product. */
const SECOND = { ...RECORD, id: 'rec_2', event_id: 'evt_2', handle: 'wool-scarf', variants: [] };

function answerTo(method: string, url: URL, body: unknown): [number, IDataObject | string] {
	if (method === 'DELETE') return [204, ''];
	const { operations = [], ...fields } = body as IDataObject & { operations?: IDataObject[] };
	const results = operations.map(({ sku }) => ({ sku, success: true }));
	if (url.pathname === '/products/batch') return [200, { data: results }];
	if (method !== 'GET') return [200, { data: { ...RECORD, ...fields } }];
	const isList = /^\/(inventory\/levels|[a-z]+)$/.test(url.pathname) && url.pathname !== '/account';
	/** The ID of the one record that is asked for. */
	const [, id = RECORD.id] = /^\/[a-z]+\/([^/]+)$/.exec(url.pathname) ?? [];
	if (!isList) return [200, { data: { ...RECORD, id } }];
	if (url.pathname === '/webhooks') return [200, { data: [RECORD] }];
	const isLast = url.searchParams.get('cursor') === 'page-2';
	const pagination = { limit: 1, next_cursor: isLast ? null : 'page-2', has_more: !isLast };
	return [200, { data: [isLast ? SECOND : RECORD], pagination }];
}
