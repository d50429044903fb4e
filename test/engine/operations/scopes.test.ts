import type { IDataObject } from 'n8n-workflow';

import { OPERATION_SCOPES } from '../../docs/operationScopes';
import { byId } from '../../support/parameters';
import { CASES } from './cases';
import { READ_CASES } from './readCases';
import { useShop, type Fixtures, type Shop } from './shop';

/** What the local platform asks for where the API document names no scope. */
const UNNAMED = ['payments.refund', 'products.read', 'products.write'];

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

/** The scope of an operation's own request, as the tables of the documentation name it. */
const ownScopes = (name: string): string[] => {
	const scope = OPERATION_SCOPES.get(name)?.scope;
	return scope === undefined ? UNNAMED : [scope];
};

const readScopes = (name: string): string[] => {
	const scope = OPERATION_SCOPES.get(name)?.reads?.scope;
	return scope === undefined ? [] : [scope];
};

async function runWith(scopes: string[], name: string, parameters: IDataObject) {
	const { apiKey } = await shop.platform.control.createKey({ scopes, plan: 'enterprise' });
	const [resource, operation] = name.split('.');
	return await shop.run(
		{ resource, operation, ...parameters },
		{ credentials: { baseUrl: shop.platform.baseUrl, apiKey } },
	);
}

const refused = (scope: string) =>
	`The API key is not allowed to do this: it needs the scope ${scope}`;

describe('a key of the listed scopes', () => {
	it.each(CASES.map((one) => [`${one.operation} ${one.note ?? ''}`, one] as const))(
		'is enough for %s',
		async (_title, { operation, parameters }) => {
			const scopes = [...ownScopes(operation), ...readScopes(operation)];
			const { error, items } = await runWith(scopes, operation, parameters(fixtures));
			expect(error).toBeUndefined();
			expect(items).not.toEqual([]);
		},
	);
});

describe.each(READ_CASES.map((one) => [one.operation, one.when ?? 'always', one] as const))(
	'%s, %s',
	(operation, _when, { parameters }) => {
		it('reads with the scope that is listed for it', async () => {
			const scopes = [...ownScopes(operation), ...readScopes(operation)];
			const { error } = await runWith(scopes, operation, await parameters(fixtures, shop));
			expect(error).toBeUndefined();
		});

		it('is refused without it, by its name', async () => {
			const { error } = await runWith(
				ownScopes(operation),
				operation,
				await parameters(fixtures, shop),
			);
			expect(error?.message).toBe(refused(readScopes(operation)[0]));
		});
	},
);

it.each([
	['order.fulfill', 'fulfillments.write', () => ({ orderId: byId(fixtures.order) })],
	[
		'product.update',
		'products.write',
		() => ({
			productId: byId(fixtures.product),
			updateFields: { variantsJson: `[{ "sku": "${fixtures.sku}", "title": "New" }]` },
		}),
	],
])('%s with the scope to read alone is told of %s', async (operation, missing, parameters) => {
	const { error } = await runWith(readScopes(operation), operation, parameters());
	expect(error?.message).toBe(refused(missing));
});
