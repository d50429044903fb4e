import { setTimeout as wait } from 'node:timers/promises';

import {
	BASE_URL,
	byId,
	type NodeRun,
	runOperation,
	stubApi,
	withLeastWaits,
} from '../../support/engine';

withLeastWaits();

const getOrders = async (ids: string[], more: Partial<NodeRun> = {}, requestOptions = {}) => {
	const items = ids.map((id) => ({ id }));
	const orderId = byId('={{ $json.id }}');
	return await runOperation('order.get', { orderId, requestOptions }, { items, ...more });
};

const failWith = async (...answer: [number, unknown?, Record<string, string>?]) => {
	stubApi({ 'GET /orders/ord_1': [answer] });
	const { error } = await getOrders(['ord_1']);
	expect(error).toBeDefined();
	return error as NonNullable<typeof error>;
};

describe('errors say what happened and what to do', () => {
	it.each([
		[401, {}, 'The API key was not accepted', 'sandbox and production use separate keys'],
		[403, {}, 'needs the scope orders.read', 'Create a key that has it'],
		[404, {}, 'The order “ord_1” was not found', 'Check the ID'],
		[410, {}, 'The order “ord_1” was not found', 'Check the ID'],
		[409, { code: 'CONFLICT' }, 'was changed in the meantime', 'Read the current values'],
		[409, { code: 'INVALID_STATE_TRANSITION' }, 'does not allow this', 'look at its status'],
		[400, { code: 'INVALID_PARAMETER' }, 'refused a parameter', 'Check the filters'],
		[
			400,
			{ code: 'X', message: 'no sort' },
			'Order “ord_1”: no sort (HTTP 400)',
			'Check the values',
		],
		[422, { message: 'no sort' }, 'Order “ord_1”: no sort (HTTP 422)', 'Check the values'],
		[418, {}, 'refused the request (HTTP 418)', 'Check the values'],
		[503, {}, 'had a fault (HTTP 503) after 8 attempts', 'Try again later'],
		[200, '<html>', 'A web page came instead', 'Your API key may still be fine'],
		[401, '<html>', 'A web page came instead', 'Your API key may still be fine'],
		[403, '<html>', 'A web page came instead', 'Your API key may still be fine'],
		[404, '<html>', 'A web page came instead', 'Your API key may still be fine'],
		[502, '<html>', 'or a server before it, had a fault (HTTP 502) after 8', 'A web page came'],
		[403, 'no', 'The request was not allowed (HTTP 403)', 'a firewall may have'],
		[200, 'no JSON', 'not from the Commerce Platform API', 'Something on the way'],
		[200, '', 'answer is empty', 'A record was expected'],
		[200, { error: { message: 'no such order' } }, 'did not do what was asked', 'no such order'],
		[302, '', 'redirects elsewhere', 'https://evil.example'],
	])('%d %j', async (status, body, message, remedy) => {
		const location = 'https://evil.example/steal?x=1';
		const error = await failWith(status, body, { location });
		expect(error.message).toContain(message);
		expect(error.description).toContain(remedy);
		expect(error.context?.itemIndex).toBe(0);
	});

	it('shows the request id from wherever it is', async () => {
		const inBody = await failWith(404, { error: { request_id: 'req_body' } });
		expect(inBody.description).toContain('Request ID: req_body');
		const inHeader = await failWith(404, {}, { 'x-request-id': 'req_head' });
		expect(inHeader.description).toContain('Request ID: req_head');
	});

	it('tells connection errors apart', async () => {
		const where = 'The platform at api.shop.example could not be reached';
		stubApi({ 'GET *': ['ENOTFOUND'] });
		const unknown = (await getOrders(['ord_1'])).error;
		expect(unknown?.message).toBe(where);
		expect(unknown?.description).toContain(
			'host name does not exist (ENOTFOUND at api.shop.example',
		);
		stubApi({ 'GET *': ['ECONNREFUSED'] });
		const closed = (await getOrders(['ord_1'])).error;
		expect(closed?.message).toBe(`${where} after 8 attempts`);
		expect(closed?.description).toContain('nothing accepts connections there (ECONNREFUSED at');
	});
});

describe('items', () => {
	const IDS = ['a', 'b', 'c', 'd'];
	/** Serves records; the third one does not exist. */
	const served = () =>
		stubApi({
			'GET /orders/c': [[404, { error: { code: 'NOT_FOUND', request_id: 'req_c' } }]],
			'GET *': ({ route }) => [200, { data: { id: route.at(-1) } }],
		});
	const reason = { status: 404, code: 'NOT_FOUND', request_id: 'req_c' };

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'gives every item the reason if nothing can be sent at all (%s)',
		async (onError) => {
			const credentials = { baseUrl: BASE_URL, apiKey: '' };
			const { items, errorItems } = await getOrders(IDS, { onError, credentials });
			const [failed, others] =
				onError === 'continueRegularOutput' ? [items, errorItems] : [errorItems, items];
			const error = expect.stringContaining('The API Key is empty') as string;
			expect(failed.map(({ json }) => json)).toMatchObject(IDS.map((id) => ({ id, error })));
			expect(others).toEqual([]);
		},
	);

	it('stops at the first failure, naming the item, and starts no further one', async () => {
		const sent = served();
		const { error } = await getOrders(IDS, {}, { maxRequestsAtOnce: 1 });
		expect(error?.context?.itemIndex).toBe(2);
		expect(error?.description).toContain('2 of 4 items were done');
		expect(sent).toHaveLength(3);
	});

	it('names the first failed item in input order, even if a later one failed earlier', async () => {
		stubApi({
			'GET *': async ({ route }) => {
				if (route.endsWith('a')) await wait(50);
				return [404, { error: { code: 'NOT_FOUND' } }];
			},
		});
		const { error } = await getOrders(['a', 'b']);
		expect(error?.message).toBe('The order “a” was not found');
		expect(error?.context?.itemIndex).toBe(0);
	});

	it('finds a mistake in the last item before the first request goes out', async () => {
		const sent = served();
		const { error } = await getOrders(['a', 'b', 'c', '..']);
		expect(error?.context?.itemIndex).toBe(3);
		expect(error?.description).toContain('0 of 4 items were done');
		expect(sent).toEqual([]);
	});

	it('keeps the others with Continue On Fail, in input order and linked', async () => {
		served();
		const { error, items, json, failures } = await getOrders(IDS, {
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		const names = ['a', 'b', 'The order “c” was not found', 'd'];
		expect(json.map(({ id }, at) => failures[at]?.message ?? id)).toEqual(names);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(IDS.map((_, item) => ({ item })));
		expect(json[2]).toMatchObject({ id: 'c', errorDetails: reason });
	});

	it('sends failed items to the error output, with the input beside the error', async () => {
		served();
		const { json, errorItems } = await getOrders(IDS, { onError: 'continueErrorOutput' });
		expect(json.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
		expect(errorItems.map((one) => one.json)).toMatchObject([{ id: 'c', errorDetails: reason }]);
	});
});
