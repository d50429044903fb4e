import type { IDataObject } from 'n8n-workflow';

import { useShop, type Fixtures, type Shop, WEBHOOK_URL } from './shop';
import { apiClient } from '../../support/apiClient';
import { byId } from '../../support/parameters';

const MINUTE_MS = 60_000;

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

const methods = async () =>
	(await shop.platform.control.requests()).map(({ method, status }) => `${method} ${status}`);

describe('If Not Allowed in This State', () => {
	const changes: Array<[operation: string, parameters: () => IDataObject]> = [
		['cancel', () => ({})],
		[
			'fulfill',
			() => ({
				specifyItems: 'defineBelow',
				items: { item: [{ line_item_id: fixtures.lineItem, quantity: 1 }] },
			}),
		],
		[
			'update',
			() => ({
				updateFields: { otherFields: { field: [{ name: 'status', value: 'paid' }] } },
			}),
		],
	];

	beforeEach(async () => {
		await shop.post(`/orders/${fixtures.order}/cancel`, {});
		await shop.platform.control.resetCounters();
	});

	it.each(changes)('%s stops by default', async (operation, parameters) => {
		const { error } = await shop.run({
			resource: 'order',
			operation,
			orderId: byId(fixtures.order),
			...parameters(),
		});
		expect(error?.message).toBe('The order is in a state that does not allow this');
		expect(error?.context).toMatchObject({ code: 'INVALID_STATE_TRANSITION', status: 409 });
	});

	it.each(changes)('%s returns the current order on request', async (operation, parameters) => {
		const { error, items } = await shop.run({
			resource: 'order',
			operation,
			orderId: byId(fixtures.order),
			...parameters(),
			options: { ifNotAllowed: 'returnCurrent', includeMetadata: true },
		});
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			id: fixtures.order,
			status: 'cancelled',
			transitionSkipped: true,
			_meta: { status: 200, requestId: expect.any(String) as string },
		});
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('leaves other refusals an error', async () => {
		const { error } = await shop.run({
			resource: 'order',
			operation: 'cancel',
			orderId: byId('ord_none'),
			options: { ifNotAllowed: 'returnCurrent' },
		});
		expect(error?.message).toBe('The order “ord_none” was not found');
	});
});

describe('On Conflict', () => {
	const set = (options: IDataObject, more: IDataObject = {}): IDataObject => ({
		resource: 'inventory',
		operation: 'set',
		sku: fixtures.sku,
		locationId: 'sloc_main',
		quantity: 7,
		options,
		...more,
	});
	const stale = '2020-01-01T00:00:00Z';
	const levelNow = async () =>
		(await shop.list(`/inventory/levels?sku=${fixtures.sku}&location_id=sloc_main`))[0];

	beforeEach(async () => {
		await shop.platform.control.setStock({
			sku: fixtures.sku,
			location_id: 'sloc_main',
			quantity: 100,
		});
		await shop.platform.control.resetCounters();
	});

	it('stops by default', async () => {
		const { error } = await shop.run(set({ updatedAt: stale }));
		expect(error?.message).toBe('The stock level was changed in the meantime');
		expect(await methods()).toEqual(['PUT 409']);
	});

	it('returns the current level', async () => {
		const { items } = await shop.run(set({ onConflict: 'returnCurrent', updatedAt: stale }));
		expect(items[0].json).toMatchObject({ quantity: 100, writeSkipped: true });
		expect((await levelNow()).quantity).toBe(100);
	});

	it('overwrites with a newer time', async () => {
		const { items } = await shop.run(set({ onConflict: 'overwrite', updatedAt: stale }));
		expect(items[0].json).toMatchObject({ sku: fixtures.sku, quantity: 7 });
		expect(items[0].json).not.toHaveProperty('writeSkipped');
		expect(await methods()).toEqual(['PUT 409', 'GET 200', 'PUT 200']);
	});

	it('overwrites a level from the future', async () => {
		const future = new Date(Date.now() + 60 * MINUTE_MS).toISOString();
		await shop.run(set({ updatedAt: future }, { quantity: 50 }));
		const { items } = await shop.run(set({ onConflict: 'overwrite' }), {
			executionId: 'execution-2',
		});
		expect(items[0].json.quantity).toBe(7);
		expect(Date.parse(String(items[0].json.updated_at))).toBe(Date.parse(future) + 1);
	});

	it('is written, though nothing changed, after a write to a SKU that a shop may take for the same', async () => {
		const same = set(
			{ onlyIfChanged: true },
			{ sku: '={{ $json.sku }}', quantity: '={{ $json.q }}' },
		);
		const { items } = await shop.run(same, {
			items: [
				{ sku: `${fixtures.sku} `, q: 7 },
				{ sku: fixtures.sku, q: 100 },
			],
			onError: 'continueRegularOutput',
		});
		expect(items[1].json).toMatchObject({ sku: fixtures.sku, quantity: 100 });
		expect(items[1].json).not.toHaveProperty('skipped');
	});

	it('drops If-Match when it overwrites', async () => {
		const { items } = await shop.run(set({ onConflict: 'overwrite', ifMatch: '"99"' }));
		expect(items[0].json.quantity).toBe(7);
		const requests = await shop.platform.control.requests();
		expect(requests.map(({ headers }) => headers['if-match'])).toEqual([
			'"99"',
			undefined,
			undefined,
		]);
	});

	it('gives up after three overwrites', async () => {
		await shop.platform.control.setFaults([
			{ method: 'PUT', fault: 'status', status: 409, code: 'CONFLICT' },
		]);
		const { error } = await shop.run(set({ onConflict: 'overwrite' }));
		expect(error?.context?.code).toBe('CONFLICT');
		const puts = (await methods()).filter((one) => one === 'PUT 409');
		expect(puts).toHaveLength(4);
	});

	it('writes the same body again when n8n runs the node again and the first may have been applied', async () => {
		await shop.platform.control.setFaults([{ method: 'PUT', fault: 'lostAnswer', times: 1 }]);
		const { items, error } = await shop.run(set({}, { requests: { retryWrites: 'never' } }), {
			retryOnFail: { maxTries: 2 },
		});
		expect(error).toBeUndefined();
		expect(items[0].json.quantity).toBe(7);
		const [first, second] = await shop.platform.control.requests();
		expect(second.body).toBe(first.body);
		expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key']);
	});
});

