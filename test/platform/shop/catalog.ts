import { iso } from './clock';
import { invalid, requireWritable } from './refusal';
import { closeLevels, findBySku, openLevels } from './stock';
import type { Product, Variant } from './product';
import type { Shop } from './shop';

export type ProductFields = Partial<Product>;

/** The record of a new product. @param at ms. */
export const newProduct = (
	shop: Shop,
	fields: ProductFields,
	index: number,
	at: number,
): Product => ({
	title: '',
	handle: handleOf(fields.title ?? '', index),
	description: '',
	variants: [],
	categories: [],
	status: 'draft',
	...fields,
	...shop.stamp('products', index, at),
});

/** @throws Refusal INVALID_PARAMETER for an unknown category. */
export function createProduct(shop: Shop, given: ProductFields): Product {
	const fields = checked(shop, given);
	const product = shop.products.add((index, at) => newProduct(shop, fields, index, at));
	followSkus(shop, shop.indexOf('products', product.id)!, [], product.variants);
	shop.emit('product.created', summary(product));
	return product;
}

/** Changes the given fields. @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
export function updateProduct(shop: Shop, id: string, given: ProductFields): Product {
	const { index, record } = shop.find('products', id);
	const fields = checked(shop, given);
	const change = (old: Product, at: number) => ({ ...old, ...fields, updated_at: iso(at) });
	const product = shop.products.replace(index, change);
	followSkus(shop, index, record.variants, product.variants);
	shop.emit('product.updated', summary(product));
	return product;
}

/** @throws Refusal NOT_FOUND. */
export function deleteProduct(shop: Shop, id: string): void {
	const { index, record } = shop.find('products', id);
	shop.products.remove(index);
	for (const { sku } of record.variants) {
		closeLevels(shop, sku);
		shop.writtenSkus.delete(sku);
	}
	shop.emit('product.deleted', { id });
}

/** One `upsert` of a batch or an import: by SKU, changed if a product has it, else made. */
export function upsertProduct(
	shop: Shop,
	operation: Record<string, unknown>,
): { created: boolean; product: Product } {
	const { op, sku, prices, ...rest } = operation;
	if (op !== 'upsert') throw invalid(`op must be "upsert", not ${JSON.stringify(op)}`);
	if (typeof sku !== 'string' || sku === '') throw invalid('sku must be a non-empty text');
	const fields = rest as ProductFields;
	const [index] = findBySku(shop, sku);
	const known = index === undefined ? undefined : shop.products.get(index);
	if (known) {
		const variants = known.variants.map((variant) =>
			variant.sku === sku && Array.isArray(prices) ? { ...variant, prices } : variant,
		);
		return { created: false, product: updateProduct(shop, known.id, { variants, ...fields }) };
	}
	if (typeof fields.title !== 'string') throw invalid('title is needed for a new product');
	const only: Variant = { sku, title: fields.title, prices: Array.isArray(prices) ? prices : [] };
	return { created: true, product: createProduct(shop, { variants: [only], ...fields }) };
}

const WHOLE_VARIANT = { title: '', prices: [] };

/**
 * Fields as a record has them: a variant may come without title or prices, a description as null.
 *
 * @throws Refusal INVALID_PARAMETER.
 */
function checked(shop: Shop, fields: ProductFields): ProductFields {
	requireWritable(fields);
	const unknown = fields.categories?.find((id) => !shop.get('categories', id));
	if (unknown !== undefined) throw invalid(`categories: there is no category ${unknown}`);
	const { variants, description } = fields;
	const whole = variants?.map((variant) => ({ ...WHOLE_VARIANT, ...variant }));
	return {
		...fields,
		...(description === null ? { description: '' } : {}),
		...(whole ? { variants: whole } : {}),
	};
}

/** Levels follow the SKUs: new ones start at zero, those of dropped SKUs go. */
function followSkus(shop: Shop, index: number, before: Variant[], after: Variant[]): void {
	const kept = new Set(after.map(({ sku }) => sku));
	const known = new Set(before.map(({ sku }) => sku));
	for (const sku of known) if (!kept.has(sku)) closeLevels(shop, sku);
	for (const sku of kept) {
		if (known.has(sku)) continue;
		if (!shop.writtenSkus.has(sku)) shop.writtenSkus.set(sku, index);
		openLevels(shop, sku);
	}
}

const handleOf = (title: string, index: number) => {
	const words = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return `${words.replace(/^-|-$/g, '') || 'product'}-${index}`;
};

const summary = ({ id, title, handle, status }: Product) => ({ id, title, handle, status });
