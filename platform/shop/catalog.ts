import { invalid, requireWritable } from './refusal';
import { closeLevels, findBySku, openLevels } from './stock';
import { create, update, type Fields } from './writing';
import type { Product } from './product';
import type { Shop } from './shop';

/** @throws Refusal INVALID_PARAMETER for an unknown category. */
export function createProduct(shop: Shop, fields: Fields): Product {
	const { record } = create(shop, 'products', checked(shop, fields));
	followSkus(shop, shop.indexOf('products', record.id)!, [], record.variants);
	return record;
}

/** Changes these fields of a product. @throws Refusal NOT_FOUND or INVALID_PARAMETER */
export function updateProduct(shop: Shop, id: string, fields: Fields): Product {
	const { index, record } = shop.find('products', id);
	const product = update(shop, 'products', id, checked(shop, fields));
	followSkus(shop, index, record.variants, product.variants);
	return product;
}

/** @throws Refusal NOT_FOUND. */
export function deleteProduct(shop: Shop, id: string): void {
	const { index, record } = shop.find('products', id);
	shop.records.products.remove(index);
	for (const { sku } of record.variants) {
		closeLevels(shop, sku);
		shop.writtenSkus.delete(sku);
	}
	shop.emit('product.deleted', { id });
}

/** One `upsert` of a batch or an import: changes the product with this SKU, or creates one. */
export function upsertProduct(
	shop: Shop,
	operation: Fields,
): { created: boolean; product: Product } {
	const { op, sku, prices, ...fields } = operation;
	if (op !== 'upsert') throw invalid(`op must be "upsert", not ${JSON.stringify(op)}`);
	if (typeof sku !== 'string' || sku === '') throw invalid('sku must be a non-empty text');
	const [index] = findBySku(shop, sku);
	const product = index === undefined ? undefined : shop.records.products.get(index);
	if (product) {
		const variants = product.variants.map((variant) =>
			variant.sku === sku && Array.isArray(prices) ? { ...variant, prices } : variant,
		);
		return { created: false, product: updateProduct(shop, product.id, { variants, ...fields }) };
	}
	if (typeof fields.title !== 'string') throw invalid('title is needed for a new product');
	const onlyVariant = { sku, title: fields.title, prices: Array.isArray(prices) ? prices : [] };
	return { created: true, product: createProduct(shop, { variants: [onlyVariant], ...fields }) };
}

/**
 * Fields in the form of a record: a variant may be sent without title or prices, a description as null.
 *
 * @throws Refusal INVALID_PARAMETER
 */
function checked(shop: Shop, fields: Fields): Fields {
	requireWritable(fields);
	const { variants, description, categories } = fields as Partial<Product>;
	const unknown = categories?.find((id) => !shop.get('categories', id));
	if (unknown !== undefined) throw invalid(`categories: there is no category ${unknown}`);
	const completeVariants = variants?.map((variant) => ({
		...{ title: '', prices: [] },
		...variant,
	}));
	return {
		...fields,
		...(description === null ? { description: '' } : {}),
		...(completeVariants ? { variants: completeVariants } : {}),
	};
}

/** Stock levels follow the SKUs: new SKUs get empty levels, dropped SKUs lose theirs. */
function followSkus(
	shop: Shop,
	index: number,
	before: Product['variants'],
	after: Product['variants'],
): void {
	const skusAfter = new Set(after.map(({ sku }) => sku));
	const skusBefore = new Set(before.map(({ sku }) => sku));
	for (const sku of skusBefore) if (!skusAfter.has(sku)) closeLevels(shop, sku);
	for (const sku of skusAfter) {
		if (skusBefore.has(sku)) continue;
		if (!shop.writtenSkus.has(sku)) shop.writtenSkus.set(sku, index);
		openLevels(shop, sku);
	}
}
