import type { IDataObject } from 'n8n-workflow';

import { withDecimals } from '../../../nodes/shared/values/money';
import { byId } from '../../support/parameters';
import { useShop } from './shop';

const { shop, fixtures } = useShop('once');

const get = async (
	resource: 'order' | 'customer',
	more: IDataObject = {},
): Promise<IDataObject> => {
	const id = byId(fixtures[resource]);
	return (await shop.run(`${resource}.get`, { [`${resource}Id`]: id, ...more })).json[0];
};
const whole = async (resource: 'order' | 'customer') =>
	await shop.read(`/${resource}s/${fixtures[resource]}`);

describe('Simplify', () => {
	it('is on by default, and keeps the documented fields of an order and those by which people know it', async () => {
		const order = await get('order');
		expect(Object.keys(order).sort().join(' ')).toBe(
			'created_at customer_id email fulfillment_state id line_items merchant_note number payment_summary shipping_address status total totals updated_at',
		);
		expect(withDecimals(await whole('order'), 'number')).toMatchObject(order);
	});

	it('works on every record of a list and of its pages', async () => {
		const list = async (options: IDataObject = {}) =>
			(await shop.run('customer.getAll', { limit: 8, options })).json;
		const records = await list();
		expect(records.some((record) => 'address' in record)).toBe(false);
		// Pages keep the platform's order; records of a Limit are the newest first.
		const { data } = (await list({ output: 'pages' }))[0] as { data: IDataObject[] };
		expect(data).toHaveLength(8);
		expect(data).toEqual(expect.arrayContaining(records));
	});
});

it.each(['shown', 'masked'] as const)(
	'the raw record comes through untouched without Simplify, its personal data %s',
	async (personalData) => {
		await shop.control.configure({ dialect: { personalData } });
		for (const resource of ['order', 'customer'] as const) {
			const record = await get(resource, { simplify: false });
			expect(record).toEqual(await whole(resource));
			expect(String(record.email).includes('*')).toBe(personalData === 'masked');
		}
		await shop.control.configure({ dialect: { personalData: 'shown' } });
	},
);
