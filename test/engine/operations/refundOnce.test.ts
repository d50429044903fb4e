import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop, type Fixtures, type Shop } from './shop';

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

const HOUR_MS = 3_600_000;

const refund = (more: IDataObject = {}): IDataObject => ({
	resource: 'order',
	operation: 'refund',
	orderId: byId(fixtures.order),
	extent: 'amount',
	amountsAreIn: 'minor',
	amount: '100',
	currency: 'EUR',
	refundOnceKey: 'RMA-1',
	...more,
});

const refunded = async () => {
	const order = await shop.read(`/orders/${fixtures.order}`);
	return (order.payment_summary as { refunded: { amount: number; currency: string } }).refunded;
};

it('refunds a key once, however often it runs, and says so of a refund of before', async () => {
	const { currency } = await refunded();
	const first = await shop.run(refund({ currency }), { executionId: 'execution-1' });
	const again = await shop.run(refund({ currency }), { executionId: 'execution-2' });
	expect([first.error, again.error]).toEqual([undefined, undefined]);
	expect((await refunded()).amount).toBe(100);
	expect(again.items[0].json.id).toBe(first.items[0].json.id);
	expect(first.items[0].json).not.toHaveProperty('refundedEarlier');
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS);
	const later = await shop.run(refund({ currency }), { executionId: 'execution-3' });
	now.mockRestore();
	expect(later.items[0].json).toMatchObject({ refundedEarlier: true });
});

it.each<[string, IDataObject, IDataObject]>([
	['major', { amount: '1.5' }, { amount: 150, currency: 'EUR', decimal: 1.5 }],
	['minor', { amount: '150' }, { amount: 150, currency: 'EUR' }],
])('a dry run in %s units shows the amount as it was entered', async (amountsAreIn, more, body) => {
	const options = { dryRun: true };
	const { items } = await shop.run(refund({ amountsAreIn, ...more, options }));
	expect(items[0].json.body).toEqual(body);
});

it.each<[string, IDataObject]>([
	['is empty', { refundOnceKey: '={{ $json.none }}' }],
	['stands beside “Idempotency Key”', { options: { idempotencyKey: 'a' } }],
])('refunds nothing where the key %s', async (problem, more) => {
	await shop.platform.control.resetCounters();
	const { error } = await shop.run(refund(more));
	expect(error?.message).toBe(`“Refund Only Once (Key)” ${problem}`);
	expect(await shop.platform.control.requests()).toEqual([]);
});
