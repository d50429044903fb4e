import { withDecimals } from '../../../nodes/shared/values/money';
import type { IDataObject } from 'n8n-workflow';

import { CASES } from './cases';
import { openShop, type Fixtures, type Shop } from './shop';
import type { PlatformMethod } from '../../../nodes/shared/api/request';
import { scopeOf } from '../../../nodes/shared/model/scopes';
import { byId } from '../../support/parameters';

let shop: Shop;
let fixtures: Fixtures;

beforeAll(async () => {
	shop = await openShop();
	fixtures = await shop.fresh();
});
afterAll(async () => await shop.close());

const get = (resource: 'order' | 'customer', more: IDataObject): IDataObject => ({
	resource,
	operation: 'get',
	[`${resource}Id`]: byId(fixtures[resource]),
	...more,
});

describe('Simplify', () => {
	it('is on by default, and keeps what the API document names of an order, and by what people know it', async () => {
		const { items } = await shop.run(get('order', {}));
		const whole = await shop.read(`/orders/${fixtures.order}`);
		expect(Object.keys(items[0].json).sort()).toEqual([
			'created_at',
			'customer_id',
			'email',
			'fulfillment_state',
			'id',
			'line_items',
			'merchant_note',
			'number',
			'payment_summary',
			'shipping_address',
			'status',
			'total',
			'totals',
			'updated_at',
		]);
		expect(withDecimals(whole, 'number')).toMatchObject(items[0].json);
	});

	it('gives the raw record when it is off', async () => {
		const { items } = await shop.run(get('order', { simplify: false }));
		expect(items[0].json).toEqual(await shop.read(`/orders/${fixtures.order}`));
	});

	it('leaves out only nested values of a customer, and no consent', async () => {
		const { items } = await shop.run(get('customer', {}));
		const { address, ...flat } = await shop.read(`/customers/${fixtures.customer}`);
		expect(address).toBeDefined();
		expect(items[0].json).toEqual(flat);
		expect(items[0].json).toHaveProperty('accepts_email_marketing');
	});

	it('works on every record of a list and of its pages', async () => {
		const list = { resource: 'customer', operation: 'getAll', limit: 3 };
		const records = await shop.run(list);
		const pages = await shop.run({ ...list, options: { output: 'pages' } });
		expect(records.items.some(({ json }) => 'address' in json)).toBe(false);
		expect(pages.items[0].json.data).toEqual(records.items.map(({ json }) => json));
	});
});

describe('masked data', () => {
	afterAll(
		async () => await shop.platform.control.configure({ dialect: { personalData: 'shown' } }),
	);

	it('passes through untouched', async () => {
		await shop.platform.control.configure({ dialect: { personalData: 'masked' } });
		for (const resource of ['order', 'customer'] as const) {
			const { items } = await shop.run(get(resource, { simplify: false }));
			expect(items[0].json).toEqual(await shop.read(`/${resource}s/${fixtures[resource]}`));
			expect(String(items[0].json.email)).toContain('*');
		}
	});
});

describe('Add Decimal Amounts', () => {
	it.each([
		['As Exact Text', { decimalAmounts: 'text' }, /,"decimal":"[\d.]+"/g],
		['As Number', { decimalAmounts: 'number' }, /,"decimal":[\d.]+/g],
	])('%s puts a decimal beside every amount, at any depth', async (_name, options, written) => {
		const { items } = await shop.run(get('order', { simplify: false, options }));
		const plain = JSON.stringify(await shop.read(`/orders/${fixtures.order}`));
		const decimal = JSON.stringify(items[0].json);
		const amounts = plain.match(/"amount":/g)?.length;
		expect(amounts).toBeGreaterThan(4);
		expect(decimal.match(/"decimal":/g)).toHaveLength(amounts ?? 0);
		expect(decimal.replaceAll(written, '')).toBe(plain);
	});
});

describe('a key without scopes', () => {
	const scoped = [...new Map(CASES.map((one) => [one.operation, one])).values()];

	it.each(scoped.map((one) => [one.operation, one] as const))(
		'%s names the scope that it needs',
		async (operation, { parameters }) => {
			const { apiKey } = await shop.platform.control.createKey({ scopes: [], plan: 'business' });
			const [resource, name] = operation.split('.');
			await shop.platform.control.resetCounters();
			const { error } = await shop.run(
				{ resource, operation: name, ...parameters(fixtures) },
				{ credentials: { baseUrl: shop.platform.baseUrl, apiKey } },
			);
			if (operation === 'account.get') return expect(error).toBeUndefined();
			expect(error?.message).toMatch(/not allowed to do this|not released/);
			// A refused batch may also be one that is not released: then it goes one by one, and fails by its first read.
			const refused = (await shop.platform.control.requests()).at(-1);
			if (refused === undefined) throw new Error('Nothing was sent');
			const path = new URL(refused.target, 'http://x').pathname.replace(/^\/v1/, '');
			const scope = scopeOf({ method: refused.method as PlatformMethod, path });
			if (scope !== undefined)
				expect(`${error?.message} ${error?.description}`).toContain(`needs the scope ${scope}`);
			else
				expect(`${error?.message} ${error?.description}`).toMatch(
					/needs the scope products\.(read|write)|payment permissions|enterprise/,
				);
		},
	);
});
