import { testCredential } from '../../support/engine/testCredential';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';

describe.each(chosenDialects().map((one) => [one.name, one.dialect] as const))(
	'the test of a credential, in the dialect %s',
	(_name, dialect) => {
		let shop: DialectShop;
		beforeAll(async () => {
			shop = await openDialectShop(dialect);
			await shop.fresh();
		});
		afterAll(async () => await shop.close());

		const tested = async (apiKey: string) =>
			await testCredential({ baseUrl: shop.platform.baseUrl, apiKey });

		it('accepts a key that may read the account', async () => {
			const scopes = ['orders.read', 'account.read'];
			const { apiKey } = await shop.platform.control.createKey({ scopes });
			expect(await tested(apiKey)).toEqual({ status: 'OK', message: 'Connection successful!' });
		});

		it('tells a key that lacks a scope from a key that is not known, where the platform does', async () => {
			const unknown = await tested('cpk_of_another_shop');
			expect(unknown).toMatchObject({ status: 'Error', message: expect.stringMatching(/.{10}/) });
			expect(unknown.message).not.toContain('cpk_');
			const known = await tested(shop.platform.apiKey);
			if (dialect.accountScope === 'none') {
				expect(known.status).toBe('OK');
				return;
			}
			expect(known.status).toBe('Error');
			const statuses = [dialect.missingScope, dialect.authenticationFailure];
			if (statuses[0] !== statuses[1]) expect(known.message).not.toBe(unknown.message);
		});
	},
);
