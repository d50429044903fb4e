import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { byMode, runOperation, type StubAnswer, stubApi } from '../../support/engine';

const INPUT_ITEM = { specifyProduct: 'autoMapInputData' };
const CONTINUE = { onError: 'continueRegularOutput' as const };

/** A platform that accepts all batches, jobs and levels. @returns the operations that arrive */
function serve() {
	const operations: IDataObject[] = [];
	const sent = stubApi({
		'GET *': [[200, { data: [] }]],
		'POST *': ({ body }) => {
			const arrived = (body as { operations: IDataObject[] }).operations;
			operations.push(...arrived);
			return [200, { data: arrived.map(({ sku }) => ({ sku, status: 'updated' })) }];
		},
		'PUT *': ({ body }): StubAnswer => {
			operations.push(body as IDataObject);
			return [200, { data: body }];
		},
	});
	return { operations, sent };
}

const upsert = async (items: IDataObject[], more = {}) =>
	await runOperation('product.upsert', INPUT_ITEM, { items, ...CONTINUE, ...more });

describe('names of columns', () => {
	it('are accepted with capitals, surrounding blanks and a byte order mark', async () => {
		const { operations } = serve();
		const { failures, hint } = await upsert([
			{ '\ufeffsku': 'A', 'Title ': 'Oak', Description: 'Solid', Vendor: 'Acme' },
			{ SKU: 'B', title: 'Ash' },
		]);
		expect(failures).toEqual([undefined, undefined]);
		expect(hint).toContain('Columns that were not sent: “Vendor”.');
		expect(operations).toEqual([
			{ op: 'upsert', sku: 'A', title: 'Oak', description: 'Solid' },
			{ op: 'upsert', sku: 'B', title: 'Ash' },
		]);
	});

	it.each(['sku', 'handle'])(
		'refuse a whole product, and say how to get rows: per %s',
		async (per) => {
			const { sent } = serve();
			const variants = [{ sku: 'A', prices: [{ amount: 1, currency: 'EUR' }] }];
			const items = [{ id: 'prod_1', title: 'Oak', handle: 'oak', variants }];
			const parameters = { ...INPUT_ITEM, productPer: per };
			const { failures } = await runOperation('product.upsert', parameters, { items, ...CONTINUE });
			expect(failures[0]?.description).toContain("'Output' set to Variants");
			expect(sent).toEqual([]);
		},
	);

	it('that are taken for a price are named where the currency is missing', async () => {
		serve();
		const { failures } = await upsert([{ sku: 'A', title: 'Oak', Amount: 12 }]);
		expect(failures[0]?.description).toContain("a price, in the column 'amount'");
	});

	it('do not count a row’s number in its sheet among all that are to be sent', async () => {
		const { operations } = serve();
		const rows = ['A', 'B'].map((sku, n) => ({
			...{ row_number: n + 2, Handle: 'shelf', SKU: sku, Vendor: 'Acme' },
		}));
		for (const productPer of ['sku', 'handle']) {
			const parameters = { ...INPUT_ITEM, productPer, options: { columnsToSend: 'all' } };
			const more = { items: rows, ...CONTINUE };
			const { failures } = await runOperation('product.upsert', parameters, more);
			expect(failures.filter(Boolean)).toEqual([]);
		}
		expect(operations).toHaveLength(3);
		for (const operation of operations) {
			expect(operation).toMatchObject({ handle: 'shelf', Vendor: 'Acme' });
			expect(operation).not.toHaveProperty('row_number');
		}
	});

	it('are refused if two are then the same, since it is unknown which one is meant', async () => {
		const { sent } = serve();
		const { failures } = await upsert([{ sku: 'A', SKU: 'B' }]);
		expect(failures[0]?.message).toBe('\'Input Item\' has two columns “sku”: "sku" and "SKU"');
		expect(sent).toEqual([]);
	});

	it.each([
		['\ufeffsku', 'Column “\ufeffsku” begins with an invisible mark'],
		['SKU', 'this row has “SKU”'],
		['sku ', 'this row has “sku ”'],
	])('are listed if an expression finds nothing: %j', async (column, told) => {
		serve();
		const parameters = { sku: '={{ $json.sku }}', title: 'T' };
		const { failures } = await runOperation('product.upsert', parameters, {
			items: [{ [column]: 'A' }],
			...CONTINUE,
		});
		expect(failures[0]?.message).toBe("'SKU' is empty");
		expect(failures[0]?.description).toContain(told);
	});
});

