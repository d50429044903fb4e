import type { IDataObject } from 'n8n-workflow';

import { BASE_URL, byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';

/** A credential whose fields are expressions: n8n resolves them for each item. */
const BY_ITEM = {
	credentials: { baseUrl: `=${BASE_URL}/{{ $json.shop }}/v1`, apiKey: '=key_{{ $json.shop }}' },
};
const ITEMS = ['a', 'b', 'a', 'c', 'b'].map((shop, n) => ({
	shop,
	order: `ord_${n}`,
	note: `n${n}`,
}));
const NOTE = {
	orderId: byId('={{ $json.order }}'),
	updateFields: { merchant_note: '={{ $json.note }}' },
};
const DONE: StubAnswer = [200, { data: { id: 'rec_1' } }];

/** Each request with its shop and its key. */
const routesOf = (sent: ReturnType<typeof stubApi>) =>
	sent.map(({ route, headers }) => `${route} ${headers.authorization}`).sort();

describe('a credential with expressions', () => {
	it.each([true, false])(
		'sends each item to its own merchant, with its own key, in input order (Continue On Fail: %s)',
		async (continues) => {
			const sent = stubApi({ 'PATCH *': ({ body }) => [200, { data: body }] });
			const more = continues ? { onError: 'continueRegularOutput' as const } : {};
			const { json, items } = await runOperation('order.update', NOTE, {
				items: ITEMS,
				...BY_ITEM,
				...more,
			});
			expect(routesOf(sent)).toEqual(
				ITEMS.map(
					({ shop, order }) => `PATCH /${shop}/v1/orders/${order} Bearer key_${shop}`,
				).sort(),
			);
			expect(json.map(({ merchant_note }) => merchant_note)).toEqual(ITEMS.map(({ note }) => note));
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ITEMS.map((_, item) => ({ item })));
		},
	);

	it('sends each merchant its own batch, and its own import job', async () => {
		const products = ITEMS.map(({ shop }, n) => ({ shop, sku: `SKU-${n}`, title: `T${n}` }));
		const parameters = { sku: '={{ $json.sku }}', title: '={{ $json.title }}' };
		for (const [operation, path] of [
			['product.upsert', 'products/batch'],
			['product.importCatalog', 'jobs/catalog-import'],
		]) {
			const sent = stubApi({
				'POST *': ({ body }) => [
					200,
					{
						data: {
							id: 'job_1',
							status: 'completed',
							results: (body as { operations: IDataObject[] }).operations.map(({ sku }) => ({
								sku,
								status: 'updated',
							})),
						},
					},
				],
				'GET *': [[200, { data: { id: 'job_1', status: 'completed' } }]],
			});
			const { error } = await runOperation(operation, parameters, { items: products, ...BY_ITEM });
			expect(error).toBeUndefined();
			const posts = sent.filter(({ route }) => route.startsWith('POST'));
			posts.sort((a, b) => a.route.localeCompare(b.route));
			expect(
				posts.map(({ route, body }) => [
					route,
					(body as { operations: IDataObject[] }).operations.map(({ sku }) => sku),
				]),
			).toEqual([
				[`POST /a/v1/${path}`, ['SKU-0', 'SKU-2']],
				[`POST /b/v1/${path}`, ['SKU-1', 'SKU-4']],
				[`POST /c/v1/${path}`, ['SKU-3']],
			]);
		}
	});

	it('finds a mistake in the last item before a request goes to any merchant', async () => {
		const sent = stubApi({ '*': [DONE] });
		const items = [...ITEMS, { shop: 'a', order: '..', note: 'x' }];
		const { error } = await runOperation('order.update', NOTE, { items, ...BY_ITEM });
		expect(error?.context?.itemIndex).toBe(5);
		expect(sent).toEqual([]);
	});

	it('fails only the items of the merchant whose credential cannot be used', async () => {
		const sent = stubApi({ '*': [DONE] });
		const { failures } = await runOperation('order.update', NOTE, {
			items: ITEMS,
			credentials: { ...BY_ITEM.credentials, apiKey: '={{ $json.shop === "b" ? "" : "key" }}' },
			onError: 'continueRegularOutput',
		});
		expect(failures.map((failure) => failure?.message)).toEqual([
			undefined,
			expect.stringContaining('The API Key is empty'),
			undefined,
			undefined,
			expect.stringContaining('The API Key is empty'),
		]);
		expect(sent).toHaveLength(3);
	});

	it('does not stop one merchant’s writes because of another’s fault', async () => {
		stubApi({ 'PATCH /b/*': [[422, {}]], '*': [DONE] });
		const { failures } = await runOperation('order.update', NOTE, {
			items: ITEMS,
			...BY_ITEM,
			onError: 'continueRegularOutput',
		});
		expect(failures.map((failure) => failure !== undefined)).toEqual([
			false,
			true,
			false,
			false,
			true,
		]);
	});

	it('names each item once whose write may have been applied, whosever it is', async () => {
		stubApi({ 'PATCH *': [[500, {}]] });
		const { error } = await runOperation(
			'order.update',
			{ ...NOTE, requestOptions: { maxRetryWait: 0 } },
			{ items: ITEMS.slice(0, 2), ...BY_ITEM },
		);
		expect(error?.description).toContain('Item 1 may have been done as well: its answer was lost.');
	});
});
