import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { stubApi } from '../../support/engine/stubApi';
import { byId } from '../../support/parameters';

const ORDER = { orderId: byId('ord_1') };
const variants = (amount: unknown) => [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }];
const product = (amount: unknown) => JSON.stringify({ sku: 'A', variants: variants(amount) });
const fee = (amount: unknown) => JSON.stringify({ fee: { amount, currency: 'EUR' } });

/** Every way to enter an amount as the API has it: the operation, its parameters, and what comes in. */
const WAYS: Array<
	[string, string, (amount: unknown) => IDataObject, ((amount: unknown) => object)?]
> = [
	[
		'JSON',
		'product.upsert',
		(amount) => ({ specifyProduct: 'json', productJson: product(amount) }),
	],
	[
		'Input Item',
		'product.upsert',
		() => ({ specifyProduct: 'autoMapInputData' }),
		(amount) => ({ sku: 'A', title: 'T', variants: variants(amount) }),
	],
	[
		'JSON',
		'product.importCatalog',
		(amount) => ({ specifyProduct: 'json', productJson: product(amount) }),
	],
	[
		'Variants (JSON)',
		'product.create',
		(amount) => ({
			title: 'T',
			additionalFields: { variantsJson: JSON.stringify(variants(amount)) },
		}),
	],
	[
		'minor units',
		'product.setPrices',
		() => ({ sku: 'A', amountsAreIn: 'minor', amount: '={{ $json.amount }}', currency: 'EUR' }),
		(amount) => ({ amount }),
	],
	[
		'other fields',
		'order.update',
		(amount) => ({ ...ORDER, updateFields: { otherFieldsJson: fee(amount) } }),
	],
];

const AMBIGUOUS = [19.99, '19.99', '20.00', '20,00', '1.000', '1e3', null, true, '', 'masked'];

describe.each(WAYS)('%s of %s', (_way, operation, parameters, item) => {
	it.each(AMBIGUOUS)('with the amount %j is refused before anything is sent', async (amount) => {
		const sent = stubApi({ '*': [[200, { data: [] }]] });
		const items = [(item?.(amount) ?? {}) as IDataObject];
		const { error } = await runOperation(operation, parameters(amount), { items });
		expect(error?.message).toMatch(/amount/i);
		expect(sent).toEqual([]);
	});
});
