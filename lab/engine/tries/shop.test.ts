import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../../test/support/parameters';
import type { Variant } from '../products';
import { failureOf, newOrder, orderOf, recordsOf, requests, run, set } from './engine';

const SKU = 'MU-1004';
const PLACES = {
	sloc_default_stock_location: 'Default Stock Location',
	sloc_outlet_store: 'Outlet Store',
};
type Place = keyof typeof PLACES;
const PLACE_NAMES = Object.keys(PLACES) as Place[];

/** What the engine itself has of the SKU at each place. */
async function stock(): Promise<Record<string, number>> {
	const [{ stockLevels }] = await recordsOf<Variant>(
		'productVariants',
		'stockLevels { stockOnHand stockLocation { name } }',
		{ sku: { eq: SKU } },
	);
	return Object.fromEntries(
		stockLevels.map((level) => [level.stockLocation.name, level.stockOnHand]),
	);
}

describe.each(PLACE_NAMES)('stock at %s', (place) => {
	const at = { sku: byMode('sku', SKU), locationId: byId(place) };
	const becomes = async (
		quantity: (before: number) => number,
		operation: string,
		parameters: object,
	) => {
		const before = await stock();
		const { error } = await run(operation, { ...at, ...parameters });
		expect(error?.message).toBeUndefined();
		const name = PLACES[place];
		expect(await stock()).toEqual({ ...before, [name]: quantity(before[name]) });
	};

	it.each([0, 17, 120])(
		'is set to %d, and nowhere else',
		async (quantity) => await becomes(() => quantity, 'inventory.set', { quantity }),
	);

	it.each([5, -3])(
		'is adjusted by %d, and nowhere else',
		async (delta) =>
			await becomes((before) => before + delta, 'inventory.adjust', { delta, reason: 'Counted' }),
	);

	it('is not written by a dry run', async () =>
		await becomes((before) => before, 'inventory.set', { quantity: 1, options: { dryRun: true } }));

	it('is not written again with Only If Changed', async () => {
		const quantity = (await stock())[PLACES[place]];
		await requests();
		await becomes((before) => before, 'inventory.set', {
			quantity,
			options: { onlyIfChanged: true },
		});
		expect((await requests()).filter((one) => one.startsWith('PUT'))).toEqual([]);
	});

	it('is not set to what an older time says', async () => {
		const before = await stock();
		const options = { updatedAt: '2020-01-01T00:00:00Z' };
		expect(failureOf(await run('inventory.set', { ...at, quantity: 1, options }))).toMatch(
			/older|stale|changed/i,
		);
		expect(await stock()).toEqual(before);
	});

	it('is read as the engine has it', async () => {
		const { json } = await run('inventory.getAll', { filters: { sku: SKU, location_id: place } });
		expect(json.map(({ quantity }) => quantity)).toEqual([(await stock())[PLACES[place]]]);
	});
});

it.each([
	[
		'below nothing',
		{ sku: byMode('sku', SKU), locationId: byId('sloc_outlet_store'), delta: -1_000_000 },
		/negative/,
	],
	[
		'of an unknown SKU',
		{ sku: byMode('sku', 'NOT-THERE'), locationId: byId('sloc_outlet_store'), delta: 1 },
		/NOT-THERE/,
	],
	[
		'at an unknown place',
		{ sku: byMode('sku', SKU), locationId: byId('sloc_moon'), delta: 1 },
		/sloc_moon/,
	],
])('an adjustment %s is refused in the platform’s words', async (_name, parameters, reason) => {
	const before = await stock();
	expect(failureOf(await run('inventory.adjust', parameters))).toMatch(reason);
	expect(await stock()).toEqual(before);
});

it('sixty levels that are equal cost one reading', async () => {
	await requests();
	const { json } = await run('inventory.getAll', { returnAll: true });
	const items = json
		.slice(0, 60)
		.map(({ sku, location_id, quantity }) => ({ sku, location_id, quantity })) as IDataObject[];
	await requests();
	await run(
		'inventory.set',
		{
			sku: byMode('sku', '={{ $json.sku }}'),
			locationId: byId('={{ $json.location_id }}'),
			quantity: '={{ $json.quantity }}',
			options: { onlyIfChanged: true },
		},
		items,
	);
	expect((await requests()).filter((one) => !one.startsWith('GET'))).toEqual([]);
});

interface EngineCustomer {
	id: string;
	firstName: string;
	emailAddress: string;
	phoneNumber: string;
	customFields: { acceptsMarketing: boolean };
}
const customer = async (email: string): Promise<EngineCustomer | undefined> =>
	(
		await recordsOf<EngineCustomer>(
			'customers',
			'id firstName emailAddress phoneNumber customFields { acceptsMarketing }',
			{ emailAddress: { eq: email } },
		)
	)[0];
const fields = (entries: Array<[name: string, type: string, value: string]>) => ({
	fields: { field: entries.map(([name, type, value]) => ({ name, type, value })) },
});
const ADA = 'ada.example0@mail.example';

it('a customer is created, with consent as a Boolean', async () => {
	const email = 'new.person@mail.example';
	const { error } = await run(
		'customer.create',
		fields([
			['first_name', 'string', 'New'],
			['last_name', 'string', 'Person'],
			['email_address', 'string', email],
			['accepts_marketing', 'boolean', 'true'],
		]),
	);
	expect(error?.message).toBeUndefined();
	expect(await customer(email)).toMatchObject({
		firstName: 'New',
		customFields: { acceptsMarketing: true },
	});
});

