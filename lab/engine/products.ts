import { anyContains, list, oneOf, timeFilter, type Query } from './lists';
import { find, findAll, graphql, mutate } from './vendure';
import { Refusal, badInput, notFound, shown, slugOf, type Json } from './values';

export interface StockLevel {
	id: string;
	updatedAt: string;
	stockLocationId: string;
	stockOnHand: number;
	stockAllocated: number;
	stockLocation: { id: string; name: string };
}

export interface Variant {
	id: string;
	sku: string;
	name: string;
	productId: string;
	currencyCode: string;
	prices: Array<{ price: number; currencyCode: string }>;
	stockLevels: StockLevel[];
}

export interface Product {
	id: string;
	name: string;
	slug: string;
	enabled: boolean;
	collections: Array<{ id: string }>;
	optionGroups: Array<{ id: string }>;
	variants: Variant[];
}

interface Collection {
	id: string;
	filters: Array<{ args: Array<{ name: string; value: string }> }>;
}

export const STOCK_FIELDS =
	'id createdAt updatedAt stockLocationId stockOnHand stockAllocated stockLocation { id name }';
export const PRODUCT_FIELDS = `id createdAt updatedAt languageCode name slug description enabled collections { id name slug } optionGroups { id code } facetValues { id code } variants { id createdAt updatedAt sku name enabled currencyCode prices { price currencyCode } options { id code name } taxCategory { id name } trackInventory stockLevels { ${STOCK_FIELDS} } }`;
interface PriceInput {
	amount: number;
	currency: string;
}

interface VariantInput {
	sku?: string;
	title?: string;
	prices?: PriceInput[];
}

const CURRENCIES = ['EUR', 'USD'];
const STATUSES = ['draft', 'published'];
const english = (translation: Json): Json[] => [{ languageCode: 'en', ...translation }];

export async function listProducts(query: Query) {
	const filter: Json = {
		...timeFilter(query),
		...anyContains(['name', 'slug', 'sku'], query.q),
	};
	if (query.status !== undefined)
		filter.enabled = { eq: oneOf('status', query.status, STATUSES) === 'published' };
	if (query.sku !== undefined) filter.sku = { eq: query.sku };
	const kind = { name: 'products', type: 'Product', fields: PRODUCT_FIELDS };
	return await list(kind, query, filter, productRecord);
}

export const findProduct = async (id: string): Promise<Product> =>
	await find('Product', id, PRODUCT_FIELDS, 'prod_');

export const findVariants = async (sku: unknown): Promise<Variant[]> =>
	await findAll('productVariants', `id sku productId stockLevels { ${STOCK_FIELDS} }`, {
		filter: { sku: { eq: String(sku) } },
	});

export async function deleteProduct(id: string): Promise<void> {
	const product = await findProduct(id);
	await graphql('mutation ($id: ID!) { deleteProduct(id: $id) { result } }', { id: product.id });
}

/** Creates a product, or changes what the body names of one. @param id of the product to change */
export async function writeProduct(body: Json, id?: string): Promise<Product> {
	const { title, handle, description, status, variants, categories } = body;
	if (title !== undefined && (typeof title !== 'string' || title.trim() === ''))
		throw badInput('title must not be empty', 422);
	if (status !== undefined && !STATUSES.includes(String(status)))
		throw badInput(`status must be one of ${STATUSES.join(', ')}`, 422);
	const product = id === undefined ? await createProduct(body) : await findProduct(id);
	if (id !== undefined) {
		const texts = {
			name: title,
			slug: handle,
			description: description === null ? '' : description,
		};
		const input = {
			id: product.id,
			enabled: status === undefined ? undefined : status === 'published',
			translations: english(texts),
		};
		await mutate('updateProduct', 'UpdateProductInput', input);
	}
	if (variants !== undefined) await writeVariants(product, variants as VariantInput[]);
	if (categories !== undefined) await setCategories(product.id, categories as string[]);
	return await findProduct(product.id);
}

async function createProduct({ title, handle, description = '', status }: Json): Promise<Product> {
	if (title === undefined) throw badInput('title is required', 422);
	const texts = { name: title, slug: handle ?? slugOf(String(title)), description };
	const input = { enabled: status === 'published', translations: english(texts) };
	return await mutate('createProduct', 'CreateProductInput', input, PRODUCT_FIELDS);
}

async function writeVariants(product: Product, variants: VariantInput[]): Promise<void> {
	if (!Array.isArray(variants)) throw badInput('variants must be a list');
	const ids = new Map(product.variants.map(({ sku, id }) => [sku, id]));
	const isNew = ({ sku }: VariantInput) => !ids.has(String(sku));
	for (const { sku, title, prices } of variants.filter((variant) => !isNew(variant)))
		await updateVariant({
			id: ids.get(String(sku)),
			translations: title === undefined ? undefined : english({ name: title }),
			prices: prices?.map(priceInput),
		});
	const created = variants.filter(isNew);
	if (created.length === 0) return;
	const options = await optionsOf(product, created);
	for (const [index, variant] of created.entries())
		await createVariant(product, variant, options[index]);
}

function priceInput({ amount, currency }: PriceInput) {
	if (!Number.isInteger(amount))
		throw badInput(`Int cannot represent non-integer value: ${JSON.stringify(amount)}`);
	if (CURRENCIES.includes(currency)) return { price: amount, currencyCode: currency };
	const message = `The currency "${currency}" is not available in this channel`;
	throw new Refusal(422, 'CURRENCY_NOT_AVAILABLE', message);
}

