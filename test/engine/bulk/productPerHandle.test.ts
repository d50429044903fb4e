import type { IDataObject } from 'n8n-workflow';

import {
	BASE_URL,
	type NodeRun,
	runOperation,
	type StubAnswer,
	stubApi,
} from '../../support/engine';

const PER_HANDLE = { specifyProduct: 'autoMapInputData', productPer: 'handle' };
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Rows as shops export products: one for each variant, the product's own fields in the first. */
const ROWS: IDataObject[] = [
	{
		Handle: 'shirt',
		Title: 'Shirt',
		'Variant SKU': 'S-M',
		'Variant Price': '19.99',
		Currency: 'EUR',
	},
	{ Handle: 'mug', Title: 'Mug', 'Variant SKU': 'MUG', 'Variant Price': '8', Currency: 'EUR' },
	{ Handle: 'shirt', Title: '', 'Variant SKU': 'S-L', 'Variant Price': '21.00', Currency: 'EUR' },
	{ Handle: 'shirt', Title: '', 'Variant SKU': '' },
];
const price = (amount: number) => [{ amount, currency: 'EUR' }];
const SHIRT = {
	...{ sku: 'S-M', handle: 'shirt', title: 'Shirt' },
	variants: [
		{ sku: 'S-M', prices: price(1999) },
		{ sku: 'S-L', prices: price(2100) },
	],
};
const MUG = {
	sku: 'MUG',
	handle: 'mug',
	title: 'Mug',
	variants: [{ sku: 'MUG', prices: price(800) }],
};
const op = (product: IDataObject) => ({ op: 'upsert', ...product });

/** A platform with batches and imports, and without products. */
const serve = () =>
	stubApi({
		'POST /products/batch': ({ body }) => [
			200,
			{
				data: (body as { operations: IDataObject[] }).operations.map(({ sku }) => ({
					...{ sku, status: 'created' },
				})),
			},
		],
		'POST /jobs/catalog-import': [[202, { data: { id: 'job_1', status: 'done' } }]],
		'GET *': [[200, { data: [] }]],
		'POST /products': ({ body }) => [201, { data: { id: 'prod_1', ...(body as IDataObject) } }],
	});

const run = async (operation: string, more: Partial<NodeRun> = {}, parameters: IDataObject = {}) =>
	await runOperation(operation, { ...PER_HANDLE, ...parameters }, { items: ROWS, ...more });
const pairs = (items: Array<{ pairedItem?: unknown }>) => items.map(({ pairedItem }) => pairedItem);

it.each(['product.upsert', 'product.importCatalog'])(
	'rows with one handle are sent as one product, wherever they stand: %s',
	async (operation) => {
		const sent = serve();
		const { error } = await run(operation);
		expect(error).toBeUndefined();
		expect(sent.at(-1)?.body).toEqual({ operations: [op(SHIRT), op(MUG)] });
	},
);

it('each result is linked to all rows of its product', async () => {
	serve();
	const { items, json } = await run('product.upsert');
	expect(json.map(({ sku, result }) => [sku, result])).toEqual([
		['S-M', 'created'],
		['MUG', 'created'],
	]);
	expect(pairs(items)).toEqual([[{ item: 0 }, { item: 2 }, { item: 3 }], { item: 1 }]);
});

it('they are created one by one in the same way if the platform takes no batches', async () => {
	const gone: StubAnswer = [404, {}];
	const sent = stubApi({
		'POST /products/batch': [gone],
		'GET *': [[200, { data: [] }]],
		'POST /products': ({ body }) => [201, { data: { id: 'prod_1', ...(body as IDataObject) } }],
	});
	// Another API key, since the node remembers what it created with the first one.
	const credentials = { baseUrl: BASE_URL, apiKey: 'key_of_another_shop' };
	const { error } = await run('product.upsert', { credentials });
	expect(error).toBeUndefined();
	const created = sent.filter(({ route }) => route === 'POST /products').map(({ body }) => body);
	const withoutSku = ({ sku: _sku, ...product }: IDataObject) => product;
	expect(created).toEqual([withoutSku(SHIRT), withoutSku(MUG)]);
});

it('a dry run shows the rows as products', async () => {
	serve();
	const { json } = await run('product.upsert', {}, { options: { dryRun: true } });
	expect(json.map(({ sku }) => sku)).toEqual(['S-M', 'MUG']);
});

