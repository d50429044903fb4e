import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const variants = (amount: unknown) => [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }];
const product = { resource: 'product' };
const upsert = { ...product, operation: 'upsert' };

/** Every way to enter an amount as the API has it: the parameters, and what comes in. */
const WAYS: Record<string, (amount: unknown) => [IDataObject, IDataObject?]> = {
	'Create or Update, JSON': (amount) => [
		{
			...upsert,
			specifyProduct: 'json',
			productJson: JSON.stringify({ sku: 'A', variants: variants(amount) }),
		},
	],
	'Create or Update, Input Item': (amount) => [
		{ ...upsert, specifyProduct: 'autoMapInputData' },
		{ sku: 'A', title: 'T', variants: variants(amount) },
	],
	'Import Catalog, JSON': (amount) => [
		{
			...product,
			operation: 'importCatalog',
			specifyProduct: 'json',
			productJson: JSON.stringify({ sku: 'A', variants: variants(amount) }),
		},
	],
	'Create, Variants (JSON)': (amount) => [
		{
			...product,
			operation: 'create',
			title: 'T',
			additionalFields: { variantsJson: JSON.stringify(variants(amount)) },
		},
	],
	'Set Prices, minor units': (amount) => [
		{
			...product,
			operation: 'setPrices',
			sku: 'A',
			amountsAreIn: 'minor',
			amount: '={{ $json.amount }}',
			currency: 'EUR',
		},
		{ amount: amount as string },
	],
	'an order’s other fields': (amount) => [
		{
			resource: 'order',
			operation: 'update',
			orderId: byId('ord_1'),
			updateFields: { otherFieldsJson: JSON.stringify({ fee: { amount, currency: 'EUR' } }) },
		},
	],
};

const AMBIGUOUS = [19.99, '19.99', '20.00', '20,00', '1.000', '1e3', null, true, '', 'masked'];

it.each(
	Object.entries(WAYS).flatMap(([way, given]) =>
		AMBIGUOUS.map((amount) => [way, amount, given(amount)] as const),
	),
)('%s refuses the amount %j before anything is sent', async (_way, _amount, [parameters, item]) => {
	let requests = 0;
	for (const method of ['GET', 'POST', 'PATCH'])
		nock(BASE_URL)
			.intercept(/.*/, method)
			.reply(() => {
				requests++;
				return [200, { data: [] }];
			});
	const { error } = await runNode({ parameters, items: [item ?? {}] });
	expect(error?.message).toMatch(/amount/i);
	expect(requests).toBe(0);
});
