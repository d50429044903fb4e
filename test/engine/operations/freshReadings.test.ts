import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';

const ORDER = { orderId: byId('ord_1') };
const REFUSED_FOR_NOW: StubAnswer = [429, {}, { 'retry-after': '0' }];
const open = (quantity: number): StubAnswer => [
	200,
	{ data: { id: 'ord_1', status: 'paid', line_items: [{ line_item_id: 'li_1', quantity }] } },
];
const cancelled: StubAnswer = [200, { data: { id: 'ord_1', status: 'cancelled', line_items: [] } }];
const routes = (sent: ReturnType<typeof stubApi>) => sent.map(({ route }) => route);

const READ = 'GET /orders/ord_1';
const SEND = 'POST /orders/ord_1/fulfillments';

describe('a write that is built on a reading', () => {
	it('is built anew after a wait: All Open Items', async () => {
		const sent = stubApi({
			'GET *': [open(2), open(1)],
			'POST *': [REFUSED_FOR_NOW, [201, { data: { id: 'ful_1' } }]],
		});
		const { error } = await runOperation('order.fulfill', ORDER);
		expect(error).toBeUndefined();
		expect(routes(sent)).toEqual([READ, SEND, READ, SEND]);
		expect((sent[3].body as IDataObject).items).toEqual([{ line_item_id: 'li_1', quantity: 1 }]);
		expect(sent[3].headers['idempotency-key']).not.toBe(sent[1].headers['idempotency-key']);
	});

	it('is not sent if nothing is left to do by then', async () => {
		const sent = stubApi({ 'GET *': [open(2), cancelled], 'POST *': [REFUSED_FOR_NOW] });
		const { error } = await runOperation('order.fulfill', ORDER);
		expect(error?.message).toContain('has nothing left to send');
		expect(routes(sent)).toEqual([READ, SEND, READ]);
	});

	it('is sent again unchanged if it may have been applied', async () => {
		const sent = stubApi({
			'GET *': [open(2), open(1)],
			'POST *': ['ECONNRESET', [201, { data: { id: 'ful_1' } }]],
		});
		const { error } = await runOperation('order.fulfill', ORDER);
		expect(error).toBeUndefined();
		expect(routes(sent)).toEqual([READ, SEND, SEND]);
		expect(sent[2].text).toBe(sent[1].text);
		expect(sent[2].headers['idempotency-key']).toBe(sent[1].headers['idempotency-key']);
	});

	const product = (amount: number): StubAnswer => [
		200,
		{ data: { id: 'prod_1', variants: [variant(amount, 'EUR'), variant(amount, 'USD')] } },
	];
	const variant = (amount: number, currency: string) => ({
		sku: `A-${currency}`,
		title: 'A',
		prices: [{ amount, currency }],
	});

	it.each<[string, string, IDataObject]>([
		[
			'a merge',
			'product.update',
			{
				productId: byId('prod_1'),
				updateFields: { variantsJson: '[{ "sku": "A-EUR", "title": "B" }]' },
			},
		],
		['Set Prices', 'product.setPrices', { sku: 'A-EUR', amount: '3.00', currency: 'EUR' }],
	])('sends back what others have written meanwhile: %s', async (_what, operation, parameters) => {
		let isRead = 0;
		const sent = stubApi({
			'GET /products': [[200, { data: [{ id: 'prod_1', variants: [variant(1, 'EUR')] }] }]],
			'GET *': () => product(isRead++ === 0 ? 100 : 200),
			'PATCH *': [REFUSED_FOR_NOW, [200, {}]],
		});
		const { error } = await runOperation(operation, parameters);
		expect(error).toBeUndefined();
		const writes = sent.filter(({ route }) => route.startsWith('PATCH'));
		expect(writes).toHaveLength(2);
		const { variants } = writes[1].body as { variants: Array<ReturnType<typeof variant>> };
		expect(variants[1].prices).toEqual([{ amount: 200, currency: 'USD' }]);
	});
});

it('does not send twice what this run has sent, however late the platform shows it', async () => {
	const sent = stubApi({ 'GET *': [open(2)], 'POST *': [[201, { data: { id: 'ful_1' } }]] });
	const { failures } = await runOperation('order.fulfill', ORDER, {
		items: [{}, {}],
		onError: 'continueRegularOutput',
	});
	expect(routes(sent)).toEqual([READ, SEND, READ]);
	expect(failures.map((failure) => failure?.message)).toEqual([
		undefined,
		expect.stringContaining('has nothing left to send'),
	]);
});

it('does not send it in another try either (Retry On Fail)', async () => {
	const sent = stubApi({ 'GET *': [open(2)], 'POST *': [[201, { data: { id: 'ful_1' } }]] });
	await runOperation('order.fulfill', ORDER, {
		items: [{}, {}],
		retryOnFail: { maxTries: 2, waitBetweenTries: 0 },
	});
	expect(routes(sent).filter((route) => route === SEND)).toHaveLength(1);
});

it('does not begin anew what a write has begun: Recreate deletes the old endpoint after a 429', async () => {
	const hook = { id: 'wh_1', url: 'https://erp.example/x', events: ['order.paid'] };
	const sent = stubApi({
		'GET *': [[200, { data: hook }]],
		'POST *': [[201, { data: { ...hook, id: 'wh_2', secret: 's' } }]],
		'DELETE *': [REFUSED_FOR_NOW, [204]],
	});
	const { error } = await runOperation('webhook.recreate', { webhookId: byId('wh_1') });
	expect(error).toBeUndefined();
	expect(routes(sent).map((route) => route.split(' ')[0])).toEqual([
		...['GET', 'POST', 'DELETE', 'DELETE'],
	]);
});

