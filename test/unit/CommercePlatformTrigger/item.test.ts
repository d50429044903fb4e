import type { IDataObject } from 'n8n-workflow';

import { FakeClock } from '../fakeClock';
import { received } from './received';

/** A delivery of this payload, at a node with these options. */
const itemWith = async (payload: unknown, options: IDataObject = {}, headers = {}) =>
	await received({
		body: JSON.stringify({ event: 'order.paid', timestamp: '2026-11-21T12:00:00.000Z', payload }),
		headers,
		parameters: { options: { decimalAmounts: 'off', ...options } },
	});

const headers = {
	'x-many': ['a', 'b'],
	'x-none': undefined,
	authorization: 'Bearer of a proxy',
	cookie: 'n8n-auth=1',
	'proxy-authorization': 'Basic of a proxy',
	'x-ecom-signature': 'cd'.repeat(32),
	'cf-access-jwt-assertion': 'eyJ',
	'x-access-token': 'token of a gateway',
	'x-amzn-oidc-accesstoken': 'token of a gateway',
	'x-amzn-oidc-data': 'eyJ',
	'x-hub-signature-256': 'sha256=ef',
	apikey: 'key of a gateway',
	'ocp-apim-subscription-key': 'key of a gateway',
	'x-functions-key': 'key of a gateway',
	'x-auth': 'proof of a gateway',
	'x-shop-hmac-sha256': 'ab'.repeat(32),
	'x-proxy-passwd': 'of a proxy',
	'x-client-credential': 'of a proxy',
};

describe('an item', () => {
	it('has null for fields that the body lacks', async () => {
		expect(await received({ body: '{"event":"order.paid"}' })).toEqual({
			event: 'order.paid',
			timestamp: null,
			deliveryId: 'del_1',
			payload: null,
		});
	});

	it('has the headers on request, without those that prove who sent it', async () => {
		const item = await itemWith({ id: 'ord_1' }, { includeHeaders: true }, headers);
		expect((item as IDataObject).headers).toStrictEqual({
			'x-shop-timestamp': String(Math.floor(new FakeClock().now() / 1000)),
			'x-shop-delivery-id': 'del_1',
			'x-many': 'a, b',
		});
	});
});
