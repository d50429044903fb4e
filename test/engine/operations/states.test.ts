import type { IDataObject } from 'n8n-workflow';

import { byId, type NodeRun, stubApi, type StubAnswer, withFastClock } from '../../support/engine';
import { runOperation } from '../../support/engine/runNode';
import { useShop } from './shop';

const RETURN_CURRENT = { ifNotAllowed: 'returnCurrent' };
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const EACH_LEVEL = { sku: '={{ $json.sku }}', locationId: 'sloc_main', quantity: '={{ $json.q }}' };
const STALE = '2020-01-01T00:00:00Z';
const MAY_BE_DONE = /may have done it all the same/;

const { shop, fixtures } = useShop();
withFastClock();

const answered = async () => (await shop.sent()).map(({ method, status }) => `${method} ${status}`);

const ofOrder = async (operation: string, more: IDataObject) =>
	await shop.run(`order.${operation}`, { orderId: byId(fixtures.order), ...more });

const atMain = () => ({ sku: fixtures.sku, locationId: 'sloc_main' });
const set = async (options: IDataObject, quantity = 7, more = {}) =>
	await shop.run('inventory.set', { ...atMain(), quantity, options }, more);
const level = async () =>
	(await shop.list(`/inventory/levels?sku=${fixtures.sku}&location_id=sloc_main`))[0];

/** A stock level of 100. */
async function stocked() {
	const { control } = shop.platform;
	await control.setStock({ sku: fixtures.sku, location_id: 'sloc_main', quantity: 100 });
	const { version } = await level();
	await control.resetCounters();
	return String(version);
}

describe('On Conflict', () => {
	beforeEach(async () => void (await stocked()));

	it('overwrites with a newer time, although If-Match was set', async () => {
		const { json } = await set({ onConflict: 'overwrite', updatedAt: STALE, ifMatch: '"99"' });
		expect(json[0]).toMatchObject({ sku: fixtures.sku, quantity: 7 });
		expect(json[0]).not.toHaveProperty('writeSkipped');
		expect((await answered()).map((one) => one.slice(0, 3))).toEqual(['PUT', 'GET', 'PUT']);
		const tags = (await shop.sent()).map(({ headers }) => headers['if-match']);
		expect(tags).toEqual(['"99"', undefined, undefined]);
	});

	it('overwrites under another key than the user’s, which stands for the first write', async () => {
		const options = { onConflict: 'overwrite', updatedAt: STALE };
		const parameters = {
			...atMain(),
			quantity: 7,
			options,
			requestOptions: { idempotencyKey: 'mine' },
		};
		await shop.run('inventory.set', parameters);
		const writes = (await shop.sent()).filter(({ method }) => method === 'PUT');
		const keys = writes.map(({ headers }) => headers['idempotency-key']);
		expect(keys).toHaveLength(2);
		expect(keys[0]).toBe('mine');
		expect(keys[1]).not.toBe('mine');
	});

	it('gives up after three overwrites', async () => {
		await shop.control.setFaults([
			{ method: 'PUT', fault: 'status', status: 409, code: 'CONFLICT' },
		]);
		const { error } = await set({ onConflict: 'overwrite' });
		expect(error?.context?.code).toBe('CONFLICT');
		expect((await answered()).filter((one) => one === 'PUT 409')).toHaveLength(4);
	});
});

it('a level is written, although nothing changed, after a write to a SKU that a shop may treat as the same', async () => {
	await stocked();
	const { sku } = fixtures;
	const { json } = await shop.run(
		'inventory.set',
		{ ...EACH_LEVEL, options: { onlyIfChanged: true } },
		{
			items: [
				[`${sku} `, 7],
				[sku, 100],
			].map(([sku, q]) => ({ sku, q })),
			...CONTINUE,
		},
	);
	expect(json[1]).toMatchObject({ sku: fixtures.sku, quantity: 100 });
	expect(json[1]).not.toHaveProperty('skipped');
});

