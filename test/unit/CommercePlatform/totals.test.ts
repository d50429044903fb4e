import type { IDataObject } from 'n8n-workflow';

import { order } from '../../../nodes/CommercePlatform/resources/order';
import type { ListCall, ListOperation } from '../../../nodes/CommercePlatform/run/operation';

const getAll = order.operations.find(({ kind }) => kind === 'list') as ListOperation;

/** What Totals by Currency gives for orders with these totals. */
async function totalsOf(...totals: unknown[]): Promise<IDataObject[]> {
	const records = totals.map((total) => ({ total }) as IDataObject);
	const call = {
		item: { parameter: (name: string) => (name === 'options' ? { output: 'totals' } : {}) },
		async *pages() {
			for (const record of records) yield await Promise.resolve({ records: [record] });
		},
	};
	const rows: IDataObject[] = [];
	for await (const page of getAll.run!(call as unknown as ListCall)) rows.push(...page.records);
	return rows;
}

it.each<[string, unknown]>([
	['none', undefined],
	['a masked one', { amount: '***', currency: 'EUR' }],
	['a fraction', { amount: 1.5, currency: 'EUR' }],
	['no currency', { amount: 5 }],
])('counts an order by itself whose total is %s', async (_what, total) => {
	expect(await totalsOf({ amount: 5, currency: 'EUR' }, total)).toEqual([
		{ currency: 'EUR', orders: 1, amount: 5, text: '0.05' },
		{ currency: null, orders: 1, amount: null, text: null },
	]);
});

it('gives no text for a currency without known decimals, and no sum that is not exact', async () => {
	expect(await totalsOf({ amount: 5, currency: 'XTS' })).toEqual([
		{ currency: 'XTS', orders: 1, amount: 5, text: null },
	]);
	const large = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
	await expect(totalsOf(large, large)).rejects.toThrow('too large to be exact');
});
