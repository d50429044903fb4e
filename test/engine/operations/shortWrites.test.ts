import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop } from './shop';

const { shop, fixtures } = useShop();

const ids = () => ({
	customerId: byId(fixtures.customer),
	orderId: byId(fixtures.order),
	productId: byId(fixtures.product),
});
const pairs = (...names: string[]): IDataObject => ({
	specifyFields: 'defineBelow',
	fields: { field: names.map((name) => ({ name, type: 'string', value: 'x' })) },
});

/** What a write gives, and what Get gives of the same record. */
async function both(operation: string, parameters: IDataObject) {
	const run = await shop.run(operation, { ...ids(), ...parameters });
	expect(run.error).toBeUndefined();
	const [written] = run.json;
	const [resource] = operation.split('.');
	const [read] = (await shop.run(`${resource}.get`, { [`${resource}Id`]: byId(written.id) })).json;
	return { written, read };
}

const WRITES: Array<[operation: string, parameters: IDataObject]> = [
	['customer.create', pairs('email')],
	['customer.update', pairs('phone')],
	['order.cancel', {}],
	['order.update', { updateFields: { merchant_note: 'x' } }],
	['product.create', { title: 'Mug', sku: 'MUG-1', price: '12.50', currency: 'EUR' }],
	['product.update', { updateFields: { title: 'x' } }],
];

it.each(WRITES)('%s gives what Get gives, simplified', async (operation, parameters) => {
	const { written, read } = await both(operation, parameters);
	expect(written).toEqual(read);
});

it.each(WRITES)('%s gives the whole record by one switch', async (operation, parameters) => {
	const requestOptions = { wholeRecord: true };
	const { written, read } = await both(operation, { ...parameters, requestOptions });
	expect(Object.keys(written)).toEqual(expect.arrayContaining(Object.keys(read)));
	expect(written).toHaveProperty(operation.startsWith('customer') ? 'address' : 'updated_at');
});

it('keeps the mark of an order that was left as it is', async () => {
	await shop.run('order.cancel', ids());
	const again = await shop.run('order.cancel', ids(), { executionId: 'again' });
	expect(again.json).toMatchObject([{ id: fixtures.order, transitionSkipped: true }]);
	const options = { ifNotAllowed: 'returnCurrent' };
	const sent = await shop.run('order.fulfill', { ...ids(), options });
	expect(sent.json).toMatchObject([{ id: fixtures.order, transitionSkipped: true }]);
});

it('keeps a dry run’s row, and the mark of what was so already', async () => {
	const title = (await shop.read(`/products/${fixtures.product}`)).title as string;
	const update = (options: IDataObject, wanted: string) => ({
		...ids(),
		...{ updateFields: { title: wanted }, options },
	});
	const dry = await shop.run('product.update', update({ dryRun: true }, 'Other'));
	expect(dry.json).toMatchObject([{ dryRun: true, field: 'title', old: title, new: 'Other' }]);
	const same = await shop.run('product.update', update({ onlyIfChanged: true }, title));
	expect(same.json).toMatchObject([{ id: fixtures.product, skipped: true }]);
});