describe('after an answer that was lost', () => {
	beforeEach(async () => {
		await shop.control.configure({ dialect: { idempotency: 'ignored' } });
		await shop.control.setFaults(
			['POST', 'PUT'].map((method) => ({ method, fault: 'lostAnswer' as const, times: 1 })),
		);
	});
	afterEach(async () => await shop.control.configure({ dialect: 'default' }));

	it.each([
		['adjust', 'stop', 95],
		['set', 'returnCurrent', 7],
	])(
		'a level is written once, and never reported as left out: %s, On Conflict %s',
		async (operation, onConflict, quantity) => {
			const options = { onConflict, ifMatch: await stocked() };
			const parameters = { ...atMain(), quantity: 7, delta: -5, options };
			const { error } = await shop.run(`inventory.${operation}`, parameters);
			expect((await level()).quantity).toBe(quantity);
			expect(error?.description).toMatch(MAY_BE_DONE);
		},
	);

	it.each<[string, IDataObject]>([
		['cancel', {}],
		['refund', { extent: 'platform' }],
		['fulfill', { specifyItems: 'everything' }],
	])('a change of an order is not said to be left out: %s', async (operation, parameters) => {
		const { error, items } = await ofOrder(operation, { ...parameters, options: RETURN_CURRENT });
		expect(items).toEqual([]);
		expect(error?.description).toMatch(MAY_BE_DONE);
	});
});

describe('Recreate', () => {
	const recreate = async (id = fixtures.webhook, more = {}) =>
		await shop.run('webhook.recreate', { webhookId: byId(id) }, more);
	const endpoints = async () => await shop.control.endpoints();

	it.each([
		['Recreate', 'webhook.recreate', 'n8n workflow w7: Orders'],
		['Recreate', 'webhook.recreate', 'n8n workflow w7 (test): Orders'],
		['Rotate Secret', 'webhook.rotateSecret', 'n8n workflow w7: Orders'],
		['Update', 'webhook.update', 'n8n workflow w7: Orders'],
	])(
		'does not touch a trigger’s endpoint, since the trigger knows its secret: %s, %s, %s',
		async (_name, operation, description) => {
			const url = 'https://n8n.example/webhook/1';
			const { id } = await shop.post('/webhooks', { url, events: ['order.paid'], description });
			const before = await endpoints();
			const updateFields = { description: 'Orders to the warehouse' };
			const parameters = { webhookId: byId(String(id)), updateFields };
			const { error } = await shop.run(operation, parameters);
			expect(error?.message).toContain('belongs to the trigger of the n8n workflow w7');
			expect(error?.description).toContain('unpublish and publish');
			expect(await endpoints()).toEqual(before);
		},
	);

	it('does not lose the new secret when the old endpoint cannot be deleted', async () => {
		await shop.control.setFaults([{ method: 'DELETE', fault: 'status', status: 400 }]);
		const { json } = await recreate();
		const replaced = { id: fixtures.webhook, deleted: false, status: 400 };
		expect(json).toMatchObject([{ secret: expect.any(String), replaced }]);
	});

	it('makes no second endpoint when n8n runs the node again', async () => {
		await shop.control.setFaults([
			{ method: 'POST', fault: 'lostAnswer', times: 1 },
			{ method: 'GET', path: '/webhooks/{id}', fault: 'status', status: 400, times: 1 },
		]);
		const { error } = await recreate(undefined, { retryOnFail: { maxTries: 2 } });
		expect(error).toBeUndefined();
		expect(await endpoints()).toHaveLength(1);
	});
});

describe('reads of a dry run', () => {
	const sent = async (operation: string, parameters: IDataObject, rows: IDataObject[]) => {
		const before = (await shop.sent()).length;
		const { json } = await shop.run(operation, parameters, { items: rows });
		return { json, requests: (await shop.sent()).slice(before) };
	};

	it.each(['set', 'adjust'])('%s: one page for the rows of one location', async (operation) => {
		await stocked();
		const rows = Array.from({ length: 60 }, (_, index) => ({ sku: `SKU-${index}`, to: index }));
		rows[0].sku = String(atMain().sku);
		const to = { [operation === 'set' ? 'quantity' : 'delta']: '={{ $json.to }}' };
		const parameters = { ...atMain(), sku: '={{ $json.sku }}', ...to, options: { dryRun: true } };
		const { json, requests } = await sent(`inventory.${operation}`, parameters, rows);
		expect(json[0]).toMatchObject({ old: 100, result: expect.stringMatching(/change/) });
		expect(json[1]).toMatchObject({ old: null, result: 'no stock level' });
		expect(requests.map(({ target }) => target.split('?')[0])).toEqual(['/v1/inventory/levels']);
		expect(requests[0].target).toContain('location_id=sloc_main');
	});

	it('an update that merges variants reads its product once', async () => {
		const variant = { sku: fixtures.sku, title: 'New' };
		const updateFields = { variants: { variant: [variant] } };
		const parameters = {
			productId: byId(fixtures.product),
			updateFields,
			options: { dryRun: true },
		};
		const { json, requests } = await sent('product.update', parameters, [{}]);
		expect(json).toMatchObject([{ dryRun: true, result: 'would change' }]);
		expect(requests).toHaveLength(1);
	});
});

