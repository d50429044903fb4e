import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type Platform } from '../../platform';
import { PollingN8n } from './pollingN8n';

describe('the changes trigger in n8n’s engine, watching other things', () => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform({ products: 10, orders: 10, customers: 5, categories: 2 });
	});

	afterAll(async () => await platform.close());

	beforeEach(async () => await platform.control.reset());

	const n8nWatching = (watch: string, parameters: IDataObject = {}): PollingN8n => {
		const { baseUrl, apiKey } = platform;
		return new PollingN8n({
			credentials: { baseUrl, apiKey },
			parameters: { watch, ...parameters },
		});
	};

	const emit = async (count: number) => {
		for (let n = 0; n < count; n++)
			await platform.control.emit('order.created', { id: `ord_${n}` });
	};

	test.each(['product', 'customer'])('emits a changed %s', async (watch) => {
		const n8n = n8nWatching(watch);
		await n8n.publish();
		const { id } = await platform.control.writeRecord(
			watch === 'product' ? 'products' : 'customers',
		);
		await n8n.poll();
		expect(n8n.items.map((item) => item.id)).toEqual([id]);
	});

	describe('the event stream', () => {
		test('emits what happens from publishing on, each event once and in order', async () => {
			const n8n = n8nWatching('event');
			await n8n.publish();
			expect(n8n.items).toEqual([]);
			await emit(5);
			await n8n.poll();
			await n8n.poll();
			const ids = n8n.items.map(({ event_id }) => String(event_id));
			expect(ids).toHaveLength(5);
			expect(ids).toEqual([...ids].sort());
		});

		test('takes one request for a quiet poll', async () => {
			const n8n = n8nWatching('event');
			await n8n.publish();
			await platform.control.resetCounters();
			for (let polls = 0; polls < 5; polls++) await n8n.poll();
			expect((await platform.control.counters()).total).toBe(5);
		});

		test('begins after the event that the filter names', async () => {
			await emit(4);
			const n8n = n8nWatching('event', { filters: { after_event_id: 'evt_000000000012' } });
			await n8n.publish();
			expect(n8n.items.map(({ event_id }) => event_id)).toEqual([
				'evt_000000000013',
				'evt_000000000014',
			]);
		});

		test('begins at Start From', async () => {
			await emit(3);
			const startFrom = new Date(Date.now() - 60_000).toISOString();
			const n8n = n8nWatching('event', { options: { startFrom } });
			await n8n.publish();
			expect(n8n.items).toHaveLength(3);
		});

		test('says how to go on where the stream no longer holds the last event', async () => {
			const n8n = n8nWatching('event', { filters: { after_event_id: 'evt_000000000012' } });
			await platform.control.setFaults([{ path: '/events', fault: 'status', status: 410 }]);
			await expect(n8n.publish()).rejects.toMatchObject({
				description: expect.stringMatching(
					/no longer holds the event “evt_000000000012”.*“After Event ID”/,
				) as string,
			});
			await platform.control.setFaults([]);
		});

		test('emits an event again that did not become an execution', async () => {
			const n8n = n8nWatching('event');
			await n8n.publish();
			await emit(2);
			n8n.mishaps = { notStarted: true };
			await n8n.poll();
			n8n.mishaps = {};
			await n8n.poll();
			expect(n8n.items).toHaveLength(2);
			await n8n.poll();
			expect(n8n.items).toHaveLength(2);
		});

		test.each(['forbidden', 'notFound', 'notImplemented'] as const)(
			'fails at publishing where the platform does not offer it (%s)',
			async (eventStream) => {
				await platform.control.configure({ dialect: { eventStream } });
				await expect(n8nWatching('event').publish()).rejects.toMatchObject({
					description: expect.stringContaining('contracted enterprise feature') as string,
				});
			},
		);

		test.each(['withoutPagination', 'bare'] as const)(
			'reads it to its end where its pages are %s',
			async (eventList) => {
				await platform.control.configure({ dialect: { eventList, eventIds: 'plain' } });
				await emit(260);
				const n8n = n8nWatching('event', { options: { startFrom: '2000-01-01T00:00:00Z' } });
				await n8n.publish();
				expect(n8n.items).toHaveLength(270);
			},
		);
	});

	describe('stock levels', () => {
		const level = async (): Promise<{ sku: string; location_id: string; quantity: number }> => {
			const { baseUrl, apiKey } = platform;
			const answer = await fetch(`${baseUrl}/inventory/levels`, {
				headers: { authorization: `Bearer ${apiKey}` },
			});
			return ((await answer.json()) as { data: never[] }).data[0];
		};

		test('emits the levels that changed since the first comparison', async () => {
			const n8n = n8nWatching('inventory');
			await n8n.publish();
			await n8n.poll();
			expect(n8n.items).toEqual([]);
			const { sku, location_id, quantity } = await level();
			await platform.control.setStock({ sku, location_id, quantity: quantity + 3 });
			await n8n.poll();
			await n8n.poll();
			expect(n8n.items).toMatchObject([{ sku, location_id, quantity: quantity + 3 }]);
		});

		test('emits a level that goes back to what it was', async () => {
			const n8n = n8nWatching('inventory');
			await n8n.publish();
			const { sku, location_id, quantity } = await level();
			const { baseUrl, apiKey } = platform;
			const put = async (to: number) =>
				await fetch(`${baseUrl}/inventory/levels`, {
					method: 'PUT',
					headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
					body: JSON.stringify({
						sku,
						location_id,
						quantity: to,
						updated_at: new Date().toISOString(),
					}),
				});
			await put(quantity + 1);
			await n8n.poll();
			await put(quantity);
			await n8n.poll();
			expect(n8n.items.map((item) => item.quantity)).toEqual([quantity + 1, quantity]);
		});

		test('emits a level again that did not become an execution', async () => {
			const n8n = n8nWatching('inventory');
			await n8n.publish();
			const { sku, location_id, quantity } = await level();
			await platform.control.setStock({ sku, location_id, quantity: quantity + 3 });
			n8n.mishaps = { notStarted: true };
			await n8n.poll();
			n8n.mishaps = {};
			await n8n.poll();
			await n8n.poll();
			expect(n8n.items).toHaveLength(1);
		});
	});
});