it('writes a value that was the same when it was compared, if another run wrote meanwhile', async () => {
	const level = { sku: 'A', location_id: 'sloc_1' };
	let begun: () => void = () => undefined;
	const hasBegun = new Promise<void>((resolve) => (begun = resolve));
	const sent = stubApi({
		'GET *': [[200, { data: [{ ...level, quantity: 7 }] }]],
		'PUT *': async ({ body }) => {
			begun();
			await new Promise((resolve) => setTimeout(resolve, 50));
			return [200, { data: body }];
		},
	});
	const set = async (quantity: number, options: IDataObject = {}) =>
		await runOperation('inventory.set', { sku: 'A', locationId: 'sloc_1', quantity, options });
	const older = set(5);
	await hasBegun;
	const { json } = await set(7, { onlyIfChanged: true });
	await older;
	expect(json[0]).not.toHaveProperty('skipped');
	const writes = sent.filter(({ route }) => route.startsWith('PUT'));
	expect(writes.map(({ body }) => (body as IDataObject).quantity)).toEqual([5, 7]);
});

describe('a guard whose expression gives nothing', () => {
	it.each<[string, string, IDataObject]>([
		['Expected Version', 'inventory.set', { options: { ifMatch: '={{ $json.none }}' } }],
		['Expected Version', 'inventory.adjust', { options: { ifMatch: '={{ $json.none }}' } }],
		[
			'Idempotency Key',
			'inventory.set',
			{ requestOptions: { idempotencyKey: '={{ $json.none }}' } },
		],
		['Idempotency Key', 'order.cancel', { requestOptions: { idempotencyKey: '={{ " " }}' } }],
	])('“%s” refuses the write of %s', async (label, operation, more) => {
		const sent = stubApi({ '*': [[200, { data: {} }]] });
		const level = { sku: 'A', locationId: 'sloc_1', quantity: 1, delta: 1 };
		const { error } = await runOperation(operation, { ...ORDER, ...level, ...more });
		expect(error?.message).toBe(`“${label}” is empty`);
		expect(error?.description).toContain('the write would go out unguarded');
		expect(sent).toEqual([]);
	});

	it('left empty by hand is no guard', async () => {
		const sent = stubApi({ '*': [[200, { data: {} }]] });
		const parameters = { sku: 'A', locationId: 'sloc_1', quantity: 1, options: { ifMatch: '' } };
		await runOperation('inventory.set', parameters);
		expect(sent).toHaveLength(1);
		expect(sent[0].headers).not.toHaveProperty('if-match');
	});
});

describe('prices of one product', () => {
	const priced = (amounts: IDataObject) =>
		Object.entries(amounts).map(([sku, amount]) => ({
			sku,
			prices: [{ amount, currency: 'EUR' }],
		}));
	const setPrice = async (sku: string, amount: string) =>
		await runOperation('product.setPrices', { sku, amount, currency: 'EUR' });

	it('are written one after the other by two executions, and none is written back', async () => {
		const amounts: IDataObject = { A: 1, B: 2 };
		let underWay = 0;
		let most = 0;
		stubApi({
			'GET /products': () => [200, { data: [{ id: 'prod_1', variants: priced(amounts) }] }],
			'GET *': () => [200, { data: { id: 'prod_1', variants: priced(amounts) } }],
			'PATCH *': async ({ body }) => {
				most = Math.max(most, ++underWay);
				await new Promise((resolve) => setTimeout(resolve, 20));
				for (const { sku, prices } of (body as { variants: ReturnType<typeof priced> }).variants)
					amounts[sku] = prices[0].amount;
				underWay--;
				return [200, {}];
			},
		});
		await Promise.all([setPrice('A', '5.00'), setPrice('B', '6.00')]);
		expect(amounts).toEqual({ A: 500, B: 600 });
		expect(most).toBe(1);
	});

	it('have another key after a conflict, even if the same is sent again', async () => {
		let tag = 0;
		const sent = stubApi({
			'GET /products': [[200, { data: [{ id: 'prod_1', variants: priced({ A: 1 }) }] }]],
			'GET *': () => [
				200,
				{ data: { id: 'prod_1', variants: priced({ A: 1 }) } },
				{ etag: `"${++tag}"` },
			],
			'PATCH *': [
				[412, {}],
				[200, {}],
			],
		});
		await setPrice('A', '5.00');
		const [first, second] = sent.filter(({ route }) => route.startsWith('PATCH'));
		expect(second.text).toBe(first.text);
		expect(second.headers['idempotency-key']).not.toBe(first.headers['idempotency-key']);
	});
});

it('a merge that is written again after a conflict has another key than the user’s', async () => {
	const variants = [{ sku: 'A', title: 'Old' }];
	const sent = stubApi({
		'GET *': [[200, { data: { id: 'prod_1', variants } }, { etag: '"1"' }]],
		'PATCH *': [
			[412, {}],
			[200, {}],
		],
	});
	const { error } = await runOperation('product.update', {
		productId: byId('prod_1'),
		updateFields: { variantsJson: '[{ "sku": "A", "title": "New" }]' },
		requestOptions: { idempotencyKey: 'mine' },
	});
	expect(error).toBeUndefined();
	const writes = sent.filter(({ route }) => route.startsWith('PATCH'));
	const keys = writes.map(({ headers }) => headers['idempotency-key']);
	expect(keys).toHaveLength(2);
	expect(keys[0]).toBe('mine');
	expect(keys[1]).not.toBe('mine');
});
