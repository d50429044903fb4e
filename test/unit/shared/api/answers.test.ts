import fc from 'fast-check';

import {
	findErrorCode,
	findErrorMessage,
	findRequestId,
} from '../../../../nodes/shared/api/errorBody';
import { idempotencyKeyOf, type WriteIdentity } from '../../../../nodes/shared/api/idempotencyKey';
import { readPage } from '../../../../nodes/shared/api/page';

describe('error bodies', () => {
	it.each([
		[{ request_id: 'req_1' }],
		[{ error: { code: 'X', request_id: 'req_1' } }],
		[{ errors: [{ meta: { requestId: 'req_1' } }] }],
	])('finds the request id in %j', (body) => {
		expect(findRequestId(body, {})).toBe('req_1');
	});

	it('finds the request id in the headers where the body has none', () => {
		expect(findRequestId({}, { 'x-request-id': 'req_2' })).toBe('req_2');
		expect(findRequestId('<html>', { 'x-shop-request-id': 'req_3' })).toBe('req_3');
		expect(findRequestId(undefined, {})).toBeUndefined();
	});

	it('finds code and message wherever they are, the outermost first', () => {
		expect(findErrorCode({ error: { code: 'CONFLICT' } })).toBe('CONFLICT');
		expect(findErrorMessage({ message: 'outer', error: { message: 'inner' } })).toBe('outer');
		expect(findErrorMessage({ error: 'plain' })).toBe('plain');
		expect(findErrorMessage({ error: { message: 'x'.repeat(9_999) } })).toHaveLength(501);
	});

	it('survives any JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
				for (const find of [findErrorCode, findErrorMessage])
					expect(['string', 'undefined']).toContain(typeof find(body));
			}),
		);
	});
});

describe('readPage', () => {
	it('reads data and pagination', () => {
		expect(
			readPage({ data: [{ id: 1 }], pagination: { limit: 1, next_cursor: 'c', has_more: true } }),
		).toMatchObject({
			records: [{ id: 1 }],
			nextCursor: 'c',
			hasMore: true,
		});
	});

	it('takes a list without pagination as its only page', () => {
		expect(readPage({ data: [] })).toEqual({
			records: [],
			pagination: undefined,
			nextCursor: undefined,
			hasMore: false,
		});
		expect(readPage([{ id: 1 }])).toMatchObject({ hasMore: false });
	});

	it.each([
		[undefined],
		['<html>'],
		[{}],
		[{ data: {} }],
		[{ data: [1] }],
		[{ data: [null] }],
		[{ data: [], pagination: { has_more: true } }],
		[{ data: [], pagination: { has_more: true, next_cursor: null } }],
		[{ data: [], pagination: { has_more: true, next_cursor: '' } }],
		[{ data: [], pagination: { has_more: true, next_cursor: 5 } }],
	])('says why %j is no page', (body) => {
		expect(typeof readPage(body)).toBe('string');
	});

	it('survives any JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (body) => expect(readPage(body)).toBeDefined()));
	});
});

describe('idempotencyKeyOf', () => {
	const identity: WriteIdentity = {
		workflowId: 'w',
		nodeId: 'n',
		executionId: 'e',
		runIndex: 0,
		itemIndex: 0,
		operation: 'order.cancel',
	};

	it('is the same for the same write, and printable', () => {
		expect(idempotencyKeyOf({ ...identity })).toBe(idempotencyKeyOf(identity));
		expect(idempotencyKeyOf(identity)).toMatch(/^[\w-]{43}$/);
	});

	it('differs in every part', () => {
		const parts = fc.record({
			workflowId: fc.string(),
			nodeId: fc.string(),
			executionId: fc.string(),
			runIndex: fc.nat(5),
			itemIndex: fc.nat(5),
			operation: fc.string(),
			step: fc.string(),
		});
		fc.assert(
			fc.property(parts, parts, (a, b) => {
				const same = JSON.stringify(Object.values(a)) === JSON.stringify(Object.values(b));
				expect(idempotencyKeyOf(a) === idempotencyKeyOf(b)).toBe(same);
			}),
		);
	});
});
