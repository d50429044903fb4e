import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();

const UNKNOWN = '/products/prod_none';
const message = 'There is no product prod_none';
const request_id = expect.stringMatching(/^req_/);
const body = async (dialect: Switches) =>
	await shop.json({ requestId: 'header', ...dialect }, UNKNOWN);

describe('errorShape', () => {
	const code = 'NOT_FOUND';

	it.each([
		['nested', { error: { code, message } }],
		['flat', { code, message }],
		['word', { error: code, message }],
		['type', { error: { type: code, message } }],
		['camel', { errorCode: code, errorMessage: message }],
		['list', { errors: [{ code, detail: message }] }],
		[
			'problem',
			{ type: 'about:blank', title: 'Request refused', status: 404, detail: message, code },
		],
		['deep', { status: 404, error: { details: { reason: { code, message } } } }],
		['envelope', { type: 'error', error: { code, message } }],
		['reason', { statusCode: 404, error: 'Not Found', message }],
		[
			'address',
			{
				type: 'https://shop.example/problems/not_found',
				title: 'Not Found',
				status: 404,
				detail: message,
			},
		],
	])('is %s', async (errorShape, expected) => {
		expect(await body({ errorShape })).toEqual(expected);
	});

	it('is the same where there is no such endpoint, and for a fault that was switched on', async () => {
		expect(await shop.json({ errorShape: 'word' }, '/baskets')).toMatchObject({ error: code });
		await shop.platform.control.setFaults([{ fault: 'status', status: 503 }]);
		expect(await shop.json({ errorShape: 'word' }, '/orders')).toMatchObject({
			error: 'UNAVAILABLE',
		});
	});
});

describe('requestId', () => {
	it.each([
		['nested', { error: { request_id } }],
		['top', { request_id }],
		['meta', { meta: { request_id } }],
	])('stands %s', async (requestId, expected) => {
		expect(await shop.json({ requestId }, UNKNOWN)).toMatchObject(expected);
	});

	it('stands beside the code in every shape', async () => {
		expect(await shop.json({ errorShape: 'list' }, UNKNOWN)).toMatchObject({
			errors: [{ request_id }],
		});
		expect(await shop.json({ errorShape: 'deep' }, UNKNOWN)).toMatchObject({
			error: { details: { reason: { request_id } } },
		});
	});

	it('is in the header only, or nowhere', async () => {
		const header = await shop.in({ requestId: 'header' }, UNKNOWN);
		expect(header.headers['x-request-id']).toEqual(request_id);
		const absent = await shop.in({ requestId: 'absent' }, UNKNOWN);
		expect(absent.headers['x-request-id']).toBeUndefined();
		for (const { text } of [header, absent]) expect(text).not.toContain('req_');
	});
});

describe('errorCodes', () => {
	const SHOWN = '/products?sort=none:asc';
	const codes = async (errorCodes: string) =>
		await Promise.all(
			[UNKNOWN, SHOWN].map(async (path) => {
				const { json } = await shop.api.send(path);
				return (json as { error: { code?: string } }).error.code ?? errorCodes;
			}),
		);

	it.each([
		['words', ['NOT_FOUND', 'INVALID_PARAMETER']],
		['lower', ['not_found', 'INVALID_PARAMETER']],
		['onlyShown', ['onlyShown', 'INVALID_PARAMETER']],
		['absent', ['absent', 'absent']],
	])('are %s', async (errorCodes, expected) => {
		await shop.in({ errorCodes }, '/account');
		expect(await codes(errorCodes)).toEqual(expected);
	});
});

describe('the statuses that are not shown', () => {
	it.each([
		['authenticationFailure', 'unauthorized', 401],
		['authenticationFailure', 'forbidden', 403],
		['authenticationFailure', 'badRequest', 400],
	])('%s can be %s', async (name, value, status) => {
		expect((await shop.in({ [name]: value }, '/account', { apiKey: 'none' })).status).toBe(status);
	});

	it.each([
		['forbidden', 403],
		['unauthorized', 401],
		['notFound', 404],
	])('missingScope can be %s', async (missingScope, status) => {
		const { apiKey } = await shop.platform.control.createKey({ scopes: ['orders.read'] });
		expect((await shop.in({ missingScope }, '/products', { apiKey })).status).toBe(status);
		expect((await shop.in({ missingScope }, '/orders', { apiKey })).status).toBe(200);
	});

	it.each([
		['notFound', 404],
		['gone', 410],
		['badRequest', 400],
	])('unknownResource can be %s', async (unknownResource, status) => {
		expect((await shop.in({ unknownResource }, UNKNOWN)).status).toBe(status);
		expect((await shop.in({ unknownResource }, '/webhooks/wh_none')).status).toBe(status);
	});
});
