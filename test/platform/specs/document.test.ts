import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadContract, type Contract } from '../api/contract';
import { budgetHeaders } from '../api/rateLimit';
import { HANDLERS } from '../routes';
import { startPlatform } from '../index';
import { apiClient, type ApiRequest } from '../../support/apiClient';
import { faultsOf } from './openapiSchema';

/** Every endpoint that the API document names. */
const NAMED = {
	'/account': 'GET',
	'/categories': 'GET POST',
	'/products': 'GET POST',
	'/products/{id}': 'GET PATCH DELETE',
	'/products/batch': 'POST',
	'/jobs/catalog-import': 'POST',
	'/orders': 'GET',
	'/orders/{id}': 'GET PATCH',
	'/orders/{id}/cancel': 'POST',
	'/orders/{id}/fulfillments': 'POST',
	'/orders/{id}/refunds': 'POST',
	'/inventory/levels': 'GET PUT',
	'/inventory/levels/adjust': 'POST',
	'/customers': 'GET POST',
	'/customers/{id}': 'GET PATCH',
	'/webhooks': 'GET POST',
	'/webhooks/{id}': 'GET DELETE PATCH',
	'/webhooks/{id}/rotate_secret': 'POST',
	'/webhooks/{id}/test': 'POST',
	'/events': 'GET',
};

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

	it('has exactly the endpoints that the API document names, each with a handler', () => {
		const written = contract.operations.map(({ method, template }) => `${method} ${template}`);
		const named = Object.entries(NAMED).flatMap(([path, methods]) =>
			methods.split(' ').map((method) => `${method} ${path}`),
		);
		expect(written.sort()).toEqual(named.sort());
		expect(Object.keys(HANDLERS).sort()).toEqual(contract.operations.map(({ id }) => id).sort());
	});

	it('says what answers carry', () => {
		const answers = contract.operations.map(({ id, answer }) => {
			const { record, form, isCreate, said } = answer;
			return [id, [form, record, isCreate && 'create', said].filter(Boolean).join(' ')];
		});
		expect(Object.fromEntries(answers)).toMatchObject({
			listProducts: 'list Product shown',
			getOrder: 'record Order shown',
			createWebhook: 'record Webhook create needed',
			fulfillOrder: 'record Fulfillment create',
			setInventoryLevel: 'record Level',
			batchProducts: 'results BatchResults',
			importCatalog: 'record Job create needed',
			deleteProduct: 'none',
			listEvents: 'list Event',
		});
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
		type Operations = Record<string, { parameters?: Array<{ $ref?: string }> }>;
		const { paths } = parse(TEXT) as { paths: Record<string, Operations> };
		const writes = Object.values(paths).flatMap(({ post, put, patch, delete: remove }) =>
			[post, put, patch, remove].filter((write) => write !== undefined),
		);
		expect(writes).toHaveLength(19);
		const key = { $ref: '#/components/parameters/IdempotencyKey' };
		for (const { parameters } of writes) expect(parameters).toContainEqual(key);
	});
});

describe('the contract', () => {
	it('finds a body, a header and a status that stray', async () => {
		const contract = await loadContract();
		const deletion = contract.operations.find(({ id }) => id === 'deleteProduct')!;
		const window = { limit: 1, remaining: 1, resetAt: 1_000 };
		const headers = { 'x-request-id': 'req_1', ...budgetHeaders({ minute: window, day: window }) };
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
		const refusal = await apiClient(platform).refusal(`/orders/${String(order.id)}`);
		expect(refusal).toBe('500 CONTRACT_VIOLATION');
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
