import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { SPREADSHEET_EXAMPLE } from '../../../support/n8n/examples';
import {
	importExample,
	runExample,
	runImported,
	withParameters,
} from '../../../support/n8n/exampleRun';

/** Puts rows in the place of an example's sample. */
const withRows = (rows: IDataObject[]) =>
	withParameters(({ name }) => name.startsWith('Sample'), { jsonOutput: JSON.stringify({ rows }) });

export function examplesWithLists(shop: TestEnvironment): void {
	before(async () => await shop.platform.control.reset({ products: 20, orders: 0, customers: 5 }));

	it('ship the lines that a file names, a parcel per tracking number, and wait for rows without one', async () => {
		const { control } = shop.platform;
		const { order } = await control.payOrder();
		const whole = (await control.record('orders', String(order.id)))!;
		const [line] = whole.line_items as IDataObject[];
		const row = { order: order.number, sku: line.sku, pieces: '1', carrier: 'dhl' } as IDataObject;
		const rows = [
			{ ...row, tracking: ' ' },
			{ ...row, tracking: 'PARCEL-1' },
			{ ...row, sku: 'NOBODY', tracking: 'PARCEL-2' },
		];
		const { outputs } = await runExample(shop, 'tracking-numbers-from-list.json', withRows(rows));
		const sent = (await control.requests()).filter(({ target }) =>
			target.endsWith('/fulfillments'),
		);
		assert.deepEqual(
			sent.map(({ body }) => JSON.parse(body ?? '{}') as unknown),
			[
				{
					...{ tracking_number: 'PARCEL-1', carrier: 'dhl' },
					items: [{ line_item_id: line.line_item_id, quantity: 1 }],
				},
			],
		);
		const [[shipped]] = outputs('Shipped');
		assert.equal(shipped.tracking, 'PARCEL-1');
		const [[wrong]] = outputs('Wrong Row');
		assert.deepEqual([wrong.row, String(wrong.reason).includes('NOBODY')], [4, true]);
	});

	for (const batch of [true, false])
		it(`bring the catalog back from a spreadsheet, and write the changed cell alone; batches: ${batch}`, async () => {
			const { control } = shop.platform;
			await control.configure({ inDevelopment: { batch } });
			const [rows] = (await runExample(shop, 'product-export-variants.json')).outputs(
				'Get All Variants',
			);
			const file = 'catalogue-back-from-spreadsheet.json';
			await control.resetCounters();
			assert.deepEqual((await runExample(shop, file, withRows(rows))).outputs('Changed')[0], []);
			const { byRoute } = await control.counters();
			assert.ok(byRoute.every(({ method }) => method === 'GET'));
			const row = rows.find(({ currency }) => currency === 'EUR')!;
			const before = (await control.record('products', String(row.product_id)))!;
			const price = Number(row.price) + 1;
			const edited = rows.map((each) => (each === row ? { ...each, price } : each));
			const { outputs } = await runExample(
				shop,
				file,
				withRows([...edited, { ...row, sku: '8.72E+12' }]),
			);
			assert.match(String(outputs('Wrong Row')[0].at(-1)?.reason), /8\.72E\+12/);
			await runExample(shop, file, withRows(edited));
			const after = (await control.record('products', String(row.product_id)))!;
			const variants = (before.variants as IDataObject[]).map((variant) =>
				variant.sku !== row.sku
					? variant
					: {
							...variant,
							prices: (variant.prices as IDataObject[]).map((each) =>
								each.currency === 'EUR' ? { ...each, amount: Math.round(price * 100) } : each,
							),
						},
			);
			assert.deepEqual(after, { ...before, updated_at: after.updated_at, variants });
		});

	it('keep the prices from before a sale, also from before a second one, and set them back once', async () => {
		const { control } = shop.platform;
		const [product] = (await control.list({ kind: 'products' })).records;
		const id = String(product.id);
		const before = (await control.record('products', id))!;
		const [variant] = before.variants as Array<{ sku: string; prices: IDataObject[] }>;
		const [{ currency }] = variant.prices;
		const priceNow = async () => {
			const { variants } = (await control.record('products', id))!;
			return (variants as Array<typeof variant>)[0].prices[0].amount;
		};
		const sale = async (price: string) => {
			const row = { sku: variant.sku, price, currency };
			const rows = [row, { ...row, sku: 'NOBODY' }] as IDataObject[];
			const workflow = await importExample(shop, 'sale-and-back.json', withRows(rows));
			const { outputs } = await runImported(shop, workflow);
			assert.match(String(outputs('Wrong Row')[0][0].reason), /NOBODY/);
			return workflow;
		};
		await sale('7');
		const workflow = await sale('5');
		assert.equal(await priceNow(), currency === 'JPY' ? 5 : 500);
		const back = await runImported(shop, workflow, { trigger: 'Sale Ends' });
		assert.deepEqual([back.outputs('Forget')[0].length, back.outputs('Not Set Back')], [1, []]);
		const after = (await control.record('products', id))!;
		assert.deepEqual(after, { ...before, updated_at: after.updated_at });
		const again = await runImported(shop, workflow, { trigger: 'Sale Ends' });
		assert.equal(again.runs('Set Old Prices'), 0);
	});

	it('set no sale price where the price before it cannot be read, and report the row', async () => {
		const { control } = shop.platform;
		const [product] = (await control.list({ kind: 'products' })).records;
		const id = String(product.id);
		const before = (await control.record('products', id))!;
		const [{ sku, prices }] = before.variants as Array<{ sku: string; prices: IDataObject[] }>;
		const rows = [{ sku, price: '7', currency: prices[0].currency }];
		const trialOnce = withParameters(({ name }) => name === 'Look at Prices', {
			requestOptions: { maxRetryWait: 0 },
		});
		await control.setFaults([
			{ method: 'GET', path: '/products', fault: 'status', status: 503, times: 1 },
		]);
		const { outputs, runs } = await runExample(shop, 'sale-and-back.json', (workflow) =>
			trialOnce(withRows(rows)(workflow)),
		);
		await control.setFaults([]);
		assert.deepEqual(await control.record('products', id), before);
		assert.equal(runs('Set Sale Prices'), 0);
		const [[wrong]] = outputs('Wrong Row');
		assert.equal(wrong.sku, JSON.stringify(sku));
		assert.match(String(wrong.reason), /HTTP 503/);
	});

	it('update the customers who are there, and create the others once', async () => {
		const { control } = shop.platform;
		const [known] = (await control.list({ kind: 'customers' })).records;
		const email = 'new.person@customer.example';
		const rows = [
			{ email: known.email, first_name: '', phone: '+49 30 7654321' },
			{ email, first_name: 'Robin', phone: '' },
			{ email: ` ${email.toUpperCase()}`, first_name: 'Robin', phone: '' },
		] as IDataObject[];
		const file = 'customers-update-or-create.json';
		for (const created of [1, 0]) {
			const { outputs } = await runExample(shop, file, withRows(rows));
			assert.equal((outputs('Create Customer')[0] ?? []).length, created);
			assert.deepEqual(outputs('Wrong Row'), []);
		}
		const after = await control.record('customers', String(known.id));
		assert.deepEqual([after?.phone, after?.first_name], ['+49 30 7654321', known.first_name]);
		const { records } = await control.list({ kind: 'customers', q: email });
		assert.deepEqual(
			records.map(({ first_name: name }) => name),
			['Robin'],
		);
	});

	it('create a customer of whom only the address is known, change nothing by blank cells, and report rows without an address', async () => {
		const { control } = shop.platform;
		const [known] = (await control.list({ kind: 'customers' })).records;
		const before = await control.record('customers', String(known.id));
		const blank = { first_name: '', phone: ' ' };
		const email = 'only.address@customer.example';
		const rows = [
			{ ...blank, email: known.email },
			{ ...blank, email },
			{ first_name: 'A', phone: '1', email: '' },
			{ first_name: 'B', phone: '2', email: ' ' },
			{ first_name: 'C', phone: '3' },
			{ first_name: 'D', phone: '4', email: 5 },
			{ first_name: 'E', phone: '5', email: 5 },
		] as IDataObject[];
		const { all } = await runExample(shop, 'customers-update-or-create.json', withRows(rows));
		assert.deepEqual(await control.record('customers', String(known.id)), before);
		const { records } = await control.list({ kind: 'customers', q: email });
		assert.deepEqual(
			records.map((customer) => customer.email),
			[email],
		);
		assert.deepEqual(
			all('Wrong Row').map(({ row, reason }) => [row, reason]),
			[4, 5, 6, 7, 8].map((row) => [row, 'It has no e-mail address']),
		);
	});

	it('create and update customers by the fields that are sent, whatever else is in their rows', async () => {
		const { control } = shop.platform;
		const [known] = (await control.list({ kind: 'customers' })).records;
		const before = await control.record('customers', String(known.id));
		const email = 'other.column@customer.example';
		const row = { first_name: '', phone: '', newsletter: 'yes' };
		const rows = [
			{ ...row, email: known.email },
			{ ...row, email },
		] as IDataObject[];
		const { outputs } = await runExample(shop, 'customers-update-or-create.json', withRows(rows));
		assert.deepEqual(outputs('Wrong Row'), []);
		assert.equal(outputs('Create Customer')[0].length, 1);
		assert.deepEqual(await control.record('customers', String(known.id)), before);
	});

	it('list the prices that a sheet changed, not those that are so already or that a later row names', async () => {
		const { control } = shop.platform;
		const [{ variants }] = (await control.list({ kind: 'products' })).records;
		const [{ sku, prices }] = variants as Array<{ sku: string; prices: IDataObject[] }>;
		const row = { sku, currency: prices[0].currency };
		const rows = [
			{ ...row, price: '61' },
			{ ...row, price: '62' },
		] as IDataObject[];
		const file = 'price-change-from-sheet.json';
		const first = await runExample(shop, file, withRows(rows));
		assert.deepEqual(
			first.all('Changed').map((changed) => [changed.sku, changed.price]),
			[[sku, 62]],
		);
		const again = await runExample(shop, file, withRows(rows.slice(1)));
		assert.deepEqual(again.all('Changed'), []);
	});

	it('write one report of rows that are wrong in themselves and of products that the platform refuses', async () => {
		const row = { title: 'Sheet', price: '6', currency: 'EUR', stock: '2' };
		const rows = [
			{ ...row, sku: '' },
			{ ...row, sku: 'NO-TITLE', title: '' },
			{ ...row, sku: 'ALL-RIGHT' },
			{ ...row, sku: 'NO-PRICE', price: 'dear' },
			{ ...row, sku: 'NO-COUNT', stock: 'a few' },
			{},
		] as IDataObject[];
		const { outputs, runs } = await runExample(shop, SPREADSHEET_EXAMPLE, withRows(rows));
		const [[report]] = outputs('Report');
		assert.deepEqual([runs('Report'), report.wrongRows, report.blankRows], [1, 4, 1]);
		const lines = String(report.text).split('\n');
		assert.match(lines[0], /^Row 2, SKU "", title "Sheet": /);
		assert.match(lines[1], /^Row 3, SKU "NO-TITLE", title "": /);
		assert.match(lines[2], /^Row 5, SKU "NO-PRICE", price "dear", /);
		assert.match(lines[3], /^Row 6, SKU "NO-COUNT", stock "a few": /);
	});

	it('change no price and no stock by a blank cell', async () => {
		const skus = ['BLANK-1', 'BLANK-2'];
		await apiClient(shop.platform).data('/products', {
			method: 'POST',
			body: { title: 'Blank cells', variants: skus.map((sku) => ({ sku, title: sku })) },
		});
		const rows = [
			{ sku: skus[0], title: '', price: ' ', currency: '', stock: '7' },
			{ sku: skus[1], title: '', price: '33', currency: 'EUR', stock: '' },
			{},
		] as IDataObject[];
		const { all } = await runExample(shop, SPREADSHEET_EXAMPLE, withRows(rows));
		assert.deepEqual(
			all('Set Stock').map(({ sku, quantity }) => [sku, quantity]),
			[[skus[0], 7]],
		);
		assert.deepEqual(
			all('Set Prices').map(({ sku, price }) => [sku, price]),
			[[skus[1], 33]],
		);
		assert.deepEqual(
			all('Report').map(({ text }) => text),
			['Blank rows that were skipped: 1'],
		);
	});

	it('name the time of a count in the report of stock, if the row has one', async () => {
		const row = { sku: 'COUNTED', location: 'sloc_main', quantity: '5' };
		const rows = [{ ...row, counted_at: 'last week' }] as IDataObject[];
		const { outputs } = await runExample(shop, 'stock-from-list.json', withRows(rows));
		const [[report]] = outputs('Report');
		assert.match(
			String(report.text),
			/^Row 2, SKU "COUNTED", quantity "5", counted_at "last week": 'Updated At' is not a date/,
		);
	});

	it('set the stock of each warehouse that has a column, and leave blank cells alone', async () => {
		await apiClient(shop.platform).data('/products', {
			method: 'POST',
			body: { title: 'Counted', variants: [{ sku: 'COLUMN-1' }, { sku: 'COLUMN-2' }] },
		});
		const rows = [
			{ sku: 'COLUMN-1', Warehouse: '12', Outlet: '3' },
			{ sku: 'COLUMN-2', Warehouse: 'a few', Outlet: ' ' },
		];
		const { outputs } = await runExample(shop, 'stock-in-columns.json', withRows(rows));
		assert.deepEqual(
			outputs('Set Stock')[0].map(({ sku, location_id: at, quantity }) => [sku, at, quantity]),
			[
				['COLUMN-1', 'sloc_main', 12],
				['COLUMN-1', 'sloc_outlet', 3],
			],
		);
		const [[wrong]] = outputs('Wrong Row');
		assert.deepEqual([wrong.row, wrong.value], [3, 'sloc_main: "a few"']);
	});
}
