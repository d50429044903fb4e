import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadContract, type Contract } from '../api/contract';
import { HANDLERS } from '../routes';
import { startPlatform } from '../index';
import { apiClient, type ApiRequest } from '../../support/apiClient';
import { faultsOf } from './openapiSchema';

/** Every endpoint that the API document names. */
const NAMED = [
	'GET /account',
	'GET /categories',
	'POST /categories',
	'GET /products',
	'GET /products/{id}',
	'POST /products',
	'PATCH /products/{id}',
	'DELETE /products/{id}',
	'POST /products/batch',
	'POST /jobs/catalog-import',
	'GET /orders',
	'GET /orders/{id}',
	'PATCH /orders/{id}',
	'POST /orders/{id}/cancel',
	'POST /orders/{id}/fulfillments',
	'POST /orders/{id}/refunds',
	'GET /inventory/levels',
	'PUT /inventory/levels',
	'POST /inventory/levels/adjust',
	'GET /customers',
	'GET /customers/{id}',
	'POST /customers',
	'PATCH /customers/{id}',
	'GET /webhooks',
	'GET /webhooks/{id}',
	'POST /webhooks',
	'DELETE /webhooks/{id}',
	'PATCH /webhooks/{id}',
	'POST /webhooks/{id}/rotate_secret',
	'POST /webhooks/{id}/test',
	'GET /events',
];

const TEXT = readFileSync(join(__dirname, '..', 'openapi.yaml'), 'utf8');

describe('openapi.yaml', () => {
	let contract: Contract;
	beforeAll(async () => {
		contract = await loadContract();
	});

	it('is a valid OpenAPI 3.1 document with valid JSON schemas', () => {
		const definition = parse(TEXT);
		expect(definition.openapi).toBe('3.1.0');
		expect(faultsOf(definition)).toEqual([]);
	});

	it.each([
		['paths', (text: string) => text.replace('description: The account', 'details: The account')],
		['schemas', (text: string) => text.replace('type: integer', 'type: whole')],
	])('would be found invalid with a mistake in its %s', (_part, spoil) => {
		expect(faultsOf(parse(spoil(TEXT)))).not.toEqual([]);
	});

	it('has exactly the endpoints that the API document names', () => {
		const written = contract.operations.map(({ method, template }) => `${method} ${template}`);
		expect(written.sort()).toEqual([...NAMED].sort());
	});

	it('has a handler for every operation and no handler without one', () => {
		const ids = contract.operations.map(({ id }) => id);
		expect(Object.keys(HANDLERS).sort()).toEqual(ids.sort());
	});

	it('is served as it is written', async () => {
		const platform = await startPlatform();
		const origin = new URL(platform.baseUrl).origin;
		for (const path of ['/openapi.yaml', '/v1/openapi.yaml']) {
			const response = await fetch(origin + path);
			expect(response.headers.get('content-type')).toMatch('application/yaml');
			expect(await response.text()).toBe(TEXT);
		}
		await platform.close();
	});

	it('takes the Idempotency-Key on every write', () => {
		const { paths } = parse(TEXT) as {
			paths: Record<string, Record<string, { parameters?: Array<{ $ref?: string }> }>>;
		};
		const writes = Object.values(paths).flatMap((path) =>
			Object.entries(path).filter(([method]) => /^(post|put|patch|delete)$/.test(method)),
		);
		expect(writes).toHaveLength(19);
		for (const [, { parameters = [] }] of writes) {
			expect(parameters.map(({ $ref }) => $ref)).toContain(
				'#/components/parameters/IdempotencyKey',
			);
		}
	});
});

describe('the contract', () => {
	it('finds a body, a header and a status that stray', async () => {
		const contract = await loadContract();
		const deletion = contract.operations.find(({ id }) => id === 'deleteProduct')!;
		const headers = {
			'x-request-id': 'req_1',
			'x-ratelimit-limit': '1',
			'x-ratelimit-remaining': '1',
			'x-ratelimit-reset': '1',
			'x-ratelimit-limit-day': '1',
			'x-ratelimit-remaining-day': '1',
		};
		const fault = (status: number, body?: unknown, sent: Record<string, string> = headers) =>
			contract.responseFault(deletion, { status, headers: sent, body });
		expect(fault(204)).toBeUndefined();
		expect(fault(204, undefined, { 'x-request-id': 'req_1' })).toMatch('x-ratelimit-limit');
		expect(fault(200)).toMatch('200 is not a status of deleteProduct');
		expect(fault(404, { error: { message: 'no code' } })).toMatch("'code'");
	});

	it('turns a response that strays into a 500 that is counted, and no reset forgets it', async () => {
		const platform = await startPlatform();
		const { order } = await platform.control.createOrder({ total: 'a lot' });
		const response = await fetch(`${platform.baseUrl}/orders/${String(order.id)}`, {
			headers: { authorization: `Bearer ${platform.apiKey}` },
		});
		expect(response.status).toBe(500);
		expect(await response.json()).toMatchObject({ error: { code: 'CONTRACT_VIOLATION' } });
		await platform.control.resetCounters();
		await platform.control.reset();
		const { contractViolations, violations, total } = await platform.control.counters();
		expect([total, contractViolations]).toEqual([0, 1]);
		expect(violations[0]).toMatch(/^getOrder 200: body data.total/);
		await platform.close();
	});

	it('remembers each request that strays, over every reset, and no other', async () => {
		const platform = await startPlatform();
		const api = apiClient(platform);
		const put = { method: 'PUT', body: { sku: 'A-1' } };
		const statuses = [];
		for (const [path, request] of [
			['/products?offset=5'],
			['/products?limit=many'],
			['/baskets?q=1'],
			['/inventory/levels', put],
			['/orders/ord_none'],
			['/orders?limit=1'],
		] as Array<[string, ApiRequest?]>) {
			statuses.push((await api.send(path, request)).status);
		}
		await platform.control.setFaults([{ fault: 'status', status: 400 }]);
		statuses.push((await api.send('/account')).status);
		expect(statuses).toEqual([400, 400, 404, 400, 404, 200, 400]);
		await platform.control.resetCounters();
		await platform.control.reset();
		const { refusedRequests } = await platform.control.counters();
		expect(refusedRequests).toEqual([
			expect.stringMatching(/^GET \/v1\/products: offset/),
			expect.stringMatching(/^GET \/v1\/products: .*limit/),
			'GET /v1/baskets: There is no such endpoint',
			expect.stringMatching(/^PUT \/v1\/inventory\/levels: .*location_id/),
		]);
		await platform.close();
	});
});