describe('after an answer that was lost', () => {
	const MAY_BE_DONE = /may have done it all the same/;

	beforeEach(async () => {
		await shop.platform.control.configure({ dialect: { idempotency: 'ignored' } });
		await shop.platform.control.setFaults(
			['POST', 'PUT'].map((method) => ({ method, fault: 'lostAnswer' as const, times: 1 })),
		);
	});
	afterEach(async () => await shop.platform.control.configure({ dialect: 'default' }));

	const levelOf = async (quantity: number) => {
		const level = { sku: fixtures.sku, location_id: 'sloc_main' };
		await shop.platform.control.setStock({ ...level, quantity });
		const read = async () =>
			(await shop.list(`/inventory/levels?sku=${fixtures.sku}&location_id=sloc_main`))[0];
		return { read, version: String((await read()).version) };
	};

	it.each(['overwrite', 'returnCurrent', 'stop'])(
		'a difference is added once, and never said to be left out: On Conflict %s',
		async (onConflict) => {
			const { read, version } = await levelOf(100);
			const { error } = await shop.run({
				resource: 'inventory',
				operation: 'adjust',
				sku: fixtures.sku,
				locationId: 'sloc_main',
				delta: -5,
				options: { onConflict, ifMatch: version },
			});
			expect((await read()).quantity).toBe(95);
			expect(error?.description).toMatch(MAY_BE_DONE);
		},
	);

	it('a quantity is not said to be left out', async () => {
		const { read, version } = await levelOf(100);
		const { error } = await shop.run({
			resource: 'inventory',
			operation: 'set',
			sku: fixtures.sku,
			locationId: 'sloc_main',
			quantity: 7,
			options: { onConflict: 'returnCurrent', ifMatch: version },
		});
		expect((await read()).quantity).toBe(7);
		expect(error?.description).toMatch(MAY_BE_DONE);
	});

	it.each<[string, IDataObject]>([
		['cancel', {}],
		['refund', { extent: 'platform' }],
		['fulfill', { specifyItems: 'everything' }],
	])('a change of an order is not said to be left out: %s', async (operation, parameters) => {
		const { error, items } = await shop.run({
			resource: 'order',
			operation,
			orderId: byId(fixtures.order),
			...parameters,
			options: { ifNotAllowed: 'returnCurrent' },
		});
		expect(items).toEqual([]);
		expect(error?.description).toMatch(MAY_BE_DONE);
	});
});

