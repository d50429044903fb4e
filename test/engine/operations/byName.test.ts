import type { IDataObject } from 'n8n-workflow';

import { byMode } from '../../support/parameters';
import { useShop, WEBHOOK_URL } from './shop';

const { shop, fixtures } = useShop();

const getOrder = async (number: string) =>
	await shop.run('order.get', { orderId: byMode('number', number) });
const getCustomer = async (email: string) =>
	await shop.run('customer.get', { customerId: byMode('email', email) });

describe.each(['default', 'contrary'] as const)(
	'an order by its number, in the dialect %s',
	(dialect) => {
		let number: string;
		beforeEach(async () => {
			number = String((await shop.read(`/orders/${fixtures.order}`)).number);
			await shop.control.configure({ dialect });
			await shop.control.resetCounters();
		});

		it('is written to by every operation that takes an order', async () => {
			const orderId = byMode('number', `#${number}`);
			await shop.run('order.update', { orderId, updateFields: { merchant_note: 'By number' } });
			const written = await shop.read(`/orders/${fixtures.order}`);
			expect(written.merchant_note).toBe('By number');
		});

		it('counts its look-up among the requests that a dry run shows', async () => {
			const options = { dryRun: true };
			const shown = async (orderId: IDataObject) =>
				(await shop.run('order.fulfill', { orderId, trackingNumber: 'T1', carrier: 'dhl', options }))
					.json[0];
			const byId = await shown(byMode('id', fixtures.order));
			const requests = Number(byId.requests) + 1;
			expect(await shown(byMode('number', number))).toEqual({ ...byId, requests });
			expect((await shop.sent()).filter(({ method }) => method !== 'GET')).toEqual([]);
		});

		it('is refused if no order has exactly this number', async () => {
			const { error } = await getOrder(number.slice(0, -1));
			expect(error?.message).toMatch(/^No order has the number “\d+”$/);
			const others = (await shop.targets()).filter((one) => !one.startsWith('GET /v1/orders?'));
			expect(others).toEqual([]);
		});
	},
);

describe('a customer by e-mail', () => {
	let email: string;
	beforeEach(async () => {
		email = String((await shop.read(`/customers/${fixtures.customer}`)).email);
		await shop.control.resetCounters();
	});

	it('is found in any case of letters, by the platform’s search', async () => {
		const { json } = await getCustomer(` ${email.toUpperCase()} `);
		expect(json[0].id).toBe(fixtures.customer);
		expect(await shop.sent()).toHaveLength(2);
	});

	it('is refused if two customers have the address', async () => {
		await shop.post('/customers', { email });
		const { error } = await getCustomer(email);
		expect(error?.message).toBe(`2 customers have the e-mail “${email}”`);
	});
});

describe('a record to be deleted', () => {
	const deleted = async (handle: string) =>
		await shop.run('product.delete', { productId: byMode('handle', handle) });

	it('is found by its handle, and the item shows its ID', async () => {
		const { json } = await deleted(fixtures.handle);
		expect(json).toEqual([{ deleted: true, id: fixtures.product }]);
		// The search, the confirmation by the ID, the deletion.
		expect((await shop.sent()).map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE']);
	});

	it('is not deleted if no record has exactly this handle', async () => {
		const { error } = await deleted(fixtures.handle.slice(0, 3));
		expect(error?.message).toMatch(/^No product has the handle “.+”$/);
		expect(new Set((await shop.sent()).map(({ method }) => method))).toEqual(new Set(['GET']));
	});

	it('is not deleted if several have the URL', async () => {
		await shop.post('/webhooks', { url: WEBHOOK_URL, events: ['order.paid'] });
		const { error } = await shop.run('webhook.delete', { webhookId: byMode('url', WEBHOOK_URL) });
		expect(error?.message).toBe(`2 webhooks have the URL “${WEBHOOK_URL}”`);
		expect(await shop.control.endpoints()).toHaveLength(2);
	});
});

describe('a Limit of orders', () => {
	const many = async (more: IDataObject) => await shop.run('order.getAll', { limit: 3, ...more });
	const sorts = async () =>
		(await shop.targets()).map((one) => /sort=([^&]+)/.exec(one)?.[1].replace('%3A', ':'));
	const sortedBy = (field: string, direction: string) => ({ by: { field, direction } });

	it.each<[string, IDataObject, string | undefined]>([
		['gives those that changed last', {}, 'updated_at:desc'],
		[
			'keeps the sort of its own',
			{ options: { sort: sortedBy('created_at', 'asc') } },
			'created_at:asc',
		],
		['is no Return All, which keeps the platform’s order', { returnAll: true }, undefined],
	])('%s', async (_name, more, sort) => {
		expect((await many(more)).items.length).toBeGreaterThanOrEqual(3);
		expect(await sorts()).toEqual([sort]);
	});

	it.each([
		['Limit', { limit: 4 }, { returnAll: true }],
		['Return All', { returnAll: true }, { limit: 250 }],
	])('gives pages of %s with cursors that work with either setting', async (_name, first, then) => {
		const all = await many({ returnAll: true });
		const options = { output: 'pages' };
		const [begun] = (await many({ ...first, options, requestOptions: { pageSize: 2 } })).json;
		const startCursor = (begun.pagination as IDataObject).next_cursor;
		const rest = await many({ ...then, options: { startCursor } });
		const given = [...(begun.data as IDataObject[]), ...rest.json];
		expect(given.map(({ id }) => id)).toEqual(all.json.map(({ id }) => id));
		expect(await sorts()).not.toContain('updated_at:desc');
	});

	it('drops its own sort if the platform refuses it, but not the user’s', async () => {
		await shop.control.configure({ dialect: { sort: 'refused' } });
		expect((await many({})).items).toHaveLength(3);
		expect(await sorts()).toEqual(['updated_at:desc', undefined]);
		const { error } = await many({ options: { sort: sortedBy('updated_at', 'desc') } });
		expect(error?.message).toBe('Order: sort is not taken by this list (HTTP 400)');
	});
});
