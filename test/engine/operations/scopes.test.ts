import type { IDataObject } from 'n8n-workflow';

import type { PlatformMethod } from '../../../nodes/shared/rest/request';
import { SERVICE } from '../../../nodes/shared/shop/service';
import { OPERATION_SCOPES } from '../../docs/operationScopes';
import { FIRST_CASES, NAMED_CASES } from './cases';
import { READ_CASES } from './readCases';
import { useShop } from './shop';

/** Scopes that the local platform requires although the API document names none. */
const UNNAMED = ['payments.refund', 'products.read', 'products.write'];

const { shop, fixtures } = useShop();

/** The scope of an operation's own request, as the tables of the documentation name it. */
const ownScopes = (name: string): string[] => {
	const scope = OPERATION_SCOPES.get(name)?.scope;
	return scope === undefined ? UNNAMED : [scope];
};

const readScopes = (name: string): string[] => {
	const scope = OPERATION_SCOPES.get(name)?.reads?.scope;
	return scope === undefined ? [] : [scope];
};

async function runWith(
	scopes: string[],
	name: string,
	parameters: IDataObject,
	plan: 'business' | 'enterprise' = 'enterprise',
) {
	const { baseUrl, control } = shop.platform;
	const { apiKey } = await control.createKey({ scopes, plan });
	return await shop.run(name, parameters, { credentials: { baseUrl, apiKey } });
}

const refused = (scope: string) =>
	`The API key is not allowed to do this: it needs the scope ${scope}`;

it.each(NAMED_CASES)('a key of the listed scopes is enough for %s', async (_title, one) => {
	const scopes = [...ownScopes(one.operation), ...readScopes(one.operation)];
	const { error, items } = await runWith(scopes, one.operation, one.parameters(fixtures));
	expect(error).toBeUndefined();
	expect(items).not.toEqual([]);
});

it.each(READ_CASES.map((one) => [one.operation, one.when ?? 'always', one] as const))(
	'%s, %s, reads with the listed scope; without it, the error names the scope',
	async (operation, _when, { parameters, reads }) => {
		const own = ownScopes(operation);
		const without = await runWith(own, operation, await parameters(fixtures, shop));
		expect(without.error?.message).toBe(reads ? refused(readScopes(operation)[0]) : undefined);
		Object.assign(fixtures, await shop.fresh());
		const all = [...own, ...readScopes(operation)];
		const { error } = await runWith(all, operation, await parameters(fixtures, shop));
		expect(error).toBeUndefined();
	},
);

it.each(FIRST_CASES.map((one) => [one.operation, one] as const))(
	'%s without any scope names the one that it needs',
	async (operation, { parameters }) => {
		const { error } = await runWith([], operation, parameters(fixtures), 'business');
		if (operation === 'account.get') return expect(error).toBeUndefined();
		expect(error?.message).toMatch(/not allowed to do this|not released/);
		// A refused batch may also be one that is not released: then products go one by one, and the first read fails.
		const { method, target } = (await shop.sent()).at(-1)!;
		const path = new URL(target, 'http://x').pathname.replace(/^\/v1/, '');
		const scope = SERVICE.about({ method: method as PlatformMethod, path }).scope;
		expect(`${error?.message} ${error?.description}`).toMatch(
			scope === undefined
				? /needs the scope products\.(read|write)|payment permissions|enterprise/
				: new RegExp(`needs the scope ${scope}`),
		);
	},
);