describe('an endpoint in development', () => {
	it.each([
		['update', { updateFields: { description: 'x' } }, 'Recreate'],
		['rotateSecret', {}, 'Recreate'],
		['test', {}, 'back office'],
	])('%s says what to use meanwhile', async (operation, parameters, meanwhile) => {
		await shop.platform.control.configure({
			inDevelopment: { webhookUpdate: false, rotateSecret: false, webhookTest: false },
		});
		const { error } = await shop.run({
			resource: 'webhook',
			operation,
			webhookId: byId(fixtures.webhook),
			...parameters,
		});
		expect(error?.message).toBe('This endpoint is not released for this account');
		expect(error?.description).toContain(meanwhile);
	});
});

describe('Recreate', () => {
	const recreate = () => ({
		resource: 'webhook',
		operation: 'recreate',
		webhookId: byId(fixtures.webhook),
	});

	it('leaves one endpoint, with a new secret', async () => {
		const old = await shop.platform.control.endpointSecret(fixtures.webhook);
		const { items } = await shop.run(recreate());
		const endpoints = await shop.platform.control.endpoints();
		expect(endpoints.map(({ id, url }) => [id, url])).toEqual([[items[0].json.id, WEBHOOK_URL]]);
		expect(items[0].json.secret).not.toBe(old);
	});

	it.each(['n8n workflow w7: Orders', 'n8n workflow w7 (test): Orders'])(
		'leaves the endpoint of a trigger alone, which knows its secret: %s',
		async (description) => {
			const { json } = await apiClient(shop.platform).send('/webhooks', {
				method: 'POST',
				body: { url: 'https://n8n.example/webhook/1', events: ['order.paid'], description },
			});
			const before = await shop.platform.control.endpoints();
			const { error } = await shop.run({
				...recreate(),
				webhookId: byId((json as { data: { id: string } }).data.id),
			});
			expect(error?.message).toContain('belongs to the trigger of the n8n workflow w7');
			expect(error?.description).toContain('unpublish and publish');
			expect(await shop.platform.control.endpoints()).toEqual(before);
		},
	);

	it('does not lose the new secret when the old endpoint cannot be deleted', async () => {
		await shop.platform.control.setFaults([{ method: 'DELETE', fault: 'status', status: 400 }]);
		const { items, error } = await shop.run(recreate());
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			secret: expect.any(String),
			replaced: { id: fixtures.webhook, deleted: false, status: 400 },
		});
	});

	it('makes no second endpoint when n8n runs the node again', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', fault: 'lostAnswer', times: 1 },
			{ method: 'GET', path: '/webhooks/{id}', fault: 'status', status: 400, times: 1 },
		]);
		const { error } = await shop.run(recreate(), { retryOnFail: { maxTries: 2 } });
		expect(error).toBeUndefined();
		expect(await shop.platform.control.endpoints()).toHaveLength(1);
	});
});

describe('a dry run of stock', () => {
	const row = (more: IDataObject) => ({
		dryRun: true,
		sku: fixtures.sku,
		location_id: 'sloc_main',
		field: 'quantity',
		...more,
	});

	it.each<[string, IDataObject, IDataObject]>([
		['a new quantity', { quantity: 7 }, { old: 100, new: 7, result: 'would change' }],
		['the same quantity', { quantity: 100 }, { old: 100, new: 100, result: 'no change' }],
		['a difference', { delta: -5 }, { old: 100, new: 95, result: 'would change' }],
		['no difference', { delta: 0 }, { old: 100, new: 100, result: 'no change' }],
		[
			'an unknown SKU',
			{ sku: 'none', quantity: 7 },
			{ old: null, new: null, result: 'unknown SKU' },
		],
	])('shows %s in a row, and writes nothing', async (_what, entered, expected) => {
		const level = { sku: fixtures.sku, location_id: 'sloc_main', quantity: 100 };
		await shop.platform.control.setStock(level);
		await shop.platform.control.resetCounters();
		const { error, items } = await shop.run({
			resource: 'inventory',
			operation: 'delta' in entered ? 'adjust' : 'set',
			sku: fixtures.sku,
			locationId: 'sloc_main',
			...entered,
			options: { dryRun: true },
		});
		expect(error).toBeUndefined();
		const sku = (entered.sku ?? fixtures.sku) as string;
		expect(items.map(({ json }) => json)).toEqual([{ ...row(expected), sku }]);
		expect(await methods()).toEqual(['GET 200']);
	});
});
