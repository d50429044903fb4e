import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { runOperation, stubApi } from '../../support/engine';
import { CONTINUE, INPUT_ITEM } from './bulkShop';

export interface Product extends IDataObject {
	id: string;
	handle: string;
	variants: IDataObject[];
}

/** A platform that takes each field of a write as the new value of the product's field: lists are replaced. */
export function serve(products: IDataObject[], { batch = true } = {}) {
	const shop = structuredClone(products) as Product[];
	let created = 0;
	const put = (fields: IDataObject, product?: Product) => {
		const { sku, ...values } = fields;
		delete values.op;
		const target =
			product ?? ({ id: `prod_new_${++created}`, handle: '', variants: [{ sku }] } as Product);
		if (product === undefined) shop.push(target);
		return Object.assign(target, structuredClone(values));
	};
	const bySku = (sku: unknown) =>
		shop.find(({ variants }) => variants.some((variant) => variant.sku === sku));
	const sent = stubApi({
		'POST /products/batch': ({ body }) => {
			if (!batch) return [501, {}];
			const { operations } = body as { operations: IDataObject[] };
			const data = operations.map((fields) => {
				const product = bySku(fields.sku);
				const status = product === undefined ? 'created' : 'updated';
				return { sku: fields.sku, status, product: put(fields, product) };
			});
			return [200, { data }];
		},
		'GET /products': ({ query: { sku, q } }) => {
			const isHit = ({ handle, variants }: Product) =>
				(sku === undefined || variants.some((variant) => variant.sku === sku)) &&
				(q === undefined || handle === q);
			return [200, { data: shop.filter(isHit), pagination: { has_more: false } }];
		},
		'GET /products/*': ({ target }) => [
			200,
			{ data: shop.find(({ id }) => target.endsWith(`/${id}`)) },
		],
		'POST /products': ({ body }) => [201, { data: put(body as IDataObject) }],
		'PATCH *': ({ target, body }) => [
			200,
			{
				data: put(
					body as IDataObject,
					shop.find(({ id }) => target.endsWith(`/${id}`)),
				),
			},
		],
	});
	const writes = () => sent.filter(({ route }) => !route.startsWith('GET')).length;
	return { shop, sent, writes };
}

export const upsert = async (items: IDataObject[], productPer: string, more: IDataObject = {}) =>
	await runOperation(
		'product.upsert',
		{ ...INPUT_ITEM, productPer, ...more },
		{ items, ...CONTINUE },
	);

export const price = (amount: number, currency = 'EUR') => ({ amount, currency });
export const product = (name: string, ...sizes: string[]): IDataObject => ({
	id: `prod_${name}`,
	...{ title: name, handle: name, status: 'published', description: `A ${name}` },
	variants: sizes.map((size) => ({
		sku: `${name}-${size}`,
		title: size,
		prices: [price(1000), price(1100, 'USD')],
		weight: 5,
	})),
});
export const SHOP = [
	product('tee', 'S', 'M', 'L'),
	product('mug', 'one'),
	product('cap', 'a', 'b'),
];

/** Every value of a shop by the place where it stands; variants by SKU, prices by currency. */
export function values(products: readonly IDataObject[]): Map<string, unknown> {
	const all = new Map<string, unknown>();
	const walk = (place: string, value: unknown) => {
		if (typeof value !== 'object' || value === null) all.set(place, value);
		else
			for (const [name, entry] of Object.entries(value) as Array<[string, IDataObject]>) {
				const key = Array.isArray(value) ? (entry.id ?? entry.sku ?? entry.currency) : name;
				walk(`${place}/${String(key)}`, entry);
			}
	};
	walk('', products);
	return all;
}

const COLUMNS = [
	'title',
	'status',
	'description',
	'Variant Title',
	'price',
	'weight',
	'row_number',
];
const cells: IDataObject = {
	description: 'Other',
	'Variant Title': 'New',
	price: '12.00',
	weight: 9,
	row_number: 2,
};

