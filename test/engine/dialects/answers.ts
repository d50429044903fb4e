import type { IDataObject } from 'n8n-workflow';

import type { Dialect } from '../../platform/dialects/dialect';
import type { Fixtures } from '../operations/shop';

/** What an item of an operation must hold whatever the platform's answer looks like. */
type Check = (item: IDataObject, fixtures: Fixtures, dialect: Dialect) => void;

const identified =
	(id: (fixtures: Fixtures) => unknown): Check =>
	(item, fixtures) =>
		expect(item).toMatchObject({ id: id(fixtures) });

const prefixed =
	(prefix: string): Check =>
	(item) =>
		expect(item).toMatchObject({ id: expect.stringMatching(`^${prefix}_`) });

/** A write without a record in its answer is done all the same. */
const done =
	(whereShown: Check): Check =>
	(item, fixtures, dialect) => {
		if (dialect.writeAnswer === 'record') whereShown(item, fixtures, dialect);
		else expect(item).toMatchObject({ success: true });
	};

const holds =
	(text: (fixtures: Fixtures) => string): Check =>
	(item, fixtures) =>
		expect(JSON.stringify(item)).toContain(text(fixtures));

/** By operation; lists are checked item by item. */
export const ANSWERS: Readonly<Record<string, Check>> = {
	'account.get': (item) => expect(item).toHaveProperty('rate_limits'),
	'category.getAll': prefixed('cat'),
	'category.create': done(prefixed('cat')),
	'customer.getAll': prefixed('cust'),
	'customer.get': identified(({ customer }) => customer),
	'customer.create': done(prefixed('cust')),
	'customer.update': done(identified(({ customer }) => customer)),
	'event.getAll': (item) =>
		expect(item).toMatchObject({ event_id: expect.stringMatching(/^evt_\d+$/) }),
	'inventory.getAll': (item, { sku }) =>
		expect(item).toMatchObject({ sku, location_id: 'sloc_main', quantity: expect.any(Number) }),
	'inventory.set': done((item, { sku }) => expect(item).toMatchObject({ sku, quantity: 7 })),
	'inventory.adjust': done((item, { sku }) => expect(item).toMatchObject({ sku })),
	'order.getAll': (item) =>
		expect(item).toMatchObject({ status: 'paid', total: { decimal: expect.any(Number) } }),
	'order.get': holds(({ lineItem }) => lineItem),
	'order.update': done(identified(({ order }) => order)),
	'order.cancel': done((item, { order }) =>
		expect(item).toMatchObject({ id: order, status: 'cancelled' }),
	),
	'order.fulfill': done(holds(({ order }) => order)),
	'order.refund': done(holds(({ order }) => order)),
	'product.getAll': prefixed('prod'),
	'product.get': identified(({ product }) => product),
	'product.create': done(prefixed('prod')),
	'product.update': done(identified(({ product }) => product)),
	'product.setPrices': (item, { sku }) =>
		expect(item).toMatchObject({ sku, amount: 1234, currency: 'USD' }),
	'product.delete': (item, { product }) =>
		expect(item).toMatchObject({ deleted: true, id: product }),
	'product.upsert': (item) => expect(item).toBeDefined(),
	'product.importCatalog': holds(() => 'job_'),
	'webhook.getAll': identified(({ webhook }) => webhook),
	'webhook.get': identified(({ webhook }) => webhook),
	'webhook.create': (item) => expect(item).toMatchObject({ secret: expect.any(String) }),
	'webhook.update': done(identified(({ webhook }) => webhook)),
	'webhook.delete': (item, { webhook }) =>
		expect(item).toMatchObject({ deleted: true, id: webhook }),
	'webhook.rotateSecret': (item) => expect(item).toMatchObject({ secret: expect.any(String) }),
	'webhook.test': holds(() => 'del_'),
	'webhook.recreate': (item, { webhook }) =>
		expect(item).toMatchObject({
			secret: expect.any(String),
			replaced: { id: webhook, deleted: true },
		}),
};
