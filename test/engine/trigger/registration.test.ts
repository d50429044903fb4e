import nock from 'nock';

import {
	endpointIsHealthy,
	registerEndpoint,
} from '../../../nodes/CommercePlatformTrigger/endpoint/lifecycle';
import { makeSampleEvent } from '../../../nodes/CommercePlatformTrigger/endpoint/sampleEvent';
import { FakeClock } from '../../unit/fakeClock';
import { N8nLike } from './n8nLike';

const API = 'https://api.shop.example';
const NO_ENDPOINTS = {
	data: [],
	pagination: { limit: 250, next_cursor: null, has_more: false },
};

describe('registering, request by request', () => {
	const keys: string[] = [];
	let count = 0;

	beforeAll(() => nock.disableNetConnect());
	beforeEach(() => void keys.splice(0));
	afterEach(() => nock.cleanAll());
	afterAll(() => {
		nock.enableNetConnect();
		nock.restore();
	});

	const trigger = () =>
		new N8nLike({
			credentials: { baseUrl: `${API}/v1`, apiKey: 'key' },
			webhookId: `registered-${++count}`,
			webhookBaseUrl: 'https://n8n.example/webhook',
		});

	const listed = (times: number, answer: object = NO_ENDPOINTS) =>
		nock(API).get('/v1/webhooks').query(true).times(times).reply(200, answer);

	const created = (status: number, answer: object) =>
		nock(API)
			.post('/v1/webhooks')
			.reply(function () {
				keys.push(String(this.req.headers['idempotency-key']));
				return [status, answer];
			});

	it('asks for the list, posts once, and looks for duplicates', async () => {
		const n8n = trigger();
		listed(2);
		const post = nock(API)
			.post('/v1/webhooks', {
				url: n8n.address,
				events: ['order.paid'],
				description: 'n8n workflow workflow-1: Orders',
			})
			.matchHeader('idempotency-key', /^[\w-]{36}$/)
			.reply(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		await n8n.create();
		expect(post.isDone()).toBe(true);
		expect(nock.pendingMocks()).toEqual([]);
	});

	it('keeps one Idempotency-Key over the attempts of a creation, and takes another for the next', async () => {
		const n8n = trigger();
		listed(2);
		created(503, {});
		created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		await n8n.create();
		listed(2);
		created(201, { data: { id: 'wh_2', status: 'enabled', secret: 's' } });
		await n8n.create();
		expect(keys[0]).toBe(keys[1]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	describe('waits by the clock that is handed in', () => {
		const unavailable = (path: string) =>
			nock(API).get(path).query(true).reply(503, {}, { 'retry-after': '2' });

		/** Moves the clock on until the work is done, and tells for how long it waited. ms. */
		const waitedFor = async (work: (clock: FakeClock) => Promise<unknown>) => {
			const clock = new FakeClock();
			let isDone = false;
			const done = work(clock).finally(() => {
				isDone = true;
			});
			while (!isDone) await clock.advance(100);
			await done;
			return clock.slept.reduce((sum, ms) => sum + ms, 0);
		};

		it('when it registers', async () => {
			unavailable('/v1/webhooks');
			listed(2);
			created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
			const context = trigger().hookContext();
			const ms = await waitedFor(async (clock) => await registerEndpoint(context, clock));
			expect(ms).toBeGreaterThanOrEqual(2_000);
		});

		it('when it looks whether it is registered', async () => {
			const n8n = trigger();
			listed(2);
			created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
			await n8n.create();
			unavailable('/v1/webhooks');
			listed(1);
			const context = n8n.hookContext();
			const ms = await waitedFor(async (clock) => await endpointIsHealthy(context, clock));
			expect(ms).toBeGreaterThanOrEqual(2_000);
		});

		it('when it makes a sample event', async () => {
			unavailable('/v1/orders');
			nock(API)
				.get('/v1/orders')
				.query(true)
				.reply(200, { data: [{ id: 'ord_1' }] });
			const context = trigger().hookContext();
			const ms = await waitedFor(
				async (clock) => await makeSampleEvent(context, ['order.paid'], clock),
			);
			expect(ms).toBeGreaterThanOrEqual(2_000);
		});
	});

	it('makes an endpoint anew whose secret did not come, and leaves none behind', async () => {
		const n8n = trigger();
		listed(2);
		created(201, { data: { id: 'wh_replayed', status: 'enabled' } });
		const removed = nock(API).delete('/v1/webhooks/wh_replayed').reply(204);
		created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		await n8n.create();
		expect(removed.isDone()).toBe(true);
		expect(keys[1]).not.toBe(keys[0]);
		expect(n8n.database.staticData).toContain('wh_1');
	});

	it('fails rather than register what cannot be verified', async () => {
		const n8n = trigger();
		listed(1);
		created(201, { data: { id: 'wh_1', status: 'enabled' } });
		created(201, { data: { id: 'wh_2', status: 'enabled', secret: '' } });
		const removed = [1, 2].map((i) => nock(API).delete(`/v1/webhooks/wh_${i}`).reply(204));
		await expect(n8n.create()).rejects.toThrow('registered no usable endpoint');
		expect(removed.every((scope) => scope.isDone())).toBe(true);
	});

	it('walks all pages of the list before it decides', async () => {
		const n8n = trigger();
		const page = (id: string, url: string, cursor: string | null) => ({
			data: [{ id, url, events: ['order.paid'], description: '' }],
			pagination: { limit: 250, next_cursor: cursor, has_more: cursor !== null },
		});
		listed(1, page('wh_foreign', 'https://erp.example/', 'next'));
		listed(1, page('wh_stale', n8n.address, null));
		const removed = nock(API).delete('/v1/webhooks/wh_stale').reply(404, {});
		created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		listed(1);
		await n8n.create();
		expect(removed.isDone()).toBe(true);
	});

	it('finds its own endpoint among 200,001 on one page', async () => {
		const n8n = trigger();
		const foreign = Array.from({ length: 200_000 }, (_, i) => ({ id: `wh_${i}`, url: 'x' }));
		const data = [...foreign, { id: 'wh_stale', url: n8n.address }];
		listed(1, { ...NO_ENDPOINTS, data });
		const removed = nock(API).delete('/v1/webhooks/wh_stale').reply(204);
		created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		listed(1);
		await n8n.create();
		expect(removed.isDone()).toBe(true);
	});

	it('goes through where only the look for duplicates fails, and says so', async () => {
		const n8n = trigger();
		listed(1);
		created(201, { data: { id: 'wh_1', status: 'enabled', secret: 's' } });
		nock(API).get('/v1/webhooks').query(true).reply(403, {});
		await n8n.create();
		expect(n8n.warnings.join()).toContain('duplicates');
		expect(n8n.database.staticData).toContain('wh_1');
	});

	it('keeps and removes endpoints whose ids are numbers, and leaves none behind', async () => {
		const n8n = trigger();
		const stale = { id: 6, url: n8n.address, events: ['order.paid'], description: '' };
		listed(1, { ...NO_ENDPOINTS, data: [stale] });
		const removed = nock(API).delete('/v1/webhooks/6').reply(204);
		created(201, { data: { id: 7, status: 'enabled', secret: 's' } });
		listed(1);
		await n8n.create();
		expect(removed.isDone()).toBe(true);
		const ours = {
			...stale,
			id: 7,
			status: 'enabled',
			description: 'n8n workflow workflow-1: Orders',
		};
		listed(2, { ...NO_ENDPOINTS, data: [ours] });
		expect(await n8n.checkExists()).toBe(true);
		const ended = nock(API).delete('/v1/webhooks/7').reply(204);
		await n8n.delete();
		expect(ended.isDone()).toBe(true);
	});

	it('takes an answer that is not wrapped in data, since shapes may vary', async () => {
		const n8n = trigger();
		listed(2);
		created(201, { id: 'wh_1', status: 'enabled', secret: 's' });
		await n8n.create();
		expect(n8n.database.staticData).toContain('wh_1');
	});
});
