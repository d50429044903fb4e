import { globSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { DEFAULT_SIZE, Shop } from '../../../platform/shop/shop';
import { findBySku } from '../../../platform/shop/stock';
import type { WorkflowFile } from '../../support/n8n/types';
import { REPOSITORY, textOf } from '../../support/repository';

const ACTION_NODE = /^n8n-nodes-commerce-platform\.commercePlatform(Tool)?$/;

const files = readdirSync(join(REPOSITORY, 'examples')).filter((file) => file.endsWith('.json'));
const tests = globSync('test/**/*.ts', {
	cwd: REPOSITORY,
	exclude: (path) => path === 'node_modules',
})
	.filter((path) => basename(path) !== basename(__filename))
	.map(textOf)
	.join('\n');

describe.each(files)('the example %s', (file) => {
	const { nodes, connections } = JSON.parse(textOf(`examples/${file}`)) as WorkflowFile;
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

	it('explains itself on the canvas, and says what is left to do', () => {
		expect(String(notes[0]?.parameters.content)).toMatch(/^## .+[\s\S]+\*\*To do:\*\* /);
	});

	it('has nodes of the version that there is', () => {
		const versions = nodes
			.filter(({ type }) => ACTION_NODE.test(type))
			.map(({ typeVersion }) => typeVersion);
		expect(new Set(versions)).toEqual(new Set(versions.length === 0 ? [] : [1]));
	});

	it('loses no failed item', () => {
		const unconnected = nodes
			.filter(({ onError }) => onError === 'continueErrorOutput')
			.filter(({ name }) => (connections[name]?.main?.[1] ?? []).length === 0)
			.map(({ name }) => name);
		expect(unconnected).toEqual([]);
	});

	it('is a recipe', () => {
		expect(textOf('docs/recipes.md')).toContain(`(../examples/${file})`);
	});

	it('is run by a test', () => {
		expect(tests).toContain(`'${file}'`);
	});
});

/** The sample rows of an example. */
function sampleRows(file: string): Array<Record<string, string>> {
	const { nodes } = JSON.parse(textOf(`examples/${file}`)) as WorkflowFile;
	const sample = nodes.find(({ name }) => name.startsWith('Sample'))!;
	const { rows } = JSON.parse(String(sample.parameters.jsonOutput)) as {
		rows: Array<Record<string, string>>;
	};
	return rows;
}

describe('the sample lists, in the shop of the demo and of the local platform', () => {
	const shop = new Shop(DEFAULT_SIZE, () => []);

	it.each(['stock-from-list.json', 'price-change-from-sheet.json', 'sale-and-back.json'])(
		'%s names SKUs that the shop has, and one that it has not',
		(file) => {
			const unknown = sampleRows(file)
				.map(({ sku }) => sku)
				.filter((sku) => findBySku(shop, sku).length === 0);
			expect(unknown).toEqual(['CHA-404']);
		},
	);

	it.each(['stock-in-columns.json', 'catalogue-back-from-spreadsheet.json'])(
		'%s names SKUs that the shop has',
		(file) => {
			for (const { sku } of sampleRows(file)) expect(findBySku(shop, sku)).toHaveLength(1);
		},
	);

	it('catalogue-back-from-spreadsheet.json changes one price of a product', () => {
		const changed = sampleRows('catalogue-back-from-spreadsheet.json').filter((row) => {
			const product = shop.records.products.get(findBySku(shop, row.sku)[0])!;
			expect(row).toMatchObject({ handle: product.handle, title: product.title });
			const { prices } = product.variants.find(({ sku }) => sku === row.sku)!;
			const price = prices.find(({ currency }) => currency === row.currency);
			return price?.amount !== Math.round(Number(row.price) * 100);
		});
		expect(changed).toHaveLength(1);
	});

	it('tracking-numbers-from-list.json names lines of orders that can be sent', () => {
		const orders = Array.from({ length: DEFAULT_SIZE.orders }, (_, n) =>
			shop.records.orders.get(n),
		);
		for (const row of sampleRows('tracking-numbers-from-list.json')) {
			const order = orders.find((each) => each?.number === row.order);
			const line = order?.line_items.find(({ sku }) => sku === row.sku);
			expect([order?.status, line?.quantity, line?.fulfilled_quantity]).toEqual([
				'paid',
				Number(row.pieces),
				0,
			]);
		}
	});

	it('customers-update-or-create.json names a customer of the shop, and a new one', () => {
		const emails = Array.from(
			{ length: DEFAULT_SIZE.customers },
			(_, n) => shop.records.customers.get(n)?.email,
		);
		const isThere = sampleRows('customers-update-or-create.json').map(({ email }) =>
			emails.includes(email),
		);
		expect(isThere).toEqual([true, false]);
	});

	it('price-change-from-sheet.json gives prices in currencies that the SKUs have', () => {
		for (const { sku, currency } of sampleRows('price-change-from-sheet.json').slice(0, -1)) {
			const [index] = findBySku(shop, sku);
			const variants = shop.records.products.get(index)?.variants ?? [];
			const { prices } = variants.find((variant) => variant.sku === sku)!;
			expect(prices.map((price) => price.currency)).toContain(currency);
		}
	});

	it('customer-by-email.json names a customer of the shop, and an address that nobody has', () => {
		const emails = Array.from(
			{ length: DEFAULT_SIZE.customers },
			(_, n) => shop.records.customers.get(n)?.email,
		);
		const unknown = sampleRows('customer-by-email.json')
			.map(({ email }) => email)
			.filter((email) => !emails.includes(email));
		expect(unknown).toEqual(['nobody@customer.example']);
	});
});
