import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, stubApi } from '../../support/engine';
import { around, JSON_CASES, valueOf, type JsonCase } from '../../support/jsonSuite';

/** Runs an operation on a record for each case, which the platform answers with a body made of the case. */
async function answered(
	operation: string,
	bodyOf: (one: JsonCase) => Buffer,
	parameters: IDataObject,
): Promise<Array<[JsonCase, IDataObject]>> {
	stubApi({
		'* /orders/*': ({ route }) => {
			const one = JSON_CASES[Number(route.split('_')[1])];
			return [200, bodyOf(one), { 'content-type': 'application/json' }];
		},
	});
	const { json, error } = await runOperation(
		operation,
		{ orderId: byId('={{ "ord_" + $itemIndex }}'), ...parameters },
		{ items: JSON_CASES.map(() => ({})), onError: 'continueRegularOutput' },
	);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(JSON_CASES.length);
	return json.map((one, at) => [JSON_CASES[at], one]);
}

const inRecord = (one: JsonCase) => around('{"data":{"id":"ord_1","v":', one, '}}');
const get = { simplify: false, requests: { maxRetryWait: 0 } };

const isRight = ({ error, v, id }: IDataObject, one: JsonCase): boolean => {
	if (one.kind === 'n') return error !== undefined;
	if (one.kind === 'i') return error !== undefined || id === 'ord_1';
	return JSON.stringify(v) === JSON.stringify(valueOf(one));
};

it.each<[string, IDataObject]>([
	['as they are', {}],
	['with decimals beside amounts', { decimalAmounts: 'number' }],
])('an answer with each case gives the record, or an error: %s', async (_what, options) => {
	const all = await answered('order.get', inRecord, { ...get, options });
	const wrong = all.filter(([one, json]) => !isRight(json, one));
	expect(wrong.map(([{ name }]) => name)).toEqual([]);
});

it('an answer that is nothing but the case gives no record with fields of another', async () => {
	const all = await answered('order.get', ({ text }) => text, get);
	const wrong = all.filter(([one, json]) => one.kind === 'n' && json.error === undefined);
	expect(wrong.map(([{ name }]) => name)).toEqual([]);
});

it('a write that was answered 200 is done, whatever JSON the answer holds', async () => {
	const update = { updateFields: { merchant_note: 'x' } };
	const all = await answered('order.update', inRecord, update);
	const wrong = all.filter(([one, json]) =>
		one.kind === 'n' ? json.success !== true : !isRight(json, one) && json.success !== true,
	);
	expect(wrong.map(([{ name }, json]) => [name, json.error])).toEqual([]);
});