it.each<[string, string, string, Partial<EngineCustomer>]>([
	['phone_number', 'string', '+49 30 555', { phoneNumber: '+49 30 555' }],
	['first_name', 'string', 'Adele', { firstName: 'Adele' }],
	['accepts_marketing', 'boolean', 'false', { customFields: { acceptsMarketing: false } }],
])('an update of %s writes nothing else', async (name, type, value, change) => {
	const before = await customer(ADA);
	await run('customer.update', { customerId: byId(before!.id), ...fields([[name, type, value]]) });
	expect(await customer(ADA)).toEqual({ ...before, ...change });
});

it.each(['email', 'id'])('a customer is found by %s', async (mode) => {
	const { id, firstName } = (await customer('bo.sample1@mail.example'))!;
	const value = mode === 'id' ? id : 'bo.sample1@mail.example';
	const { json } = await run('customer.get', { customerId: byMode(mode, value) });
	expect(json[0]).toMatchObject({ id, first_name: firstName });
});

it.each([
	['an unknown customer', 'customer.get', { customerId: byId('999999') }, /999999/],
	[
		'an unknown e-mail',
		'customer.get',
		{ customerId: byMode('email', 'nobody@mail.example') },
		/nobody@mail/,
	],
	[
		'a field that there is not',
		'customer.update',
		{ customerId: byId('1'), ...fields([['colour', 'string', 'red']]) },
		/colour/,
	],
	['an unknown order', 'order.get', { orderId: byId('ord_999999') }, /ord_999999/],
	['an unknown number', 'order.get', { orderId: byMode('number', 'NOPE') }, /NOPE/],
	['a category without a name', 'category.create', fields([['slug', 'string', 'x']]), /name/],
])('%s is refused, and the message says why', async (_name, operation, parameters, reason) => {
	expect(failureOf(await run(operation, parameters))).toMatch(reason);
});

it('the reason of the engine stands in the message, with the record', async () => {
	const id = await newOrder('surcharge');
	const result = await run('order.fulfill', { orderId: byId(id), trackingNumber: 'X' });
	expect(failureOf(result)).toContain(id);
	expect(failureOf(result)).toContain('ORDER_STATE_TRANSITION_ERROR');
});

it('a category is created', async () => {
	const { json } = await run('category.create', fields([['name', 'string', 'Garden']]));
	const named = { name: { eq: 'Garden' } };
	const [collection] = await recordsOf<{ id: string }>('collections', 'id', named);
	expect(json[0].id).toBe(`cat_${collection.id}`);
});

it('the account has its budget', async () => {
	expect((await run('account.get', {})).json[0]).toMatchObject({
		rate_limits: { per_minute: 100_000 },
	});
});

it('a webhook is created, read without its secret, and deleted', async () => {
	const { json } = await run('webhook.create', {
		url: 'https://hook.example/x',
		events: ['order.paid'],
	});
	const webhookId = byId(json[0].id);
	expect(json[0].secret).toMatch(/^whsec_/);
	expect((await run('webhook.get', { webhookId })).json[0]).not.toHaveProperty('secret');
	expect((await run('webhook.getAll', { returnAll: true })).json).toHaveLength(1);
	expect((await run('webhook.delete', { webhookId })).json[0]).toMatchObject({ deleted: true });
	expect((await run('webhook.getAll', { returnAll: true })).json).toEqual([]);
});

describe('a write whose answer is lost is applied once', () => {
	beforeEach(async () => await set({ dropAnswers: 1 }));
	afterEach(async () => await set({ dropAnswers: 0 }));

	it.each(['order.fulfill', 'order.refund'])('%s', async (operation) => {
		const id = await newOrder('paidDiscount');
		const parameters = { trackingNumber: 'X1', extent: 'amount', amount: '2', currency: 'EUR' };
		const { error } = await run(operation, { orderId: byId(id), ...parameters });
		expect(error?.message).toBeUndefined();
		const { fulfillments, refunded } = await orderOf(id);
		expect([fulfillments.length, refunded]).toEqual(
			operation === 'order.refund' ? [0, 200] : [1, 0],
		);
	});

	it('order.cancel', async () => {
		const id = await newOrder('paid');
		expect((await run('order.cancel', { orderId: byId(id) })).error?.message).toBeUndefined();
		expect((await orderOf(id)).state).toBe('Cancelled');
	});

	it('inventory.adjust', async () => {
		const before = (await stock())['Outlet Store'];
		const at = { sku: byMode('sku', SKU), locationId: byId('sloc_outlet_store') };
		await run('inventory.adjust', { ...at, delta: 3 });
		expect((await stock())['Outlet Store']).toBe(before + 3);
	});

	it('product.create', async () => {
		const { error } = await run('product.create', { title: 'Only once' });
		const products = await recordsOf('products', 'id', { name: { eq: 'Only once' } });
		expect([error?.message, products.length]).toEqual([undefined, 1]);
	});

	it('customer.create', async () => {
		const email = 'once@mail.example';
		const { error } = await run(
			'customer.create',
			fields([
				['first_name', 'string', 'Once'],
				['last_name', 'string', 'Only'],
				['email_address', 'string', email],
			]),
		);
		expect([error?.message, (await customer(email))?.firstName]).toEqual([undefined, 'Once']);
	});
});
