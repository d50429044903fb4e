import { resources } from '../../../../nodes/CommercePlatform/resources';
import { factsOf } from '../../../../nodes/shared/declarative/operation';
import { SCOPES } from '../../../../nodes/shared/model/scopes';

/** The API document's table "Scopes that exist". */
const DOCUMENTED = [
	'products.read',
	'products.write',
	'orders.read',
	'orders.write',
	'fulfillments.write',
	'inventory.read',
	'inventory.write',
	'customers.read',
	'customers.write',
	'webhooks.manage',
];

/** Operations that are made of bulk requests and may come later. */
const BULK = ['product.importCatalog', 'product.upsert'];

it('has a row for every operation, and none for another', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.map(({ option }) => `${value}.${option.value}`),
	);
	const missing = operations.filter((name) => !(name in SCOPES));
	const idle = Object.keys(SCOPES).filter((name) => !operations.includes(name));
	expect(missing).toEqual([]);
	expect(idle.filter((name) => !BULK.includes(name))).toEqual([]);
});

it('names only scopes that the API document names, and all of them', () => {
	const named = new Set(Object.values(SCOPES).filter((scope) => scope !== undefined));
	expect([...named].sort()).toEqual([...DOCUMENTED].sort());
});

it('reads with read scopes and writes with write scopes', () => {
	for (const resource of resources) {
		for (const operation of resource.operations) {
			const { scope } = factsOf(resource, operation);
			const isRead = operation.option.routing.request.method === 'GET';
			if (scope !== undefined && !scope.endsWith('.manage'))
				expect([operation.option.value, scope.endsWith('.read')]).toEqual([
					operation.option.value,
					isRead,
				]);
		}
	}
});
