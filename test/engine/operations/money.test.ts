import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { openShop, type Shop } from './shop';

/** The same amounts in both units. */
const MONEY = [
	{ currency: 'EUR', minor: 1999, major: '19.99' },
	{ currency: 'EUR', minor: 1000, major: '10' },
	{ currency: 'JPY', minor: 2500, major: '2500' },
	{ currency: 'KWD', minor: 1234, major: '1.234' },
];

let shop: Shop;

beforeAll(async () => {
	shop = await openShop();
	await shop.fresh();
});
afterAll(async () => await shop.close());

/** Runs an operation on a product. */
async function run(operation: string, parameters: IDataObject, item: IDataObject = {}) {
	const { items, error } = await shop.run(
		{ resource: 'product', operation, ...parameters },
		{ items: [item] },
	);
	expect(error).toBeUndefined();
	return items[0].json;
}

const created = async (additionalFields: IDataObject, more: IDataObject = {}) =>
	await run('create', { title: 'Priced', additionalFields, ...more });

async function expectPrice(id: unknown, currency: string, amount: number) {
	const { variants } = (await shop.read(`/products/${String(id)}`)) as {
		variants: Array<{ prices: unknown[] }>;
	};
	expect(variants.map(({ prices }) => prices)).toEqual([[{ amount, currency }]]);
}

const rows = (amount: unknown, currency: string, sku: string) => ({
	variants: { variant: [{ sku, prices: { price: [{ amount, currency }] } }] } as IDataObject,
});

const units = ['major', 'minor'] as const;
const forms = ['number', 'text', 'off'] as const;
let made = 0;

describe.each(MONEY)('$minor of the smallest unit of $currency', ({ currency, minor, major }) => {
	it.each(units)('is what fields and expressions in %s units make', async (amountsAreIn) => {
		for (const entered of ['field', 'expression']) {
			const value = amountsAreIn === 'major' ? major : String(minor);
			const amount = entered === 'field' ? value : `={{ ${value} }}`;
			const { id } = await created(rows(amount, currency, `F-${++made}`), { amountsAreIn });
			await expectPrice(id, currency, minor);
		}
	});

	it.each(units)('is what JSON makes, whatever the unit of fields: %s', async (amountsAreIn) => {
		const list = [{ sku: `J-${++made}`, prices: [{ amount: minor, currency }] }];
		const { id } = await created({ variantsJson: JSON.stringify(list) }, { amountsAreIn });
		await expectPrice(id, currency, minor);
	});

	it.each(units.flatMap((unit) => forms.map((form) => [unit, form] as const)))(
		'stays when it is read and written again, in %s units with decimals as %s',
		async (amountsAreIn, decimalAmounts) => {
			const first = await created(rows(major, currency, `R-${++made}`));
			const read = await run('get', {
				productId: byId(first.id as string),
				options: { decimalAmounts },
			});
			const variantsJson = '={{ $json.variants }}';
			const again = { amountsAreIn, productId: byId(first.id as string) };
			for (const fields of [
				{ updateFields: { variantsJson } },
				{ updateFields: { variantsJson }, writeVariants: 'replace' },
			]) {
				await run('update', { ...again, ...fields }, read);
				await expectPrice(first.id, currency, minor);
			}
			const copy = await run(
				'create',
				{
					title: 'Copy',
					additionalFields: {
						variantsJson:
							'={{ $json.variants.map((one) => ({ ...one, sku: one.sku + "-copy-" + $json.id })) }}',
					},
					amountsAreIn,
				},
				read,
			);
			await expectPrice(copy.id, currency, minor);
		},
	);

	it('is the decimal that is beside it, entered again', async () => {
		const first = await created(rows(major, currency, `D-${++made}`));
		const read = await run('get', {
			productId: byId(first.id as string),
			options: { decimalAmounts: 'number' },
		});
		const amount = '={{ $json.variants[0].prices[0].decimal }}';
		const { sku } = (read.variants as IDataObject[])[0];
		await run(
			'update',
			{ productId: byId(first.id as string), updateFields: rows(amount, currency, String(sku)) },
			read,
		);
		await run('setPrices', { sku, amount, currency }, read);
		await expectPrice(first.id, currency, minor);
	});
});
