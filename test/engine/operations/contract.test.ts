import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';
import { CASES, type Case } from './cases';
import { openShop, type Fixtures, type Shop } from './shop';
import { strayed } from '../../support/strayed';
import { schemaFaults } from './schemas';
import { comparable, documentedRoutes, readWire, type WireRequest } from './wire';

const reached = new Set<string>();
let shop: Shop;

beforeAll(async () => {
	shop = await openShop();
});
afterAll(async () => await shop.close());

async function runCase({ operation, parameters }: Case, routingNode: boolean) {
	const fixtures = await shop.fresh();
	const [resource, name] = operation.split('.');
	const result = await shop.run(
		{ resource, operation: name, ...parameters(fixtures) },
		{ routingNode },
	);
	return { fixtures, result, requests: await shop.platform.control.requests() };
}

function checkRequest(one: Case, fixtures: Fixtures, wire: WireRequest[]): void {
	expect(wire.map(({ route }) => route)).toEqual(one.routes);
	expect(wire.map(({ fault }) => fault).filter(Boolean)).toEqual([]);
	const last = wire[wire.length - 1];
	if (one.query) expect(last.query).toEqual(one.query(fixtures));
	if (one.body) expect(last.body).toEqual(one.body(fixtures));
	expect(last.headers).toMatchObject({ accept: 'application/json', ...one.headers });
	for (const { route, headers, body } of wire) {
		expect('idempotency-key' in headers).toBe(!route.startsWith('GET'));
		expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
	}
}

describe.each(
	CASES.map((one) => [one.operation + (one.note ? `, ${one.note}` : ''), one] as const),
)('%s', (_name, one) => {
	it('sends what the API document says, and gives the promised items', async () => {
		const { fixtures, result, requests } = await runCase(one, false);
		const wire = await readWire(requests);
		wire.forEach(({ route }) => reached.add(route));
		expect(result.error).toBeUndefined();
		checkRequest(one, fixtures, wire);
		expect(result.items).toHaveLength(one.count ?? 1);
		if (one.item) expect(result.items[0].json).toMatchObject(one.item(fixtures));
		for (const { pairedItem } of result.items) expect(pairedItem).toEqual({ item: 0 });
	});

	it('sends the same through n8n’s RoutingNode', async () => {
		const own = await runCase(one, false);
		const engine = await runCase(one, true);
		expect(engine.result.error).toBeUndefined();
		expect(comparable(engine.requests, engine.fixtures)).toEqual(
			comparable(own.requests, own.fixtures),
		);
		expect(engine.result.items.length).toBe(own.result.items.length);
		expect(Object.keys((engine.result.items[0]?.json ?? {}) as IDataObject)).toEqual(
			Object.keys((own.result.items[0]?.json ?? {}) as IDataObject),
		);
	});
});

it('has a case for every operation, and none for another', () => {
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.map(({ option }) => `${value}.${option.value}`),
	);
	const covered = new Set(CASES.map(({ operation }) => operation));
	expect([...covered].sort()).toEqual(operations.sort());
});

it.each(CASES.filter(({ note }) => note === undefined).map((one) => [one.operation, one] as const))(
	'%s gives by default what its output schema shows; `npm run docs` writes the schemas',
	async (operation, { parameters }) => {
		const asUsual = (fixtures: Fixtures): IDataObject => {
			const { options, ...given } = parameters(fixtures);
			const others = { ...(options as IDataObject), decimalAmounts: undefined };
			return { simplify: true, ...given, options: others };
		};
		const { result } = await runCase({ operation, parameters: asUsual, routes: [] }, false);
		expect(schemaFaults(operation, result.items[0].json) ?? []).toEqual([]);
	},
);

it('has an output schema wherever the API document shows the answer', () => {
	const without = CASES.map(({ operation }) => operation).filter((one) => !schemaFaults(one, {}));
	expect([...new Set(without)].sort()).toEqual([
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
