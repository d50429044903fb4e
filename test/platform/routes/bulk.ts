import { resource, type Call, type Handler } from '../api/call';
import { upsertProduct } from '../shop/catalog';
import { invalid, Refusal } from '../shop/refusal';

type Operations = Array<Record<string, unknown>>;

/** POST /products/batch: per-item results, 207 if some failed. */
const batchProducts: Handler = (call) => {
	const { operations } = call.body as { operations: Operations };
	if (operations.length > call.plan.batchOperations) {
		throw invalid(`operations: at most ${call.plan.batchOperations} in one batch`);
	}
	const results = operations.map((operation, index) => upsert(call, operation, index));
	const isWhole = results.every(({ status }) => status < 300);
	return { status: isWhole ? 200 : 207, text: JSON.stringify({ data: results }) };
};

function upsert({ world: { shop } }: Call, operation: Record<string, unknown>, index: number) {
	const sku = String(operation.sku);
	try {
		const { created, product } = upsertProduct(shop, operation);
		return { index, sku, status: created ? 201 : 200, data: product };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		const { status, code, message } = error;
		return { index, sku, status, error: { code, message } };
	}
}

/** POST /jobs/catalog-import: body not shown; `{ operations }` as in a batch is taken. */
const importCatalog: Handler = ({ world: { shop, imports }, body }) => {
	const { operations } = body as { operations?: unknown };
	if (!Array.isArray(operations)) throw invalid('operations must be an array');
	return resource(imports.start(shop, operations as Operations), 202);
};

export const bulkHandlers = { batchProducts, importCatalog };
