import { iso } from './clock';
import type { Product, Variant } from './product';
import { invalid, notFound, requireWritable } from './refusal';
import { findBySku } from './skus';
import { closeLevels, openLevels } from './stock';
import type { Shop } from './shop';

export type ProductFields = Partial<Product>;

/** The record of a new product. @param at ms. */
export const newProduct = (
	shop: Shop,
	fields: ProductFields,
	index: number,
	at: number,
): Product => ({
	description: '',
	variants: [],
	categories: [],
	status: 'draft',
	...fields,
	id: shop.ids.products.encode(index),
	title: fields.title ?? '',
	handle: fields.handle ?? handleOf(fields.title ?? '', index),
	created_at: iso(at),
	updated_at: iso(at),
});

/** @throws Refusal INVALID_PARAMETER for an unknown category. */
export function createProduct(shop: Shop, fields: ProductFields): Product {
	checkFields(shop, fields);
	const product = shop.products.add((index, at) => newProduct(shop, fields, index, at));
	followSkus(shop, product, [], product.variants);
	shop.emit('product.created', summary(product));
	return product;
}

/** Changes the given fields. @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
export function updateProduct(shop: Shop, id: string, fields: ProductFields): Product {
	const index = productIndex(shop, id);
	checkFields(shop, fields);
	let before: Variant[] = [];
	const product = shop.products.replace(index, (old, at) => {
		before = old.variants;
		return { ...old, ...fields, updated_at: iso(at) };
	});
	followSkus(shop, product, before, product.variants);
	shop.emit('product.updated', summary(product));
	return product;
}

/** @throws Refusal NOT_FOUND. */
export function deleteProduct(shop: Shop, id: string): void {
	const index = productIndex(shop, id);
	const product = shop.products.get(index);
	shop.products.remove(index);
	for (const { sku } of product?.variants ?? []) {
		closeLevels(shop, sku);
		shop.writtenSkus.delete(sku);
	}
	shop.emit('product.deleted', { id });
}

/** A variant may come without title or prices, a description as null; records have them all. */
export function withWholeVariants(fields: ProductFields): ProductFields {
	const { variants, description } = fields;
	return {
		...fields,
		...(description === null ? { description: '' } : {}),
		...(variants
			? { variants: variants.map((variant) => ({ ...WHOLE_VARIANT, ...variant })) }
			: {}),
	};
}

const WHOLE_VARIANT = { title: '', prices: [] };

/** One `upsert` of a batch or an import: by SKU, changed if a product has it, else made. */
export function upsertProduct(
	shop: Shop,
	operation: Record<string, unknown>,
): { created: boolean; product: Product } {
	const { op, sku, prices, ...rest } = operation;
	if (op !== 'upsert') throw invalid(`op must be "upsert", not ${JSON.stringify(op)}`);
	if (typeof sku !== 'string' || sku === '') throw invalid('sku must be a non-empty text');
	const fields = withWholeVariants(rest as ProductFields);
	const index = findBySku(shop, sku);
	const known = index === undefined ? undefined : shop.products.get(index);
	if (known) {
		const variants = known.variants.map((variant) =>
			variant.sku === sku && Array.isArray(prices) ? { ...variant, prices } : variant,
		);
		return {
			created: false,
			product: updateProduct(shop, known.id, { variants, ...fields }),
		};
	}
	if (typeof fields.title !== 'string') throw invalid('title is needed for a new product');
	const only: Variant = { sku, title: fields.title, prices: Array.isArray(prices) ? prices : [] };
	return { created: true, product: createProduct(shop, { variants: [only], ...fields }) };
}

/** @throws Refusal NOT_FOUND. */
export function productIndex(shop: Shop, id: string): number {
	const index = shop.ids.products.decode(id);
	if (index === undefined || !shop.products.get(index)) throw notFound(`product ${id}`);
	return index;
}

function checkFields(shop: Shop, fields: ProductFields): void {
	requireWritable(fields);
	for (const id of fields.categories ?? []) {
		const index = shop.ids.categories.decode(id);
		if (index === undefined || !shop.categories.get(index)) {
			throw invalid(`categories: there is no category ${id}`);
		}
	}
}

/** Levels follow the SKUs: new ones start at zero, those of dropped SKUs go. */
function followSkus(shop: Shop, product: Product, before: Variant[], after: Variant[]): void {
	const index = productIndex(shop, product.id);
	const kept = new Set(after.map(({ sku }) => sku));
	const known = new Set(before.map(({ sku }) => sku));
	for (const sku of known) {
		if (!kept.has(sku)) closeLevels(shop, sku);
	}
	for (const sku of kept) {
		if (known.has(sku)) continue;
		if (!shop.writtenSkus.has(sku)) shop.writtenSkus.set(sku, index);
		openLevels(shop, sku);
	}
}

const handleOf = (title: string, index: number) =>
	`${
		title
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-|-$/g, '') || 'product'
	}-${index}`;

const summary = ({ id, title, handle, status }: Product) => ({ id, title, handle, status });
