import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { useShop } from './shop';

/** The same amounts in both units. */
const MONEY = [
	{ currency: 'EUR', minor: 1999, major: '19.99' },
	{ currency: 'EUR', minor: 1000, major: '10' },
	{ currency: 'JPY', minor: 2500, major: '2500' },
	{ currency: 'KWD', minor: 1234, major: '1.234' },
];

const UNITS = ['major', 'minor'] as const;
const FORMS = ['number', 'text', 'off'] as const;

const { shop } = useShop('once');

/** Runs an operation on a product. */
async function run(operation: string, parameters: IDataObject, item: IDataObject = {}) {
	const { json, error } = await shop.run(`product.${operation}`, parameters, { items: [item] });
	expect(error).toBeUndefined();
	return json[0];
}

const created = async (
	additionalFields: IDataObject,
	options: IDataObject = {},
	item?: IDataObject,
) => await run('create', { title: 'Priced', additionalFields, options }, item);

async function expectPrice(id: unknown, currency: string, amount: number) {
	const { variants } = await shop.read(`/products/${String(id)}`);
	expect(variants).toEqual([expect.objectContaining({ prices: [{ amount, currency }] })]);
}

let made = 0;
const rows = (amount: unknown, currency: string, sku = `SKU-${++made}`) => ({
	variants: { variant: [{ sku, prices: { price: [{ amount, currency }] } }] } as IDataObject,
});

describe.each(MONEY)('$minor of the smallest unit of $currency', ({ currency, minor, major }) => {
	it.each(UNITS)('is what fields and expressions in %s units make', async (amountsAreIn) => {
		const value = amountsAreIn === 'major' ? major : String(minor);
		for (const amount of [value, `={{ ${value} }}`]) {
			const fields = rows(amount, currency);
			const options = { amountsAreIn };
			const { id } = await created(fields, options);
			await expectPrice(id, currency, minor);
			await run('update', { productId: byId(id), updateFields: fields, options });
			await expectPrice(id, currency, minor);
			const { sku } = (fields.variants as { variant: IDataObject[] }).variant[0];
			await run('setPrices', { sku, amount, currency, options });
			await expectPrice(id, currency, minor);
		}
	});

	it.each(UNITS.flatMap((unit) => FORMS.map((form) => [unit, form] as const)))(
		'stays when it is read and written again, in %s units with decimals as %s',
		async (amountsAreIn, decimalAmounts) => {
			const { id } = await created(rows(major, currency));
			const productId = byId(id);
			const read = await run('get', { productId, options: { decimalAmounts } });
			for (const writeVariants of ['merge', 'replace']) {
				const updateFields = { variantsJson: '={{ $json.variants }}', writeVariants };
				await run('update', { productId, updateFields, options: { amountsAreIn } }, read);
				await expectPrice(id, currency, minor);
			}
			const variantsJson =
				'={{ $json.variants.map((one) => ({ ...one, sku: one.sku + $json.id })) }}';
			const copy = await created({ variantsJson }, { amountsAreIn }, read);
			await expectPrice(copy.id, currency, minor);
		},
	);

	it('is the decimal that is beside it, entered again', async () => {
		const { id } = await created(rows(major, currency));
		const productId = byId(id);
		const read = await run('get', { productId, options: { decimalAmounts: 'number' } });
		const amount = '={{ $json.variants[0].prices[0].decimal }}';
		const sku = String((read.variants as IDataObject[])[0].sku);
		await run('update', { productId, updateFields: rows(amount, currency, sku) }, read);
		await run('setPrices', { sku, amount, currency }, read);
		await expectPrice(id, currency, minor);
	});
});
