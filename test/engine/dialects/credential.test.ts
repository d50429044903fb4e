import { testCredential } from '../../support/engine/testCredential';
import { useShop } from '../operations/shop';
import { inEachDialect } from './chosen';

inEachDialect('the test of a credential', (dialect) => {
	const { shop } = useShop('each', dialect);
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
		expect(known.status).toBe(dialect.accountScope === 'none' ? 'OK' : 'Error');
		if (dialect.accountScope === 'none') return;
		if (dialect.missingScope !== dialect.authenticationFailure)
			expect(known.message).not.toBe(unknown.message);
	});
});
