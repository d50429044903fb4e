import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { around, JSON_CASES, valueOf, type JsonCase } from '../../support/jsonSuite';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** Runs an operation on a record for each case, which the platform answers with a body made of the case. */
async function answered(
	method: string,
	bodyOf: (one: JsonCase) => Buffer,
	parameters: IDataObject,
): Promise<Array<[JsonCase, IDataObject]>> {
	JSON_CASES.forEach((one, at) =>
		nock(BASE_URL)
			.persist()
			.intercept(`/orders/ord_${at}`, method)
			.reply(200, bodyOf(one), { 'content-type': 'application/json' }),
	);
	const { items, error } = await runNode({
		parameters: { resource: 'order', orderId: byId('={{ "ord_" + $itemIndex }}'), ...parameters },
		items: JSON_CASES.map(() => ({})),
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(JSON_CASES.length);
	return items.map(({ json }, at) => [JSON_CASES[at], json]);
}

const inRecord = (one: JsonCase) => around('{"data":{"id":"ord_1","v":', one, '}}');
const get = { operation: 'get', simplify: false, requests: { maxRetryWait: 0 } };

const isRight = ({ error, v, id }: IDataObject, one: JsonCase): boolean => {
	if (one.kind === 'n') return error !== undefined;
	if (one.kind === 'i') return error !== undefined || id === 'ord_1';
	return JSON.stringify(v) === JSON.stringify(valueOf(one));
};

it.each<[string, IDataObject]>([
	['as they are', {}],
	['with decimals beside amounts', { decimalAmounts: 'number' }],
])('an answer with each case gives the record, or an error: %s', async (_what, options) => {
	const all = await answered('GET', inRecord, { ...get, options });
	const wrong = all.filter(([one, json]) => !isRight(json, one));
	expect(wrong.map(([{ name }]) => name)).toEqual([]);
});

it('an answer that is nothing but the case gives no record with fields of another', async () => {
	const all = await answered('GET', ({ text }) => text, get);
	const wrong = all.filter(([one, json]) => one.kind === 'n' && json.error === undefined);
	expect(wrong.map(([{ name }]) => name)).toEqual([]);
});

it('a write that was answered 200 is done, whatever JSON the answer holds', async () => {
	const update = { operation: 'update', updateFields: { merchant_note: 'x' } };
	const all = await answered('PATCH', inRecord, update);
	const wrong = all.filter(([one, json]) =>
		one.kind === 'n' ? json.success !== true : !isRight(json, one) && json.success !== true,
	);
	expect(wrong.map(([{ name }, json]) => [name, json.error])).toEqual([]);
});
