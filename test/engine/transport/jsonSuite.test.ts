import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, stubApi } from '../../support/engine';
import { around, JSON_CASES, valueOf, type JsonCase } from '../../support/jsonSuite';

/** Runs an operation on a record for each case, which the platform answers with a record that holds the case. */
async function answered(
	operation: string,
	parameters: IDataObject,
): Promise<Array<[JsonCase, IDataObject]>> {
	stubApi({
		'* /orders/*': ({ route }) => {
			const one = JSON_CASES[Number(route.split('_')[1])];
			const body = around('{"data":{"id":"ord_1","v":', one, '}}');
			return [200, body, { 'content-type': 'application/json' }];
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

const isRight = ({ error, v, id }: IDataObject, one: JsonCase): boolean => {
	if (one.kind === 'n') return error !== undefined;
	if (one.kind === 'i') return error !== undefined || id === 'ord_1';
	return JSON.stringify(v) === JSON.stringify(valueOf(one));
};

it.each<[string, IDataObject]>([
	['as they are', {}],
	['with decimals beside amounts', { decimalAmounts: 'number' }],
])('an answer with each case gives the record, or an error: %s', async (_what, options) => {
	const requests = { maxRetryWait: 0 };
	const all = await answered('order.get', { simplify: false, requests, options });
	const wrong = all.filter(([one, json]) => !isRight(json, one));
	expect(wrong.map(([{ name }]) => name)).toEqual([]);
});

it('a write that was answered 200 is done, whatever JSON the answer holds', async () => {
	const all = await answered('order.update', { updateFields: { merchant_note: 'x' } });
	const wrong = all.filter(([one, json]) =>
		one.kind === 'n' ? json.success !== true : !isRight(json, one) && json.success !== true,
	);
	expect(wrong.map(([{ name }, json]) => [name, json.error])).toEqual([]);
});