it.each<[string, IDataObject, string]>([
	[
		'that cannot be read',
		{ 'Variant Price': 'dear' },
		'Row 3 of the product “shirt” cannot be used',
	],
	[
		'that says another status',
		{ Status: 'draft' },
		'Row 3 has another “status” of the product than row 1',
	],
])('a row %s keeps its product back, and no other', async (_what, change, told) => {
	const sent = serve();
	const items = ROWS.map((row, index) => ({
		...row,
		...(index === 0 && { Status: 'published' }),
		...(index === 2 && change),
	}));
	const { failures } = await run('product.upsert', { items, ...CONTINUE });
	expect(sent.at(-1)?.body).toEqual({ operations: [op(MUG)] });
	expect(failures).toHaveLength(4);
	expect(failures[0]?.message).toContain(told);
	expect(failures[1]).toBeUndefined();
	expect(failures.map((failure) => failure?.row)).toEqual([1, undefined, 3, 4]);
});

it('a text in the column prices is refused, and nothing of it is sent', async () => {
	const sent = serve();
	const row = { handle: 'h', sku: 'A', prices: '[{"amount":1,"currency":"EUR"}]' };
	const { failures } = await run('product.upsert', { items: [row, row], ...CONTINUE });
	expect(sent).toEqual([]);
	expect(failures[0]?.message).toBe("'Input Item: prices' is not a list of prices");
});

it('a SKU in two products is reported with its rows', async () => {
	serve();
	const items = [
		{ handle: 'm', sku: 'M' },
		{ handle: 'm', sku: 'X' },
		{ handle: 'n', sku: 'N' },
		{ handle: 'n', sku: 'X' },
	];
	const { hint } = await run('product.upsert', { items });
	expect(hint).toContain('Several rows are about one record: rows 1 and 3.');
});

it('products with different handles and one first SKU are refused, and none is taken for the other', async () => {
	const sent = serve();
	const items = [
		{ handle: 'vest', title: 'Vest', sku: '1' },
		{ handle: 'cap', title: 'Cap', sku: '1' },
		{ handle: 'mug', title: 'Mug', sku: '2' },
	];
	const { failures } = await run('product.upsert', { items, ...CONTINUE });
	const told = 'Row 2 has another “handle” of the product than row 1';
	expect(failures.map((failure) => failure?.message)).toEqual([told, told, undefined]);
	expect(sent.at(-1)?.body).toMatchObject({ operations: [{ handle: 'mug' }] });
});

it('a row without a handle is refused by itself', async () => {
	const sent = serve();
	const items = [...ROWS, { Handle: ' ', 'Variant SKU': 'X' }];
	const { failures } = await run('product.upsert', { items, ...CONTINUE });
	expect(failures.at(-1)?.message).toBe("'Input Item: handle' is empty");
	expect(sent.at(-1)?.body).toEqual({ operations: [op(SHIRT), op(MUG)] });
});

it('a row that names no parent belongs to the product with its handle', async () => {
	const sent = serve();
	const row = { Handle: 'cap', Currency: 'EUR' };
	const { failures } = await run('product.upsert', {
		items: [
			{ ...row, Parent: '', 'Regular price': '3', Title: 'Cap', 'Option1 Value': 'S' },
			{ ...row, Parent: 'cap', 'Regular price': '4', SKU: 'C-M', 'Option1 Value': 'M' },
		],
		...CONTINUE,
	});
	expect(failures.filter(Boolean)).toEqual([]);
	expect(sent.at(-1)?.body).toMatchObject({
		operations: [
			{
				...{ sku: 'C-M', handle: 'cap', title: 'Cap' },
				variants: [
					{ title: 'S', prices: price(300) },
					{ sku: 'C-M', title: 'M', prices: price(400) },
				],
			},
		],
	});
});

it('a product that is done is not sent again when n8n runs the node again', async () => {
	let batches = 0;
	const sent = stubApi({
		'GET *': [[200, { data: [] }]],
		'POST *': ({ body }) => {
			const failed = { status: 'failed', error: { message: 'No' } };
			const isFirst = batches++ === 0;
			return [
				207,
				{
					data: (body as { operations: IDataObject[] }).operations.map(({ sku }) => ({
						...{ sku, ...(isFirst && sku === 'MUG' ? failed : { status: 'created' }) },
					})),
				},
			];
		},
	});
	const { items, error } = await run('product.upsert', { retryOnFail: { maxTries: 2 } });
	expect(error).toBeUndefined();
	const batchesSent = sent.filter(({ route }) => route.startsWith('POST'));
	const lengths = batchesSent.map(({ body }) => (body as { operations: unknown[] }).operations);
	expect(lengths.map(({ length }) => length)).toEqual([2, 1]);
	expect(pairs(items)).toEqual([[{ item: 0 }, { item: 2 }, { item: 3 }], { item: 1 }]);
});

it('products with one handle are reported if each row is its own product', async () => {
	serve();
	const items = ['A', 'B', 'C'].map((sku, n) => ({ sku, handle: n === 1 ? 'other' : 'shirt' }));
	const { hint } = await run('product.upsert', { items }, { productPer: 'sku' });
	expect(hint).toContain('Several rows have one handle: rows 1 and 3.');
});