describe('the marks that spreadsheets and exports put around a name', () => {
	const RECORDS = {
		'GET /orders': [{ id: 'rec_1', number: '1041' }],
		'GET /products': [{ id: 'rec_1', handle: '2-mugs', variants: [{ sku: '0042' }] }],
		'GET /customers': [{ id: 'rec_1', email: '+49@mail.example' }],
		'GET /webhooks': [{ id: 'rec_1', url: 'https://erp.example/x' }],
	};
	const LOOK_UPS: Array<[operation: string, locator: string, mode: string, name: string]> = [
		['order.get', 'orderId', 'number', '1041'],
		['product.get', 'productId', 'sku', '0042'],
		['product.get', 'productId', 'handle', '2-mugs'],
		['customer.get', 'customerId', 'email', '+49@mail.example'],
	];

	it.each([
		...LOOK_UPS.flatMap(([operation, locator, mode, name]) =>
			[`'${name}`, `="${name}"`, `\ufeff${name}\u00a0`].map(
				(written) => [operation, locator, mode, written] as const,
			),
		),
		['webhook.get', 'webhookId', 'url', '="https://erp.example/x"'] as const,
	])('are no part of it where it is looked up: %s, %s by %s %j', async (...lookUp) => {
		const [operation, locator, mode, written] = lookUp;
		const lists = Object.entries(RECORDS).map(([route, data]): [string, StubAnswer[]] => [
			route,
			[[200, { data, pagination: { has_more: false } }]],
		]);
		stubApi({ ...Object.fromEntries(lists), 'GET *': [[200, { data: { id: 'rec_1' } }]] });
		const parameters = { [locator]: byMode(mode, '={{ $json.name }}') };
		const { json, error } = await runOperation(operation, parameters, {
			items: [{ name: written }],
		});
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ id: 'rec_1' }]);
	});
});

describe('the error text of a broken spreadsheet cell', () => {
	const BROKEN = [
		'8.72E+12',
		'8,72E+12',
		'#REF!',
		'#N/A',
		'#VALUE!',
		'#NAME?',
		'#DIV/0!',
		'A\ufffd',
	];

	it.each(BROKEN)('%j is refused as a name, by its field, and the others go out', async (cell) => {
		const { operations } = serve();
		const { failures } = await upsert([
			{ sku: 'A' },
			{ sku: cell },
			{ sku: 'C', handle: cell },
			{ sku: 'D', variants: [{ sku: cell }] },
		]);
		expect(operations.map(({ sku }) => sku)).toEqual(['A']);
		expect(failures.map((failure) => failure?.row)).toEqual([undefined, 2, 3, 4]);
		expect(failures.map((failure) => failure?.message.split(':')[0])).toEqual([
			undefined,
			`'sku' is ${JSON.stringify(cell)}`,
			`'handle' is ${JSON.stringify(cell)}`,
			`'variants[0].sku' is ${JSON.stringify(cell)}`,
		]);
	});

	it('is refused as the handle or e-mail by which a record is looked up', async () => {
		const sent = stubApi({ '*': [[200, { data: [] }]] });
		for (const [operation, name, mode] of [
			['product.get', 'productId', 'handle'],
			['customer.get', 'customerId', 'email'],
		]) {
			const { error } = await runOperation(operation, { [name]: byMode(mode, '#REF!') });
			expect(error?.message).toContain('is "#REF!"');
		}
		expect(sent).toEqual([]);
	});

	it('is sent within a text', async () => {
		const { operations } = serve();
		const rows = [
			{ sku: 'A', title: '#N/A', description: 'Ma\ufffd' },
			{ sku: 'B', title: '#1 of all' },
		];
		await upsert(rows);
		expect(operations).toMatchObject(rows);
	});

	it('is named if an amount, a quantity or a date is needed', async () => {
		const { sent } = serve();
		const level = { sku: 'A', locationId: 'sloc_1' };
		const cells: Array<[string, IDataObject, string]> = [
			['product.setPrices', { sku: 'A', amount: '#REF!', currency: 'EUR' }, 'It is "#REF!"'],
			['inventory.set', { ...level, quantity: '8.72E+12' }, 'It is "8.72E+12"'],
			[
				'inventory.set',
				{ ...level, quantity: 1, options: { updatedAt: '45231' } },
				'It is 45231, as spreadsheets count days',
			],
		];
		for (const [operation, parameters, told] of cells) {
			const { error } = await runOperation(operation, parameters);
			expect(error?.description).toContain(told);
		}
		expect(sent).toEqual([]);
	});

	it('does not occur in an ordinary name or text', async () => {
		const words = fc.stringMatching(/^[\p{L}\d][\p{L}\d ._/#-]{0,30}$/u);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(words, { minLength: 1, maxLength: 5 }), async (names) => {
				const { operations } = serve();
				const skus = names.map((name, n) => `${n}-${name}`);
				await upsert(skus.map((sku) => ({ sku, title: sku })));
				expect(operations.map(({ sku }) => sku)).toEqual(skus.map((sku) => sku.trim()));
			}),
			{ numRuns: 20 },
		);
	});
});

