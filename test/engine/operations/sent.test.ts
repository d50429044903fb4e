import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode, TEST_BASE_URL, type NodeResult } from '../engine';
import { byId } from '../../support/parameters';

interface Sent {
	body: unknown;
	headers: Record<string, string>;
}

afterEach(() => nock.cleanAll());

/** Runs the node once; every write is answered with a record. */
async function send(parameters: IDataObject): Promise<{ sent: Sent[]; result: NodeResult }> {
	const sent: Sent[] = [];
	for (const method of ['POST', 'PUT', 'PATCH']) {
		nock(TEST_BASE_URL)
			.persist()
			.intercept(/.*/, method)
			.reply(function (_uri, body) {
				sent.push({ body, headers: this.req.headers as Record<string, string> });
				return [200, { data: { id: 'rec_1' } }];
			});
	}
	return { sent, result: await runNode({ parameters }) };
}

it('fulfils everything that is open by sending no items, only where that is chosen', async () => {
	const fulfill = { resource: 'order', operation: 'fulfill', orderId: byId('ord_1') };
	const chosen = await send({ ...fulfill, specifyItems: 'everything', carrier: 'dhl' });
	expect(chosen.sent.map(({ body }) => body)).toEqual([{ carrier: 'dhl' }]);
	for (const items of [{}, { item: [] }]) {
		nock.cleanAll();
		const { sent, result } = await send({ ...fulfill, specifyItems: 'defineBelow', items });
		expect(sent).toEqual([]);
		expect(result.error?.message).toBe('“Items” is empty');
	}
});

it('keeps what it does not know of a price, and takes out what it has put there itself', async () => {
	const price = { amount: 1999, currency: 'EUR', decimal: '19.99', compare_at: 2500 };
	const { sent } = await send({
		resource: 'product',
		operation: 'create',
		title: 'Shirt',
		additionalFields: {
			variantsJson: JSON.stringify([{ sku: 'A', prices: [price], barcode: null }]),
		},
	});
	expect(sent[0].body).toEqual({
		title: 'Shirt',
		variants: [
			{ sku: 'A', prices: [{ amount: 1999, currency: 'EUR', compare_at: 2500 }], barcode: null },
		],
	});
});
