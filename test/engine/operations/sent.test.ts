import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';

/** Runs an operation; every request is answered with a record, unless another answer is given. */
async function send(operation: string, parameters: IDataObject, answer?: StubAnswer) {
	const sent = stubApi({ '*': [answer ?? [200, { data: { id: 'rec_1' } }]] });
	return { sent, result: await runOperation(operation, parameters) };
}

it('keeps what it does not know of a price, and takes out what it has put there itself', async () => {
	const price = { amount: 1999, currency: 'EUR', compare_at: 2500 };
	const variant = { sku: 'A', prices: [price], barcode: null };
	const read = { ...variant, prices: [{ ...price, decimal: 19.99 }] };
	const additionalFields = { variantsJson: JSON.stringify([read]) };
	const { sent } = await send('product.create', { title: 'Shirt', additionalFields });
	expect(sent[0].body).toEqual({ title: 'Shirt', variants: [variant] });
});

describe.each(['set', 'adjust'])('If-Match of %s', (operation) => {
	it.each([
		['={{ 7 }}', '"7"'],
		['7', '"7"'],
		['"7"', '"7"'],
		['W/"7"', 'W/"7"'],
		['*', '*'],
	])('takes the version %s', async (ifMatch, header) => {
		const level = { sku: 'A', locationId: 'sloc_1', quantity: 1, delta: 1 };
		const { sent } = await send(`inventory.${operation}`, { ...level, options: { ifMatch } });
		expect(sent[0].headers['if-match']).toBe(header);
	});
});

it('a conflict of an adjustment sends the difference again without If-Match, where that is chosen', async () => {
	const level = { sku: 'A', location_id: 'sloc_1', quantity: 5 };
	const sent = stubApi({ 'POST *': [[409], [200, { data: level }]] });
	const options = { ifMatch: '7', onConflict: 'overwrite' };
	const parameters = { sku: 'A', locationId: 'sloc_1', delta: -1, options };
	expect((await runOperation('inventory.adjust', parameters)).json).toEqual([level]);
	expect(sent.map(({ headers }) => headers['if-match'])).toEqual(['"7"', undefined]);
	expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
});

it('a list says that nothing has changed, where its ETag is known', async () => {
	const parameters = { returnAll: true, requests: { ifNoneMatch: '"abc"' } };
	const { sent, result } = await send('customer.getAll', parameters, [304]);
	expect(sent[0].headers['if-none-match']).toBe('"abc"');
	expect(result.json).toEqual([{ notModified: true }]);
});

it('a record that has not changed since its ETag is said to be so', async () => {
	const options = { includeMetadata: true };
	const parameters = { orderId: byId('ord_1'), options, requests: { ifNoneMatch: '"v1"' } };
	const { sent, result } = await send('order.get', parameters, [304, '', { etag: '"v1"' }]);
	expect(sent[0].headers['if-none-match']).toBe('"v1"');
	const _meta = { etag: '"v1"', status: 304 };
	expect(result.json).toMatchObject([{ notModified: true, id: 'ord_1', _meta }]);
});