it.each<[string, IDataObject, unknown, unknown, string]>([
	['a new quantity', { quantity: 7 }, 100, 7, 'would change'],
	['the same quantity', { quantity: 100 }, 100, 100, 'no change'],
	['a difference', { delta: -5 }, 100, 95, 'would change'],
	['no difference', { delta: 0 }, 100, 100, 'no change'],
	['a SKU without a level there', { sku: 'none', quantity: 7 }, null, null, 'no stock level'],
])(
	'a dry run of stock shows %s in a row, and writes nothing',
	async (_what, entered, before, after, result) => {
		await stocked();
		const operation = 'delta' in entered ? 'adjust' : 'set';
		const parameters = { ...atMain(), ...entered, options: { dryRun: true } };
		const { json } = await shop.run(`inventory.${operation}`, parameters);
		const of = { dryRun: true, sku: parameters.sku, location_id: 'sloc_main', field: 'quantity' };
		expect(json).toEqual([{ ...of, old: before, new: after, result }]);
		expect(await answered()).toEqual(['GET 200']);
	},
);

it.each<[string, IDataObject, unknown[]]>([
	['set', { quantity: '={{ $json.to }}' }, [100, 7, 9]],
	['adjust', { delta: '={{ $json.to }}' }, [100, 107, 116]],
])(
	'a dry run of %s counts all rows of one level, one after the other',
	async (name, to, levels) => {
		await stocked();
		const parameters = { ...atMain(), ...to, options: { dryRun: true } };
		const { json } = await shop.run(`inventory.${name}`, parameters, {
			items: [{ to: 7 }, { to: 9 }],
		});
		const [before, between, after] = levels;
		expect(json).toMatchObject([
			{ old: before, new: between, result: 'would change' },
			{ old: between, new: after, result: 'would change' },
		]);
	},
);

describe("a refund with a key of 'Refund Only Once'", () => {
	const refund = async (more: IDataObject = {}, run: Partial<NodeRun> = {}) => {
		const amount = { amount: '1.00', currency: 'EUR' };
		const parameters = { extent: 'amount', ...amount, refundOnceKey: 'RMA-1', ...more };
		const orderId = byId(fixtures.order);
		return await shop.run('order.refund', { orderId, ...parameters }, run);
	};
	const refunded = async () => {
		const { payment_summary } = await shop.read(`/orders/${fixtures.order}`);
		return (payment_summary as { refunded: { amount: number; currency: string } }).refunded;
	};

	it('is made once, however often it runs, and says if it was made before', async () => {
		const { currency } = await refunded();
		const first = await refund({ currency }, { executionId: 'execution-1' });
		const again = await refund({ currency }, { executionId: 'execution-2' });
		expect([first.error, again.error]).toEqual([undefined, undefined]);
		expect((await refunded()).amount).toBe(100);
		expect(again.json[0].id).toBe(first.json[0].id);
	});

	it('is not made for a second item with the same key', async () => {
		const { failures } = await refund({ extent: 'platform' }, { items: [{}, {}], ...CONTINUE });
		expect(failures[1]?.message).toBe(
			"'Refund Only Once (Key)' “RMA-1” is used for two items of this run",
		);
		expect(await answered()).toHaveLength(1);
	});

	it('is not reported as left out if the platform may know the key', async () => {
		const faults = [{ method: 'POST', path: '/orders/{id}/refunds', script: ['409'] }];
		await shop.control.setFaults(faults);
		const { error, items } = await refund({ options: { ifNotAllowed: 'returnCurrent' } });
		expect(items).toEqual([]);
		expect(error?.message).toContain(`Order “${fixtures.order}”: `);
		expect(error?.context?.status).toBe(409);
		expect(error?.description).toContain('The platform reports a conflict with the current data');
	});

	it('is not made if the expression of the key gives nothing', async () => {
		const { error } = await refund({ refundOnceKey: '={{ $json.none }}' });
		expect(error?.message).toBe("'Refund Only Once (Key)' is empty");
		expect(await shop.sent()).toEqual([]);
	});
});

