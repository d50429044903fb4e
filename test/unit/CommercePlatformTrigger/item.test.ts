import { itemOf } from '../../../nodes/CommercePlatformTrigger/receive';
import type { Delivery } from '../../../nodes/CommercePlatformTrigger/verifyDelivery';

const delivery = (change: Partial<Delivery> = {}): Delivery => ({
	event: 'order.paid',
	timestamp: '2026-11-21T12:00:00.000Z',
	deliveryId: 'del_1',
	payload: { id: 'ord_1' },
	fingerprints: ['aaaaaaaa', 'bbbbbbbb'],
	recognisedBy: ['bbbbbbbb'],
	...change,
});
const SWITCHES = { payloadOnly: false, includeHeaders: false, getFullRecord: false };
const plain = { ...SWITCHES, decimals: 'off' as const };
const headers = {
	'x-shop-delivery-id': 'del_1',
	'x-many': ['a', 'b'],
	'x-none': undefined,
	authorization: 'Bearer of a proxy',
	cookie: 'n8n-auth=1',
	'proxy-authorization': 'Basic of a proxy',
	'x-shop-signature': 'ab'.repeat(32),
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

describe('itemOf', () => {
	it('has null for fields that the body lacks', () => {
		const silent = delivery({ timestamp: undefined, payload: undefined });
		expect(itemOf(silent, {}, plain).json).toMatchObject({ timestamp: null, payload: null });
	});

	it('is only the payload on request', () => {
		const options = { ...plain, payloadOnly: true };
		expect(itemOf(delivery(), headers, options).json).toEqual({ id: 'ord_1' });
		expect(itemOf(delivery({ payload: [1] }), headers, options).json).toEqual({ payload: [1] });
		expect(itemOf(delivery({ payload: undefined }), {}, options).json).toEqual({ payload: null });
	});

	it('has the headers on request, without those that prove who sent it', () => {
		const { json } = itemOf(delivery(), headers, { ...plain, includeHeaders: true });
		expect(json.headers).toStrictEqual({ 'x-shop-delivery-id': 'del_1', 'x-many': 'a, b' });
	});

	it('never overwrites the payload’s own headers field', () => {
		const options = { ...plain, payloadOnly: true, includeHeaders: true };
		const payload = { headers: 'mine', _headers: 'mine, too' };
		expect(itemOf(delivery({ payload }), { 'x-a': '1' }, options).json).toEqual({
			headers: 'mine',
			_headers: 'mine, too',
			__headers: { 'x-a': '1' },
		});
	});
});
