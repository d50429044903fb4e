import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../platform/support/until';
import { PollingN8n } from '../../../test/engine/changesTrigger/pollingN8n';
import { N8nLike } from '../../../test/engine/trigger/n8nLike';
import { byId, byMode } from '../../../test/support/parameters';
import { access, control, newOrder, run, set } from './engine';

const LAMP = 'LA-1010';
const at = { sku: byMode('sku', LAMP), locationId: byId('sloc_outlet_store') };
const names = { first_name: 'Hook', last_name: 'Test' };
let count = 0;

/** Something that happens in the shop, and what tells it. @returns the ID or SKU of its record */
const HAPPENINGS: Record<string, () => Promise<unknown>> = {
	'order.paid': async () => await newOrder('paidDiscount'),
	'order.created': async () => await newOrder('authorized'),
	'order.fulfilled': async () => await newOrder('shipped'),
	'order.cancelled': async () => await newOrder('cancelled'),
	'product.created': async () => (await run('product.create', { title: 'Told' })).json[0].id,
	'product.updated': async () => {
		const [{ id }] = (await run('product.getAll', { filters: { sku: LAMP } })).json;
		const updateFields = { description: `The ${++count}th` };
		await run('product.update', { productId: byId(id), updateFields });
		return id;
	},
	'product.deleted': async () => {
		const { json } = await run('product.create', { title: 'Soon gone' });
		await run('product.delete', { productId: byId(json[0].id) });
		return json[0].id;
	},
	'inventory.changed': async () => {
		await run('inventory.adjust', { ...at, delta: 1 });
		return LAMP;
	},
	'customer.created': async () =>
		(
			await run('customer.create', {
				specifyFields: 'json',
				json: JSON.stringify({ ...names, email_address: `told${++count}@mail.example` }),
			})
		).json[0].id,
	'customer.updated': async () => {
		const parameters = {
			customerId: byId('3'),
			specifyFields: 'json',
			json: `{ "title": "Dr ${++count}" }`,
		};
		return (await run('customer.update', parameters)).json[0].id;
	},
};
/** A published trigger. The engine knows its HTTPS address, and delivers to this machine. */
async function published(parameters: IDataObject): Promise<N8nLike> {
	const webhookBaseUrl = 'https://n8n.example/webhook';
	const n8n = new N8nLike({ credentials: access, webhookBaseUrl, parameters });
	await set({ webhookOrigin: await n8n.serve() });
	await n8n.publish();
	return n8n;
}

const EVENTS = Object.keys(HAPPENINGS);

describe.each([true, false])('the webhook trigger, Get Full Record %s', (getFullRecord) => {
	it.each(EVENTS)('%s is executed once, with the record that it is about', async (event) => {
		const n8n = await published({ events: [event], getFullRecord });
		const about = await HAPPENINGS[event]();
		const isAbout = (item: IDataObject) =>
			JSON.stringify(item.payload).includes(`"${String(about)}"`);
		await until(event, 10_000, () => Promise.resolve(n8n.executions.some(isAbout) || undefined));
		const items = n8n.executions.filter(isAbout);
		// A customer's first address and a product's variants are changes of their own.
		if (event.startsWith('order.')) expect(items).toHaveLength(1);
		expect(items[0].event).toBe(event);
		expect(items[0]).not.toHaveProperty('recordError');
		if (getFullRecord && event.startsWith('order.'))
			expect(items[0].record).toMatchObject({ id: about });
		await n8n.delete();
	});
});

it('the same delivery again, and one with a wrong signature, are not executed', async () => {
	const n8n = await published({ events: ['order.paid'] });
	await control({ clear: true });
	await newOrder('paidDiscount');
	await until('the delivery', 10_000, () =>
		Promise.resolve(n8n.executions.length > 0 || undefined),
	);
	type Sent = { status: number; address: string; headers: Record<string, string>; body: string };
	const { deliveries } = await control<{ deliveries: Sent[] }>({});
	const { address, headers, body } = deliveries.find(({ status }) => status === 200)!;
	const send = async (changes: object) =>
		(await fetch(address, { method: 'POST', body, headers: { ...headers, ...changes } })).status;
	expect(await send({})).toBe(200);
	expect(await send({ 'x-shop-signature': 'ab'.repeat(32), 'x-shop-delivery-id': 'del_x' })).toBe(
		401,
	);
	expect(n8n.executions).toHaveLength(1);
	await n8n.delete();
});

const WATCHED: Array<[watch: string, happening: string]> = [
	['order', 'order.paid'],
	['order', 'order.fulfilled'],
	['order', 'order.cancelled'],
	['product', 'product.created'],
	['product', 'product.updated'],
	['customer', 'customer.created'],
	['customer', 'customer.updated'],
	['inventory', 'inventory.changed'],
	['event', 'order.paid'],
];

it.each(WATCHED)(
	'the changes trigger over %s gives what %s changed, once',
	async (watch, happening) => {
		const n8n = new PollingN8n({ credentials: access, parameters: { watch } });
		await n8n.publish();
		await n8n.poll();
		const quiet = n8n.items.length;
		const about = String(await HAPPENINGS[happening]());
		const isAbout = (item: IDataObject) => JSON.stringify(item).includes(`"${about}"`);
		await until(happening, 10_000, async () => {
			await n8n.poll();
			return n8n.items.slice(quiet).some(isAbout) || undefined;
		});
		const given = n8n.items.length;
		await n8n.poll();
		expect(n8n.items).toHaveLength(given);
	},
);

it.each(['order', 'product', 'customer'])(
	'a backlog of %ss is given whole, each once',
	async (watch) => {
		const options = { startFrom: '2000-01-01T00:00:00Z', maxPages: 1 };
		const n8n = new PollingN8n({ credentials: access, parameters: { watch, options } });
		await n8n.publish();
		let before: number;
		do {
			before = n8n.items.length;
			await n8n.poll();
		} while (n8n.items.length > before);
		const all = await run(`${watch}.getAll`, { returnAll: true });
		const ids = (items: IDataObject[]) => items.map(({ id }) => String(id)).sort();
		expect(ids(n8n.items)).toEqual(ids(all.json));
	},
);