describe('a refund of an amount', () => {
	const refund = async (more: IDataObject = {}, run: Partial<NodeRun> = {}) => {
		const orderId = byId(fixtures.order);
		return await shop.run('order.refund', { orderId, extent: 'amount', amount: '1', ...more }, run);
	};
	const sentBody = async () => {
		const bodies = (await shop.sent()).filter(({ method }) => method === 'POST');
		return JSON.parse(bodies.at(-1)?.body ?? '') as IDataObject;
	};

	it.each(['', ' '])('takes the order’s currency if none is entered: %j', async (entered) => {
		const { total } = await shop.read(`/orders/${fixtures.order}`);
		const { currency } = total as IDataObject;
		await shop.control.resetCounters();
		const { error } = await refund({ currency: entered });
		expect(error).toBeUndefined();
		expect(await sentBody()).toMatchObject({ currency });
		expect(await answered()).toEqual(['GET 200', 'POST 201']);
	});

	it('says what was refunded, and what running again would do', async () => {
		const { json, hint } = await refund();
		const money = `${Number(json[0].decimal).toFixed(2)} ${String(json[0].currency)}`;
		expect(hint).toContain(`The platform accepted a refund of ${money}`);
		expect(hint).toContain('Running again refunds again.');
		const keyed = await refund({ refundOnceKey: 'RMA-9' });
		expect(keyed.hint).toContain('Running again with the same key refunds nothing more');
		const several = await refund({}, { items: [{}, {}] });
		expect(several.hint).toContain('The platform accepted refunds. Running again refunds again.');
	});

	it.each(['', 'abc', '-5', null, '19,99', 0, '0.00'])(
		'is refused before others go out, if its amount is %j and its currency that of the order',
		async (amount) => {
			const sent = stubApi({ '*': [[201, { data: { id: 'ref_1' } }]] });
			const parameters = {
				orderId: byId('={{ $json.id }}'),
				extent: 'amount',
				amount: '={{ $json.amount }}',
			};
			const items = [
				{ id: 'ord_1', amount: '5' },
				{ id: 'ord_2', amount },
			];
			const { error } = await runOperation('order.refund', parameters, { items });
			expect([error?.message, sent]).toEqual([expect.stringContaining("'Amount'"), []]);
		},
	);

	it('says so after a lost answer, too: the key of the retry was not the user’s', async () => {
		stubApi({ 'POST *': [[503], [201, { data: { id: 'ref_1' } }]] });
		const parameters = {
			...{ orderId: byId('ord_1'), extent: 'amount', amount: '3', currency: 'EUR' },
			requestOptions: { maxRetryWait: 0 },
		};
		const more = { retryOnFail: { maxTries: 2, waitBetweenTries: 1 } };
		const { error, hint } = await runOperation('order.refund', parameters, more);
		expect([error, hint]).toEqual([undefined, expect.stringContaining('Running again refunds')]);
	});

	it.each([{ state: 'Pending' }, { status: 'pending' }])(
		'shows that it is pending: %j',
		async (state) => {
			const data = { id: 'ref_1', amount: 300, currency: 'EUR', ...state };
			stubApi({ 'POST *': [[201, { data }]] });
			const entered = { extent: 'amount', amount: '3', currency: 'EUR' };
			const { hint } = await runOperation('order.refund', { orderId: byId('ord_1'), ...entered });
			expect(hint).toContain(`of 3.00 EUR, now “${Object.values(state)[0]}”. Running again`);
		},
	);

	it('is not made if the order shows no currency', async () => {
		const sent = stubApi({ 'GET *': [[200, { data: { id: 'ord_1' } }]] });
		const parameters = { orderId: byId('ord_1'), extent: 'amount', amount: '1' };
		const { error } = await runOperation('order.refund', parameters);
		expect(error?.message).toBe("'Currency' is empty");
		expect(sent).toHaveLength(1);
	});
});