describe('rows of one SKU', () => {
	it.each<[string, IDataObject]>([
		['product.upsert', { sku: '={{ $json.sku }}', title: '={{ $json.title }}' }],
		['product.importCatalog', { sku: '={{ $json.sku }}', title: '={{ $json.title }}' }],
		['inventory.set', { sku: '={{ $json.sku }}', locationId: 'sloc_1', quantity: 1 }],
	])('are told by their rows, and which of them counts: %s', async (operation, parameters) => {
		serve();
		const items = ['A', 'B', 'A', 'C', 'A'].map((sku, n) => ({ sku, title: `T${n}` }));
		const { hint } = await runOperation(operation, parameters, { items });
		expect(hint).toContain('about one record: rows 1, 3 and 5. Where they differ, the last of');
	});

	it('that differ say so in their items, and the later one counts', async () => {
		const { operations } = serve();
		const { json } = await upsert([
			{ sku: 'A', title: 'Old' },
			{ sku: ' A ', title: 'New', row_number: 9 },
			{ sku: 'B', title: 'Same' },
			{ sku: 'B', title: 'Same' },
		]);
		expect(operations.map(({ title }) => title)).toEqual(['New', 'Same']);
		expect(json.map(({ superseded, countingRow }) => [superseded, countingRow])).toEqual([
			[true, 9],
			...Array<undefined[]>(3).fill([undefined, undefined]),
		]);
	});

	it('that say the same or different things of it all count, such as prices in two currencies', async () => {
		const { operations } = serve();
		const { json } = await upsert([
			{ sku: 'A', title: 'Shirt', price: '10.00', currency: 'EUR' },
			{ sku: 'A', title: 'Shirt', price: '11.00', currency: 'USD' },
			{ sku: 'B', price: '5.00', currency: 'EUR' },
			{ sku: 'B', price: '6.00', currency: 'EUR' },
			{ sku: 'B', description: 'Linen' },
		]);
		expect(operations[0].variants).toMatchObject([
			{ prices: [{ currency: 'EUR' }, { currency: 'USD' }] },
		]);
		expect(json.map(({ countingRow }) => countingRow)).toEqual([
			...[undefined, undefined, 4],
			...[undefined, undefined],
		]);
	});
});

it.each(['autoMapInputData', 'json'])(
	'a text that the spreadsheet turned into a number is sent as a text: %s',
	async (specifyProduct) => {
		const { operations } = serve();
		const parameters = { specifyProduct, productJson: '={{ $json }}' };
		const row = { sku: 4711, title: 1984, handle: 2025, variants: [{ sku: 4711, title: 42 }] };
		await runOperation('product.upsert', parameters, { items: [row] });
		expect(operations).toEqual([
			{
				...{ op: 'upsert', sku: '4711', title: '1984', handle: '2025' },
				variants: [{ sku: '4711', title: '42' }],
			},
		]);
	},
);

it('writes every good row of ten thousand once, and names every bad one by its row', async () => {
	const { operations, sent } = serve();
	const FAULTS: IDataObject[] = [
		{ sku: '8.72E+12' },
		{ sku: '#REF!' },
		{ sku: '#NAME?' },
		{ sku: '#DIV/0!' },
		{ sku: '' },
		{ sku: 'A\ufffd' },
		{ sku: '#NULL!' },
		{ sku: 'GOOD-0', handle: '#N/A' },
		{ sku: '#NUM!' },
		{ sku: 'PRICE', prices: [{ amount: '#VALUE!', currency: 'EUR' }] },
	];
	const rows: IDataObject[] = Array.from({ length: 10_000 }, (_, n) =>
		n % 10 === 9 ? FAULTS[Math.floor(n / 10) % FAULTS.length] : { sku: `GOOD-${n}` },
	);
	const { failures } = await upsert(rows);
	const good = rows.filter(({ sku }) => /^GOOD-[1-9]/.test(String(sku)) || sku === 'GOOD-0');
	const isBad = rows.map((row) => FAULTS.includes(row));
	expect(failures.map((failure) => failure !== undefined)).toEqual(isBad);
	expect(failures.flatMap((failure) => failure?.row ?? [])).toEqual(
		isBad.flatMap((bad, n) => (bad ? n + 1 : [])),
	);
	const expected = good.filter((row) => !FAULTS.includes(row)).map(({ sku }) => sku);
	expect(operations.map(({ sku }) => sku)).toEqual(expected);
	const leastRequests = Math.ceil(expected.length / 100);
	expect(sent.length).toBeLessThanOrEqual(Math.ceil(1.02 * leastRequests));
});
