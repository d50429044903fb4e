import { resources } from '../../nodes/CommercePlatform/resources';

/** The part of JSON Schema that n8n reads of a node's output. */
interface Shape {
	type: string | string[];
	properties?: Record<string, Shape>;
	items?: Shape;
}

const integer: Shape = { type: 'integer' };
const text: Shape = { type: 'string' };
const record = (properties: Record<string, Shape>): Shape => ({ type: 'object', properties });
const list = (items: Shape): Shape => ({ type: 'array', items });
const orNull = (shape: Shape): Shape => ({ ...shape, type: [shape.type as string, 'null'] });

const price = { amount: integer, currency: text };
/** With Add Decimal Amounts, as where Simplify is on and after a write. */
const withDecimal = record({ ...price, decimal: { type: 'number' } });
const deleted = { deleted: { type: 'boolean' }, id: text };

const webhook = {
	id: text,
	url: text,
	events: list(text),
	description: text,
	status: text,
};

const product = {
	id: text,
	title: text,
	handle: text,
	status: text,
	variants: list(record({ sku: text, title: text, prices: list(withDecimal) })),
	categories: list(text),
};

/** What the API document shows of the record of each resource, of a product with Simplify. */
const RECORDS: Record<string, Record<string, Shape>> = {
	account: { rate_limits: { type: 'object' } },
	category: { id: text },
	customer: { id: text },
	event: { event_id: text },
	inventory: { sku: text, location_id: text, quantity: integer, updated_at: text },
	order: { id: text, status: text, total: withDecimal, merchant_note: orNull(text) },
	product,
	webhook,
};

/** Of the operations that do not give their resource's record, what they give. */
const OTHERS: Record<string, Record<string, Shape> | 'not shown'> = {
	'order.fulfill': 'not shown',
	'order.refund': 'not shown',
	'product.create': { ...product, description: text },
	'product.delete': deleted,
	'product.importCatalog': 'not shown',
	'product.setPrices': {
		sku: text,
		...price,
		previous: orNull(record(price)),
		productId: text,
		productTitle: orNull(text),
	},
	'product.update': { ...product, description: text },
	'product.upsert': { sku: text, title: text, id: text, result: text },
	'webhook.create': { ...webhook, secret: text },
	'webhook.delete': deleted,
	'webhook.recreate': { ...webhook, secret: text, replaced: record(deleted) },
	'webhook.rotateSecret': { ...webhook, secret: text },
	'webhook.test': 'not shown',
};

const TRIGGERS = {
	'CommercePlatformChangesTrigger/__schema__/v1.0.0': {
		id: text,
		status: text,
		updated_at: text,
		changeKey: text,
	},
	'CommercePlatformTrigger/__schema__/v1.1.0': {
		event: text,
		timestamp: text,
		deliveryId: text,
		payload: record({ id: text }),
	},
};

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map(({ option }) => [value, String(option.value)] as const),
);

/**
 * The output schemas, from the folder `nodes/`, without `.json`: what n8n's editor shows of a node's output before its
 * first run.
 */
const SHAPES: Array<[string, Record<string, Shape>]> = [
	...Object.entries(TRIGGERS),
	...operations.flatMap(([resource, operation]): Array<[string, Record<string, Shape>]> => {
		const shape = OTHERS[`${resource}.${operation}`] ?? RECORDS[resource];
		const path = `CommercePlatform/__schema__/v1.0.0/${resource}/${operation}`;
		return shape === 'not shown' ? [] : [[path, shape]];
	}),
];

/** The files of the output schemas, from the root of the repository, and what stands in each. */
export const OUTPUT_SCHEMAS: Record<string, () => string> = Object.fromEntries(
	SHAPES.map(([path, shape]) => [
		`nodes/${path}.json`,
		() => `${JSON.stringify({ ...record(shape), version: 1 }, null, '\t')}\n`,
	]),
);