const says = (row: IDataObject, name: string) => String(row[name] ?? ' ') !== ' ';

export const skusOf = ({ variants }: IDataObject) =>
	(variants as IDataObject[]).map(({ sku }) => sku);

/** Whether rows of several SKUs say different things of their product; the last row of a SKU counts. */
function areContradictory(rows: readonly IDataObject[]): boolean {
	const skus = SHOP.flatMap(skusOf);
	const ofProduct = rows.filter((row) => skus.includes(row.sku));
	return ['title', 'status'].some((name) => {
		const saying = ofProduct.filter((row) => says(row, name));
		return new Set(new Map(saying.map((row) => [row.sku, row[name]])).values()).size > 1;
	});
}

/**
 * Draws files about a shop, runs Create or Update with each, and compares the shop before and after.
 *
 * @throws if a file changes what none of its rows names, or makes a second product of one that is there
 */
export async function loseNothing(batch: boolean, numRuns: number): Promise<void> {
	const rowOfShop = fc.constantFrom(...SHOP).chain((entry) =>
		fc.record({
			handle: fc.constant(entry.handle),
			sku: fc.constantFrom(...skusOf(entry), `${String(entry.handle)}-new`, ''),
			blank: fc.subarray(COLUMNS),
			...{
				title: fc.constantFrom('Other', 'Another'),
				status: fc.constantFrom('draft', 'published'),
			},
		}),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(rowOfShop, { minLength: 1, maxLength: 8 }),
			fc.subarray(COLUMNS),
			fc.constantFrom('sku', 'handle'),
			fc.boolean(),
			fc.boolean(),
			async (rows, columns, productPer, onlyIfChanged, isGroup) => {
				const { shop } = serve(SHOP, { batch });
				const items = rows.map(({ handle, sku, blank, ...own }) => ({
					...{ [isGroup ? 'item_group_id' : 'handle']: handle, sku, currency: 'EUR' },
					...Object.fromEntries(
						columns.map((name) => [name, blank.includes(name) ? ' ' : { ...cells, ...own }[name]]),
					),
				})) as IDataObject[];
				await upsert(items, productPer, { options: { onlyIfChanged } });
				const after = values(shop);
				const said: IDataObject[] = items.map((item, n) => ({
					...item,
					handle: rows[n].handle,
				}));
				const named = (place: string) => {
					const [, id, field, variant, part] = place.split('/');
					const own = said.filter(({ handle }) => id === `prod_${String(handle)}`);
					if (productPer === 'sku' && areContradictory(own)) return false;
					if (field === 'title' && productPer === 'handle') {
						// The first title is the product's.
						const first = own.find((row) => says(row, 'title')) as IDataObject | undefined;
						return first?.title === after.get(place);
					}
					return own.some(({ handle, sku, ...row }) => {
						if (field !== 'variants') return says(row, field);
						const isOnly = sku === '' && handle === 'mug';
						if (variant !== sku && !isOnly) return false;
						if (part === 'title') return says(row, 'Variant Title') || says(row, 'title');
						return part === 'prices' && place.includes('/EUR/') && says(row, 'price');
					});
				};
				for (const [place, value] of values(SHOP))
					if (!named(place)) expect([place, after.get(place)]).toEqual([place, value]);
				const made = shop.slice(SHOP.length).flatMap(skusOf);
				expect(shop.slice(0, SHOP.length).map(({ id }) => id)).toEqual(SHOP.map(({ id }) => id));
				// A new size belongs to the product that has the handle, or another SKU of its rows.
				const isKnown = ({ sku }: IDataObject) => SHOP.flatMap(skusOf).includes(sku);
				for (const { handle } of SHOP)
					if (
						productPer === 'handle' &&
						(!isGroup || said.some((row) => row.handle === handle && isKnown(row)))
					)
						expect(made).not.toContain(`${String(handle)}-new`);
			},
		),
		{ numRuns, endOnFailure: true },
	);
}
