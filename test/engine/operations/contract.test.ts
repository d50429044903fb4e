import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { loadContract } from '../../../platform/api/contract';
import { CASES, FIRST_CASES } from './cases';
import { schemaFaults } from './schemas';
import { useShop, type Fixtures } from './shop';

const { shop, fixtures } = useShop();

it('has a case for every operation, and none for another', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.map(({ option }) => `${value}.${option.value}`),
	);
	expect(FIRST_CASES.map(({ operation }) => operation).sort()).toEqual(operations.sort());
});

it('has a case for every method and path of openapi.yaml', async () => {
	const { operations } = await loadContract();
	const routes = operations.map(({ method, template }) => `${method} ${template}`);
	expect([...new Set(CASES.flatMap((one) => one.routes))].sort()).toEqual(routes.sort());
});

it.each(FIRST_CASES.map((one) => [one.operation, one.parameters] as const))(
	'%s outputs by default what its output schema shows; `npm run docs` writes the schemas',
	async (operation, parameters: (fixtures: Fixtures) => IDataObject) => {
		const { options, ...given } = parameters(fixtures);
		const others = { ...(options as IDataObject), decimalAmounts: undefined };
		const { json } = await shop.run(operation, { simplify: true, ...given, options: others });
		expect(schemaFaults(operation, json[0]) ?? []).toEqual([]);
	},
);

it('has an output schema wherever the API document shows the answer', () => {
	const without = FIRST_CASES.filter(({ operation }) => !schemaFaults(operation, {}));
	expect(without.map(({ operation }) => operation).sort()).toEqual([
		'order.fulfill',
		'order.refund',
		'product.importCatalog',
		'webhook.test',
	]);
});
