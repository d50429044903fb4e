import { DOCUMENTED_SCOPES } from '../../platform/support/documented';
import { anyContains, list, page, pageSize, timeFilter, type Query } from './lists';
import {
	STOCK_FIELDS,
	findVariants,
	productFilter,
	updateVariant,
	type StockLevel,
	type Variant,
} from './products';
import { change, find, findAll, graphql, mutate } from './vendure';
import {
	Refusal,
	badInput,
	camelCase,
	engineId,
	notFound,
	shown,
	slugOf,
	without,
	type Json,
} from './values';

interface Collection {
	id: string;
	parentId: string;
	productVariants: { totalItems: number };
}

interface Customer {
	id: string;
	customFields: { acceptsMarketing: boolean };
}

const COLLECTION_FIELDS =
	'id createdAt updatedAt name slug description isPrivate position parentId breadcrumbs { id name slug } filters { code args { name value } } productVariants(options: { take: 0 }) { totalItems }';
const CUSTOMER_FIELDS =
	'id createdAt updatedAt title firstName lastName phoneNumber emailAddress groups { id name } addresses { id fullName company streetLine1 city postalCode country { code name } phoneNumber } customFields { acceptsMarketing }';

/** Inventory, customers, categories and the account. */

const locationId = (name: string): string => `sloc_${slugOf(name).replaceAll('-', '_')}`;

/** Times that writers gave; the engine keeps only its own. */
const writtenAt = new Map<string, string>();

function levelRecord({ id, sku }: Variant, level: StockLevel): Json {
	const record = without(shown(level) as Json, 'stock_location');
	const location = locationId(level.stockLocation.name);
	const written = writtenAt.get(`${sku}@${location}`) ?? '';
	return {
		...record,
		sku,
		location_id: location,
		quantity: level.stockOnHand,
		updated_at: written > level.updatedAt ? written : level.updatedAt,
		product_variant_id: id,
	};
}

export async function listLevels(query: Query) {
	const options = query.sku === undefined ? {} : { filter: { sku: { eq: query.sku } } };
	const fields = `id sku stockLevels { ${STOCK_FIELDS} }`;
	const variants = await findAll<Variant>('productVariants', fields, {
		...options,
		take: 1_000,
		sort: { id: 'ASC' },
	});
	const levels = variants
		.flatMap((variant) => variant.stockLevels.map((level) => levelRecord(variant, level)))
		.filter((level) => query.location_id === undefined || level.location_id === query.location_id);
	const limit = pageSize(query);
	const skip = Number(query.cursor ?? 0);
	const end = skip + limit;
	return page(levels.slice(skip, end), limit, end < levels.length ? String(end) : undefined);
}

/** Writes a level: the quantity that `next` makes of the one that is there. */
export async function writeLevel(body: Json, next: (quantity: number) => unknown): Promise<Json> {
	const { sku, location_id: id, updated_at: stamp } = body;
	const [variant] = await findVariants(sku);
	if (variant === undefined) throw notFound('ProductVariant', sku);
	const locations = await findAll<{ id: string; name: string }>('stockLocations', 'id name');
	const location = locations.find(({ name }) => locationId(name) === id);
	if (location === undefined) throw notFound('StockLocation', id);
	const levelOf = (one: Variant) =>
		one.stockLevels.find(({ stockLocationId }) => stockLocationId === location.id);
	const before = levelOf(variant);
	const current = before && levelRecord(variant, before);
	if (stamp !== undefined && current !== undefined && String(stamp) < String(current.updated_at))
		throw new Refusal(409, 'CONFLICT', 'updated_at is older than the stock level', { current });
	const quantity = next(before?.stockOnHand ?? 0);
	if (!Number.isInteger(quantity))
		throw badInput(`Int cannot represent non-integer value: ${String(quantity)}`);
	if (Number(quantity) < 0) throw badInput('stockOnHand cannot be a negative value', 422);
	const level = { stockLocationId: location.id, stockOnHand: quantity };
	await updateVariant({ id: variant.id, stockLevels: [level] });
	if (stamp !== undefined) writtenAt.set(`${String(sku)}@${String(id)}`, String(stamp));
	const [after] = await findVariants(sku);
	return levelRecord(after, levelOf(after)!);
}

export async function listCustomers(query: Query) {
	const kind = { name: 'customers', type: 'Customer', fields: CUSTOMER_FIELDS };
	const filter = { ...timeFilter(query), ...anyContains(['emailAddress', 'lastName'], query.q) };
	return await list(kind, query, filter, customerRecord);
}

export const findCustomer = async (id: string): Promise<Customer> =>
	await find('Customer', id, CUSTOMER_FIELDS);

/** @param id of the customer to change; a new one is created without it */
export async function writeCustomer(body: Json, id?: string): Promise<Json> {
	const kind = id === undefined ? 'Create' : 'Update';
	const { accepts_marketing: acceptsMarketing, ...fields } = body;
	const input: Json = Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [camelCase(name), value]),
	);
	if (acceptsMarketing !== undefined) input.customFields = { acceptsMarketing };
	if (id !== undefined) input.id = engineId('Customer', id);
	const name = `${kind.toLowerCase()}Customer`;
	const { id: written } = await change<{ id: string }>(
		name,
		`${kind}CustomerInput`,
		input,
		'... on Customer { id }',
	);
	return customerRecord(await findCustomer(written));
}

export async function listCategories(query: Query) {
	const kind = { name: 'collections', type: 'Collection', fields: COLLECTION_FIELDS };
	const filter = { ...timeFilter(query), ...anyContains(['name'], query.q) };
	return await list(kind, query, filter, categoryRecord);
}

export async function createCategory({ name, slug, description = '' }: Json): Promise<Json> {
	if (!name) throw badInput('Field "name" of required type "String!" was not provided.');
	const texts = { languageCode: 'en', name, slug: slug ?? slugOf(String(name)), description };
	const input = { filters: productFilter([]), translations: [texts] };
	const type = 'CreateCollectionInput';
	return categoryRecord(await mutate('createCollection', type, input, COLLECTION_FIELDS));
}

export async function account(limits: Json): Promise<Json> {
	const query =
		'{ activeChannel { id code defaultCurrencyCode availableCurrencyCodes pricesIncludeTax } }';
	const { activeChannel } = await graphql<{ activeChannel: Json }>(query);
	return {
		...(shown(activeChannel) as Json),
		credential: { name: 'n8n', scopes: DOCUMENTED_SCOPES },
		rate_limits: limits,
	};
}

export function customerRecord(customer: Customer): Json {
	const record = without(shown(customer) as Json, 'custom_fields');
	return { ...record, accepts_marketing: customer.customFields.acceptsMarketing };
}

export function categoryRecord(collection: Collection): Json {
	const record = without(shown(collection) as Json, 'product_variants');
	return {
		...record,
		id: `cat_${collection.id}`,
		parent_id: `cat_${collection.parentId}`,
		product_variant_count: collection.productVariants.totalItems,
	};
}
