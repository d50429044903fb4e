import { resource, type Answer, type Call, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import { adjustLevel, findLevel, setLevel, type Precondition } from '../shop/stock';
import { LOCATIONS } from '../shop/words';
import type { Level } from '../shop/inventory';
import type { ListSpec } from '../api/select';

const levelList = ({ shop }: World): ListSpec<Level> => ({
	name: 'inventory',
	collection: shop.levels,
	sorts: { created_at: 'created', updated_at: 'updated', quantity: ({ quantity }) => quantity },
	statuses: [],
	matches: ({ sku, location_id }, query) =>
		isOrAny(query.sku, sku) &&
		isOrAny(query.location_id, location_id) &&
		mentions(query.q, sku, location_id),
	candidates: ({ sku }) =>
		sku === undefined
			? undefined
			: LOCATIONS.map((location) => findLevel(shop, sku, location)).filter(
					(index) => index !== undefined,
				),
	present: (level) => level,
});

const listInventoryLevels: Handler = ({ world, query }) =>
	world.pages.page(levelList(world), query);

/** The level with its version as ETag, which If-Match can name. */
const versioned = (level: Level): Answer => ({
	...resource(level),
	headers: { etag: `"${level.version}"` },
});

const precondition = ({ headers, world }: Call): Precondition => ({
	ifMatch: typeof headers['if-match'] === 'string' ? headers['if-match'] : undefined,
	isEqualStale: world.settings.dialect.equalUpdatedAt === 'stale',
});

const setInventoryLevel: Handler = (call) => {
	const wanted = call.body as Parameters<typeof setLevel>[1];
	return versioned(setLevel(call.world.shop, wanted, precondition(call)).level);
};

const adjustInventoryLevel: Handler = (call) => {
	const wanted = call.body as Parameters<typeof adjustLevel>[1];
	return versioned(adjustLevel(call.world.shop, wanted, precondition(call)).level);
};

export const inventoryHandlers = {
	listInventoryLevels,
	setInventoryLevel,
	adjustInventoryLevel,
};
