import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { API_KEY, ORIGIN } from '../../support/testShop';
import { byId } from '../../support/parameters';

const order = {
	resource: 'order',
	operation: 'get',
	orderId: byId('={{ $json.id }}'),
};

beforeAll(() => nock.disableNetConnect());
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	nock.cleanAll();
});
afterAll(() => nock.restore());

const failWith = async (status: number, body: nock.Body, headers: Record<string, string> = {}) => {
	nock(ORIGIN).get('/v1/orders/ord_1').times(20).reply(status, body, headers);
	const { error } = await runNode({ parameters: order, items: [{ id: 'ord_1' }] });
	expect(error).toBeDefined();
	return error as NonNullable<typeof error>;
};

describe('errors say what happened and what to do', () => {
	it.each([
		[401, {}, 'The API key was not accepted', 'sandbox and production use separate keys'],
		[403, {}, 'needs the scope orders.read', 'Create a key that has it'],
		[404, {}, 'The order “ord_1” was not found', 'Check the ID'],
		[
			409,
			{ error: { code: 'CONFLICT' } },
			'was changed in the meantime',
			'Read the current values',
		],
		[
			409,
			{ code: 'INVALID_STATE_TRANSITION' },
			'in a state that does not allow this',
			'look at its status',
		],
		[
			400,
			{ error: { code: 'INVALID_PARAMETER', message: 'unknown sort field' } },
			'refused a parameter',
			'unknown sort field',
		],
		[418, {}, 'refused the request (HTTP 418)', 'Check the values'],
		[503, {}, 'had a fault (HTTP 503) after 8 attempts', 'Try again later'],
		[200, '<html>', 'not from the Commerce Platform API', 'Check the Base URL'],
		[200, '', 'answer is empty', 'A record was expected'],
		[302, '', 'redirects elsewhere', 'https://evil.example'],
	])('%d %j', async (status, body, message, remedy) => {
		const error = await failWith(status, body, { location: 'https://evil.example/steal?x=1' });
		expect(error.message).toContain(message);
		expect(error.description).toContain(remedy);
		expect(error.context?.itemIndex).toBe(0);
	});

	it('shows the request id from wherever it is', async () => {
		expect((await failWith(404, { error: { request_id: 'req_body' } })).description).toContain(
			'Request ID: req_body',
		);
		nock.cleanAll();
		expect((await failWith(404, {}, { 'x-request-id': 'req_head' })).description).toContain(
			'Request ID: req_head',
		);
	});

	it('tells connection errors apart', async () => {
		nock(ORIGIN)
			.get('/v1/orders/ord_1')
			.times(20)
			.replyWithError(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
		const { error } = await runNode({ parameters: order, items: [{ id: 'ord_1' }] });
		expect(error?.message).toBe(
			'The platform at api.shop.example could not be reached after 8 attempts',
		);
		expect(error?.description).toContain('host name does not exist');
	});

	it('never shows the API key, even where the platform repeats it', async () => {
		const error = await failWith(400, {
			message: `Key ${API_KEY} is odd`,
			request_id: API_KEY,
			code: API_KEY,
		});
		expect(JSON.stringify([error, error.message, error.description, error.stack])).not.toContain(
			API_KEY,
		);
		expect(error.description).toContain('[API key]');
	});

	it('reports a credential that cannot work before anything is sent', async () => {
		const { error } = await runNode({
			parameters: order,
			credentials: { baseUrl: `${ORIGIN}/v2`, apiKey: 'k' },
		});
		expect(error?.message).toContain('does not end in /v1');
	});
});

describe('items', () => {
	const replies = () => {
		for (const id of ['a', 'b', 'd'])
			nock(ORIGIN)
				.get(`/v1/orders/${id}`)
				.delay(id === 'a' ? 30 : 0)
				.reply(200, { data: { id } });
		nock(ORIGIN)
			.get('/v1/orders/c')
			.reply(404, { error: { code: 'NOT_FOUND', request_id: 'req_c' } });
	};
	const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }));

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'gives every item the reason where nothing can be sent at all (%s)',
		async (onError) => {
			const result = await runNode({
				parameters: order,
				items,
				onError,
				credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: '' },
			});
			const failed = onError === 'continueRegularOutput' ? result.items : result.errorItems;
			expect(failed.map(({ json }) => json.error)).toEqual(
				items.map(() => expect.stringContaining('The API Key is empty')),
			);
			expect(result.items).toHaveLength(onError === 'continueRegularOutput' ? items.length : 0);
		},
	);

	it('stops at the first failure, naming the item, and starts no further one', async () => {
		replies();
		const { error } = await runNode({
			parameters: { ...order, requests: { maxRequestsAtOnce: 1 } },
			items,
		});
		expect(error?.context?.itemIndex).toBe(2);
		expect(error?.description).toContain('2 of 4 items were done');
		expect(nock.pendingMocks()).toEqual([`GET ${ORIGIN}:443/v1/orders/d`]);
	});

	it('finds a mistake in the last item before the first request goes out', async () => {
		replies();
		const last = [...items.slice(0, 3), { id: '..' }];
		const { error } = await runNode({ parameters: order, items: last });
		expect(error?.context?.itemIndex).toBe(3);
		expect(error?.description).toContain('0 of 4 items were done');
		expect(nock.pendingMocks()).toHaveLength(4);
	});

	it('keeps the others with Continue On Fail, in input order and linked', async () => {
		replies();
		const result = await runNode({ parameters: order, items, onError: 'continueRegularOutput' });
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json.id ?? json.error)).toEqual([
			'a',
			'b',
			'The order “c” was not found',
			'd',
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(result.items[2].json).toMatchObject({
			status: 404,
			code: 'NOT_FOUND',
			request_id: 'req_c',
		});
	});

	it('sends failed items to the error output, with the input beside the error', async () => {
		replies();
		const result = await runNode({ parameters: order, items, onError: 'continueErrorOutput' });
		expect(result.items.map(({ json }) => json.id)).toEqual(['a', 'b', 'd']);
		expect(result.errorItems).toHaveLength(1);
		expect(result.errorItems[0].json).toMatchObject({
			id: 'c',
			status: 404,
			code: 'NOT_FOUND',
			request_id: 'req_c',
		});
	});

	it('sends exactly the intended path for 500 hostile ids, or nothing', async () => {
		const parts = [
			'..',
			'.',
			'/',
			'\\',
			'?',
			'#',
			'%2e',
			'%2f',
			'@',
			':',
			'//evil.example',
			' ',
			'é',
			'\u202e',
			'😀',
			'\r\n',
			'\u0000',
			'\ud800',
			';',
			'&',
			'=',
			'ord_1',
		];
		const ids = Array.from({ length: 500 }, (_, n) =>
			n === 0
				? ''
				: n === 1
					? 'x'.repeat(10_240)
					: [parts[n % 22], parts[(n * 7) % 22], parts[(n >> 3) % 22]]
							.slice(0, 1 + (n % 3))
							.join(''),
		);
		const sent: string[] = [];
		nock(/.*/)
			.get(() => true)
			.times(500)
			.reply((uri, _body) => {
				sent.push(uri);
				return [200, { data: {} }];
			});
		const { items: results } = await runNode({
			parameters: order,
			items: ids.map((id) => ({ id })),
			onError: 'continueRegularOutput',
		});
		const intended = new Map<string, number>();
		results.forEach(({ json }, n) => {
			if (json.error === undefined)
				intended.set(`/v1/orders/${encodeURIComponent(ids[n].trim())}`, n);
		});
		expect(results).toHaveLength(500);
		expect(new Set(sent)).toEqual(new Set(intended.keys()));
		expect(sent.every((path) => /^\/v1\/orders\/[^/?#]+$/.test(path))).toBe(true);
	});
});

describe('safety', () => {
	it('refuses an answer that is larger than anything the API can mean', async () => {
		const huge = `{"data":{"id":"ord_1","padding":"${'x'.repeat(51 * 1024 * 1024)}"}}`;
		const error = await failWith(200, huge, { 'content-type': 'application/json' });
		expect(error.message).toBe('The platform’s answer is too large');
	});

	it('does not follow a redirect to another host, and takes no key there', async () => {
		let asked = 0;
		nock('https://evil.example')
			.get(() => true)
			.reply(() => {
				asked++;
				return [200, { data: {} }];
			});
		await failWith(307, '', { location: 'https://evil.example/v1/orders/ord_1' });
		expect(asked).toBe(0);
	});
});
