import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';
import { parseDialect } from '../../platform/dialects/dialect';
import { strayed } from '../../support/strayed';
import { CASES, FIRST_CASES, firstCaseOf, NAMED_CASES, type Case } from './cases';
import { schemaFaults } from './schemas';
import { useShop, type Fixtures } from './shop';
import { documentedRoutes, readWire, type WireRequest } from './wire';

const { shop, fixtures } = useShop();
const reached = new Set<string>();
const DEFAULT = parseDialect('default');

function checkRequest(one: Case, { query, body, headers }: WireRequest): void {
	if (one.query) expect(query).toEqual(one.query(fixtures));
	if (one.body) expect(body).toEqual(one.body(fixtures));
	expect(headers).toMatchObject({ accept: 'application/json', ...one.headers });
}

it.each(NAMED_CASES)(
	'%s sends what the API document says, and gives the promised items',
	async (_name, one) => {
		const { error, items } = await shop.run(one.operation, one.parameters(fixtures));
		expect(error).toBeUndefined();
		const wire = await readWire(await shop.sent());
		expect(wire.map(({ route }) => route)).toEqual(one.routes);
		expect(wire.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
		checkRequest(one, wire[wire.length - 1]);
		for (const { route, headers, body } of wire) {
			reached.add(route);
			expect('idempotency-key' in headers).toBe(!route.startsWith('GET'));
			expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
		}
		expect(items).toHaveLength(one.count ?? 1);
		if (one.item) expect(items[0].json).toMatchObject(one.item(fixtures));
		for (const { json } of items) firstCaseOf(one.operation)?.gives?.(json, fixtures, DEFAULT);
		for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
	},
);

it('has a case for every operation, and none for another', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.map(({ option }) => `${value}.${option.value}`),
	);
	const covered = new Set(CASES.map(({ operation }) => operation));
	expect([...covered].sort()).toEqual(operations.sort());
});

it.each(FIRST_CASES.map((one) => [one.operation, one.parameters] as const))(
	'%s gives by default what its output schema shows; `npm run docs` writes the schemas',
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

it('reaches every method and path of openapi.yaml', async () => {
	const routes = await documentedRoutes();
	expect([...reached].sort()).toEqual([...routes].sort());
});

it('strayed from the API document nowhere, and let the platform stray nowhere', async () => {
	expect(await strayed(shop.platform)).toEqual([]);
});
