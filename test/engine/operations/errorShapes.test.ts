import type { IDataObject } from 'n8n-workflow';

import { shapeError } from '../../platform/api/shaping/errors';
import { parseDialect } from '../../platform/dialects/dialect';
import { valuesOf } from '../../platform/dialects/table';
import { byId, runOperation, stubApi } from '../../support/engine';

const ORDER = { orderId: byId('ord_1') };
const LEVEL = { sku: 'A', locationId: 'sloc_main' };
const current = { status: 'fulfilled', quantity: 3 };

/** Writes that give the present record where they are refused: what they are refused for, and how their item says it. */
const REFUSED: Array<[operation: string, code: string, skipped: string, parameters: IDataObject]> =
	[
		[
			'inventory.set',
			'CONFLICT',
			'writeSkipped',
			{ ...LEVEL, quantity: 1, options: { onConflict: 'returnCurrent' } },
		],
		[
			'inventory.adjust',
			'CONFLICT',
			'writeSkipped',
			{ ...LEVEL, delta: -1, options: { onConflict: 'returnCurrent', ifMatch: '7' } },
		],
		[
			'order.cancel',
			'INVALID_STATE_TRANSITION',
			'transitionSkipped',
			{ ...ORDER, options: { ifNotAllowed: 'returnCurrent' } },
		],
	];

/** Runs a write that is answered 409, where the present record can be read. */
async function refusedWith(
	body: IDataObject | undefined,
	operation: string,
	parameters: IDataObject,
) {
	stubApi({
		'GET /inventory/levels': [
			[200, { data: [{ sku: 'A', location_id: 'sloc_main', ...current }] }],
		],
		'GET /orders/ord_1': [[200, { data: { id: 'ord_1', ...current } }]],
		'*': [[409, body]],
	});
	return await runOperation(operation, parameters);
}

/** Bodies that give no code, as frameworks and standards make them; errorBody.test.ts has more. */
const WITHOUT_CODE: Array<IDataObject | undefined> = [
	undefined,
	{ statusCode: 409, message: 'stale', error: 'Conflict' },
	{ type: 'https://shop.example/problems/conflict', title: 'Conflict', status: 409 },
];

/** How a platform may write a code; errorBody.test.ts has all ways. */
const withCode = (code: string): IDataObject[] => [
	{ error: { code } },
	{ error: code.toLowerCase().replaceAll('_', '-'), current: { code: 'SUMMER' } },
];

describe.each(REFUSED)('a 409 to %s', (operation, code, skipped, parameters) => {
	it.each([...WITHOUT_CODE, ...withCode(code)])(
		`without a code or as ${code} gives the present record: %j`,
		async (body) => {
			const { error, json } = await refusedWith(body, operation, parameters);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ ...current, [skipped]: true }]);
		},
	);

	const others = code === 'CONFLICT' ? [] : withCode('CONFLICT');
	it.each([...others, ...withCode('NOT_LINKED')])(
		'that means something else stays an error: %j',
		async (body) => {
			const { error } = await refusedWith(body, operation, parameters);
			expect(error?.context).toMatchObject({ status: 409 });
		},
	);
});

const WRITES: Array<[string, IDataObject]> = [
	...REFUSED.map(([operation, , , parameters]) => [operation, parameters] as [string, IDataObject]),
	['order.refund', { ...ORDER, extent: 'platform' }],
	['product.delete', { productId: byId('prod_1') }],
];
const READS: Array<[string, IDataObject]> = [
	['order.get', ORDER],
	['product.getAll', {}],
];

const SHAPES = valuesOf('errorShape').map((shape) => {
	const refusal = { code: 'NOT_LINKED', message: 'No payment provider', request_id: 'req_1' };
	const { body } = shapeError(409, { error: refusal }, parseDialect(`errorShape=${shape}`));
	return [shape, body as IDataObject] as const;
});
const saysError = (body: IDataObject) => 'error' in body || 'errors' in body;

describe.each(SHAPES.filter(([, body]) => saysError(body)))(
	'an error that was answered 200, in the form “%s”',
	(_shape, body) => {
		it.each([...WRITES, ...READS])(
			'fails %s, and asks for no further try of a write',
			async (operation, parameters) => {
				stubApi({ '*': [[200, body]] });
				const { error, items } = await runOperation(operation, parameters);
				expect(items).toEqual([]);
				expect(error?.message).toBe('The platform answered with an error');
				if (/\.get/.test(operation)) return;
				expect(error?.description).toContain('No payment provider');
				expect(error?.description).toContain('Look at the record before you send it again.');
				expect(error?.description).not.toMatch(/try again/i);
				expect(error?.context?.request_id).toBe('req_1');
			},
		);
	},
);