describe('what is wanted already is done', () => {
	it('gives a cancelled order as it is', async () => {
		await ofOrder('cancel', {});
		const { json } = await ofOrder('cancel', {});
		expect(json).toMatchObject([
			{ id: fixtures.order, status: 'cancelled', transitionSkipped: true },
		]);
	});

	it.each([
		['cancel', 'fulfill'],
		['fulfill', 'cancel'],
	])(
		'is not taken for done after another change, and the option is named: %s, %s',
		async (first, other) => {
			const all = { specifyItems: 'everything' };
			expect((await ofOrder(first, all)).error).toBeUndefined();
			const { error } = await ofOrder(other, all);
			expect(error?.context?.code).toBe('INVALID_STATE_TRANSITION');
			expect(error?.description).toContain("use 'If Not Allowed in This State'");
		},
	);
});

it('a tracking number for an order without open items and without a status is not left out in silence', async () => {
	const sentLine = { line_item_id: 'li_1', quantity: 1, fulfilled_quantity: 1 };
	const sent = stubApi({ 'GET *': [[200, { data: { id: 'ord_1', line_items: [sentLine] } }]] });
	const { error, items } = await runOperation('order.fulfill', {
		orderId: byId('ord_1'),
		specifyItems: 'open',
		trackingNumber: 'T1',
	});
	expect(items).toEqual([]);
	expect(error?.description).toContain('the tracking number was not saved');
	expect(sent).toHaveLength(1);
});

describe('Add to Merchant Note', () => {
	const add = async (more: IDataObject = {}, run: Partial<NodeRun> = {}) =>
		await ofOrderRun({ updateFields: { addToMerchantNote: 'B', ...more } }, run);
	const ofOrderRun = async (parameters: IDataObject, run: Partial<NodeRun>) =>
		await shop.run('order.update', { orderId: byId(fixtures.order), ...parameters }, run);
	const note = async () => (await shop.read(`/orders/${fixtures.order}`)).merchant_note;

	it('keeps what the note says, also where two items add to one order', async () => {
		await ofOrder('update', { updateFields: { merchant_note: 'A' } });
		const { error } = await add({}, { items: [{}, {}] });
		expect(error).toBeUndefined();
		expect(await note()).toBe('A\nB\nB');
	});

	it('is refused beside a note that replaces it, and left out where it is blank', async () => {
		const { error } = await add({ merchant_note: 'C' });
		expect(error?.message).toContain('sets “merchant_note” a second time');
		await ofOrder('update', { updateFields: { merchant_note: 'A' } });
		const blank = await add({ addToMerchantNote: ' ' });
		expect(blank.error?.message).toContain('holds nothing to change');
		expect(blank.error?.description).toContain('check the expression');
		expect(await note()).toBe('A');
	});

	/** Adds B to the note A, which is A2 when it is read again. */
	const addToA = async (...answers: StubAnswer[]) => {
		const reading = (merchant_note: string): StubAnswer => [
			200,
			{ data: { id: 'ord_1', merchant_note } },
			{ ETag: `"${merchant_note}"` },
		];
		const sent = stubApi({ 'GET *': [reading('A'), reading('A2')], 'PATCH *': answers });
		const { error } = await runOperation('order.update', {
			orderId: byId('ord_1'),
			updateFields: { addToMerchantNote: 'B' },
		});
		const writes = sent.filter(({ route }) => route.startsWith('PATCH'));
		return { error, writes: writes.map(({ headers, body }) => [headers['if-match'], body]) };
	};
	const toA = ['"A"', { merchant_note: 'A\nB' }];

	it('reads again and adds to the other’s note if it was changed in the meantime', async () => {
		const { error, writes } = await addToA([412, {}], [200, { data: { id: 'ord_1' } }]);
		expect(error).toBeUndefined();
		expect(writes).toEqual([toA, ['"A2"', { merchant_note: 'A2\nB' }]]);
	});

	it('is not added again where an earlier attempt may have added it', async () => {
		const { error, writes } = await addToA([502, {}], [412, {}], [200, {}]);
		expect(error?.description).toMatch(MAY_BE_DONE);
		expect(writes).toEqual([toA, toA]);
	});
});
