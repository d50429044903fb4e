import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import type { Fixtures } from '../operations/shop';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';

const STALE = '2020-01-01T00:00:00Z';

// The waits between attempts have full jitter: with this every wait is its least.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe.each(chosenDialects().map((one) => [one.name, one.dialect] as const))(
	'what goes wrong, in the dialect %s',
	(_name, dialect) => {
		let shop: DialectShop;
		let fixtures: Fixtures;
		beforeAll(async () => {
			shop = await openDialectShop(dialect);
		});
		beforeEach(async () => {
			fixtures = await shop.fresh();
		});
		afterAll(async () => await shop.close());

		const requestId = () =>
			dialect.requestId === 'absent' ? undefined : expect.stringMatching(/^req_/);

		it('a record that is not there is an error with its request id, and nothing is written', async () => {
			const { error, items } = await shop.run({
				resource: 'product',
				operation: 'update',
				productId: byId('prod_zzzzzz'),
				updateFields: { title: 'New' },
			});
			expect(items).toEqual([]);
			expect(error?.context?.request_id).toEqual(requestId());
			if (dialect.unknownResource !== 'badRequest') {
				expect(error?.message).toBe('The product “prod_zzzzzz” was not found');
			}
		});

		it('a key that is not known is an error that does not show it', async () => {
			const apiKey = 'cpk_of_another_shop';
			const { baseUrl } = shop.platform;
			const parameters = { resource: 'order', operation: 'get', orderId: byId(fixtures.order) };
			const { error } = await shop.run(parameters, { credentials: { baseUrl, apiKey } });
			expect(error?.message.length).toBeGreaterThan(10);
			expect(JSON.stringify([error?.message, error?.description, error?.context])).not.toContain(
				apiKey,
			);
			if (dialect.authenticationFailure === 'unauthorized') {
				expect(error?.message).toContain('API key');
			}
		});

		it('If Not Allowed in This State returns the order where it cannot be fulfilled', async () => {
			await shop.platform.control.configure({ dialect: 'default' });
			await shop.post(`/orders/${fixtures.order}/cancel`, {});
			await shop.platform.control.configure({ dialect });
			const fulfill = (options: IDataObject) => ({
				resource: 'order',
				operation: 'fulfill',
				specifyItems: 'defineBelow',
				orderId: byId(fixtures.order),
				items: { item: [{ line_item_id: fixtures.lineItem, quantity: 1 }] },
				options,
			});
			expect((await shop.run(fulfill({}))).error?.context).toMatchObject({ status: 409 });
			const { error, items } = await shop.run(fulfill({ ifNotAllowed: 'returnCurrent' }));
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ id: fixtures.order, transitionSkipped: true });
		});

		it('On Conflict returns the level, and a stale write changes nothing', async () => {
			const level = { sku: fixtures.sku, location_id: 'sloc_main', quantity: 100 };
			await shop.platform.control.setStock(level);
			const { error, items } = await shop.run({
				resource: 'inventory',
				operation: 'set',
				sku: fixtures.sku,
				locationId: 'sloc_main',
				quantity: 7,
				options: { onConflict: 'returnCurrent', updatedAt: STALE },
			});
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ quantity: 100, writeSkipped: true });
			expect(await shop.record('inventory', `${fixtures.sku}@sloc_main`)).toMatchObject(level);
		});

		it('a spent budget is waited for, and a write goes out once', async () => {
			await shop.platform.control.setFaults([
				{ fault: 'status', status: 429, retryAfter: 0, times: 1 },
			]);
			const started = performance.now();
			const { error } = await shop.run({
				resource: 'order',
				operation: 'update',
				orderId: byId(fixtures.order),
				updateFields: { merchant_note: 'Ring twice' },
			});
			expect(error).toBeUndefined();
			expect(performance.now() - started).toBeLessThan(20_000);
			expect(await shop.record('orders', fixtures.order)).toMatchObject({
				merchant_note: 'Ring twice',
			});
			const { writesByIdempotencyKey } = await shop.platform.control.counters();
			expect(Object.values(writesByIdempotencyKey)).toEqual([1]);
		});

		it('an answer that was lost leads to one refund, or to an error where keys have no effect', async () => {
			await shop.platform.control.setFaults([{ method: 'POST', fault: 'lostAnswer', times: 1 }]);
			const { total } = (await shop.record('orders', fixtures.order)) as {
				total: { currency: string };
			};
			const json = JSON.stringify({ amount: 100, currency: total.currency });
			const { error } = await shop.run({
				resource: 'order',
				operation: 'refund',
				orderId: byId(fixtures.order),
				extent: 'fields',
				specifyFields: 'json',
				json,
			});
			const order = (await shop.record('orders', fixtures.order)) as {
				payment_summary: { refunded: { amount: number } };
			};
			const times = order.payment_summary.refunded.amount / 100;
			const isKept = dialect.idempotency === 'replayed' || dialect.idempotency === 'anyBody';
			if (isKept) expect([times, error?.message]).toEqual([1, undefined]);
			// Without keys a client cannot know, and the document asks for a retry with the key.
			else expect(times).toBe(dialect.idempotency === 'ignored' ? 2 : 1);
		});

		it('an endpoint that is not released is an error, and nothing is changed', async () => {
			await shop.platform.control.configure({ inDevelopment: { webhookUpdate: false } });
			const before = await shop.platform.control.endpoints();
			const { error } = await shop.run({
				resource: 'webhook',
				operation: 'update',
				webhookId: byId(fixtures.webhook),
				updateFields: { description: 'New' },
			});
			expect(error?.message.length).toBeGreaterThan(10);
			expect(await shop.platform.control.endpoints()).toEqual(before);
		});
	},
);
