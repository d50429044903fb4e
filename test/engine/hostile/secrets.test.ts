import type { IDataObject } from 'n8n-workflow';

import { BASE_URL, byId, runOperation, stubApi, withLeastWaits } from '../../support/engine';

withLeastWaits();

const API_KEY = 'cpk_live_never_to_be_seen';
const credentials = { baseUrl: BASE_URL, apiKey: API_KEY };

it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'EPROTO'])(
	'an error of the connection carries no API key in any of its fields: %s',
	async (code) => {
		stubApi({ '*': [code] });
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const parameters = { orderId: byId('ord_1'), requestOptions: { maxRetryWait: 0 } };
			const { run, error } = await runOperation('order.get', parameters, { credentials, onError });
			const { message, description, cause } = { cause: undefined, ...error };
			const told = JSON.stringify([run, { ...error }, message, description, cause, error?.stack]);
			expect(told).not.toMatch(/never_to_be_seen|Bearer/);
		}
	},
);

const EVIL =
	'"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"__defineGetter__":"x"';
const parsed = (text: string) => JSON.parse(text) as IDataObject;

describe('names that objects inherit', () => {
	afterEach(() => {
		for (const one of [{}, [], () => undefined]) expect(one).not.toHaveProperty('polluted');
		expect(typeof {}.constructor).toBe('function');
	});

	const record = parsed(
		`{"id":"rec_1",${EVIL},"total":{"amount":1,"currency":"EUR",${EVIL}},"line_items":[{${EVIL}}]}`,
	);

	it.each(['order.getAll', 'product.getAll', 'customer.getAll', 'inventory.getAll'])(
		'in answers change no prototype: %s',
		async (operation) => {
			stubApi({ '*': [[200, { data: [record] }]] });
			const chosen = [
				'{}',
				'{"decimalAmounts":"text"}',
				'{"selectedFields":"__proto__.polluted,id"}',
			];
			for (const options of chosen.map(parsed))
				for (const simplify of [true, false]) {
					const { error } = await runOperation(operation, { options, simplify, limit: 5 });
					expect(error).toBeUndefined();
				}
		},
	);

	it.each<[string, IDataObject]>([
		['customer.create', { specifyFields: 'json', json: `{${EVIL}}` }],
		['customer.create', { specifyFields: 'json', json: '={{ $json }}' }],
		['product.upsert', { specifyProduct: 'json', productJson: `{"sku":"A",${EVIL}}` }],
		['product.upsert', { specifyProduct: 'autoMapInputData', options: { columnsToSend: 'all' } }],
	])('in fields and rows change no prototype: %s %j', async (operation, parameters) => {
		stubApi({ '*': [[200, { data: record }]] });
		await runOperation(operation, parameters, { items: [parsed(`{"sku":"A",${EVIL}}`)] });
	});
});