export const updateVariant = async (input: Json): Promise<unknown> =>
	await mutate('updateProductVariants', '[UpdateProductVariantInput!]', [input]);

/** The engine tells variants of one product apart by an option: one for each new variant. A single variant needs none. */
async function optionsOf(product: Product, created: VariantInput[]): Promise<string[][]> {
	let groupId = product.optionGroups[0]?.id;
	if (groupId === undefined && product.variants.length + created.length === 1) return [[]];
	groupId ??= await addOptionGroup(product, `${product.slug}-variant`, []).then(({ id }) => id);
	const options: string[][] = [];
	for (const { sku, title = product.name } of created) {
		const code = slugOf(`${title}-${sku}`);
		const translations = english({ name: title });
		const input = { productOptionGroupId: groupId, code, translations };
		options.push([(await mutate('createProductOption', 'CreateProductOptionInput', input)).id]);
	}
	return options;
}

export async function addOptionGroup(product: { id: string }, code: string, names: string[]) {
	const options = names.map((name) => ({ code: slugOf(name), translations: english({ name }) }));
	const input = { code, translations: english({ name: 'Variant' }), options };
	const group = await mutate<{ id: string; options: Array<{ id: string }> }>(
		'createProductOptionGroup',
		'CreateProductOptionGroupInput',
		input,
		'id options { id }',
	);
	await graphql(
		'mutation ($product: ID!, $group: ID!) { addOptionGroupToProduct(productId: $product, optionGroupId: $group) { id } }',
		{ product: product.id, group: group.id },
	);
	return group;
}

async function createVariant(
	product: Product,
	{ sku, title = product.name, prices = [] }: VariantInput,
	optionIds: string[],
): Promise<void> {
	if (!sku) throw badInput('Field "sku" of required type "String!" was not provided.', 422);
	const priced = prices.map(priceInput);
	const input = {
		productId: product.id,
		sku,
		optionIds,
		translations: english({ name: title }),
		price: priced.find(({ currencyCode }) => currencyCode === 'EUR')?.price ?? 0,
	};
	const type = '[CreateProductVariantInput!]';
	const [{ id }] = await mutate<[{ id: string }]>('createProductVariants', type, [input]);
	// The engine takes further currencies with an update only.
	if (priced.length > 0) await updateVariant({ id: id, prices: priced });
}

/** A category of the engine has its products by a filter over their IDs. */
export const productFilter = (ids: string[]) => [
	{
		code: 'product-id-filter',
		arguments: [
			{ name: 'productIds', value: JSON.stringify(ids) },
			{ name: 'combineWithAnd', value: 'true' },
		],
	},
];

async function setCategories(productId: string, wanted: string[]): Promise<void> {
	if (!Array.isArray(wanted)) throw badInput('categories must be a list of ids');
	const fields = 'id filters { args { name value } }';
	const collections = await findAll<Collection>('collections', fields);
	const known = collections.map(({ id }) => `cat_${id}`);
	const unknown = wanted.find((id) => !known.includes(id));
	if (unknown !== undefined) throw notFound('Collection', unknown);
	for (const { id, filters } of collections) {
		const value = filters[0]?.args.find(({ name }) => name === 'productIds')?.value ?? '[]';
		const others = (JSON.parse(value) as string[]).filter((one) => String(one) !== productId);
		const ids = wanted.includes(`cat_${id}`) ? [...others, productId] : others;
		await mutate('updateCollection', 'UpdateCollectionInput', { id, filters: productFilter(ids) });
	}
}

/** One operation of a batch or an import. A new product without variants has one with this SKU. */
export async function upsertProduct(operation: Json): Promise<{ isNew: boolean; product: Json }> {
	const { sku, prices, title } = operation;
	if (!sku) throw badInput('sku is required', 422);
	const [found] = await findVariants(sku);
	const ofSku = found === undefined ? [{ sku, title, prices }] : prices && [{ sku, prices }];
	const body = { ...operation, variants: operation.variants ?? ofSku };
	const product = await writeProduct(body, found?.productId);
	return { isNew: found === undefined, product: productRecord(product) };
}

/** All operations of a batch, each with its own result ("Products"). @returns status and body */
export async function writeBatch({ operations }: Json): Promise<[status: number, body: Json]> {
	if (!Array.isArray(operations) || operations.length > 100)
		throw badInput('operations must be 1 to 100');
	const data: Json[] = [];
	for (const [index, operation] of (operations as Json[]).entries()) {
		const { op, sku } = operation;
		const result = await upsertProduct(operation).then(
			({ isNew, product }) => ({ status: isNew ? 201 : 200, product }),
			(error: Refusal) => ({
				status: error.status ?? 422,
				error: { error_code: error.code, message: error.message },
			}),
		);
		data.push({ index, op, sku, ...result });
	}
	return [data.some(({ error }) => error !== undefined) ? 207 : 200, { data }];
}

export function productRecord(product: Product): Json {
	const { name, slug, ...record } = shown(product) as Json;
	return {
		...record,
		id: `prod_${product.id}`,
		title: name,
		handle: slug,
		status: product.enabled ? 'published' : 'draft',
		categories: product.collections.map(({ id }) => `cat_${id}`),
		variants: product.variants.map(({ name: title, prices, ...variant }) => ({
			...(shown(variant) as Json),
			title,
			prices: prices.map(({ price, currencyCode }) => ({ amount: price, currency: currencyCode })),
		})),
	};
}
