import fc from 'fast-check';

import {
	findErrorCode,
	findErrorMessage,
	findRequestId,
} from '../../../../nodes/shared/errors/errorBody';

describe('error bodies', () => {
	const LONG = 'x'.repeat(201);

	it.each<[unknown, Record<string, string>, string | undefined]>([
		...['request_id', 'requestId', 'requestID', 'request-id'].map(
			(key): [unknown, Record<string, string>, string] => [
				{ error: { [key]: 'req_1' } },
				{},
				'req_1',
			],
		),
		[{ errors: [{ meta: { requestId: 'req_1' } }] }, {}, 'req_1'],
		[{ request_id: 'req_1' }, { 'x-request-id': 'req_2' }, 'req_1'],
		[{}, { 'x-request-id': 'req_2' }, 'req_2'],
		['<html>', { 'x-shop-request-id': 'req_3' }, 'req_3'],
		[{}, { date: 'today', 'via-request-id': 'req_5', 'x-request-id': 'req_6' }, 'req_6'],
		[{}, { date: 'today', 'via-request-id': 'req_5' }, 'req_5'],
		[{}, { date: 'today' }, undefined],
		[undefined, {}, undefined],
		[{ request_id: LONG }, {}, `${LONG.slice(1)}…`],
		[{}, { 'x-request-id': LONG }, `${LONG.slice(1)}…`],
	])('finds the request id in %j, or in the headers %j', (body, headers, id) => {
		expect(findRequestId(body, headers)).toBe(id);
	});

	it.each<[unknown, string | undefined]>([
		...['message', 'detail', 'error_description', 'error_message', 'errorMessage', 'title'].map(
			(key): [unknown, string] => [{ errors: [{ [key]: 'what happened' }] }, 'what happened'],
		),
		[{ message: 'outer', error: { message: 'inner' } }, 'outer'],
		[{ error: 'plain' }, 'plain'],
		[{ error: 5 }, undefined],
		[{ message: 'x'.repeat(500) }, 'x'.repeat(500)],
		[{ error: { message: 'x'.repeat(501) } }, `${'x'.repeat(500)}…`],
	])('finds the message of %j', (body, message) => {
		expect(findErrorMessage(body)).toBe(message);
	});

	it.each([
		[{ code: 'A' }, 'A'],
		[{ error: 'invalid_request' }, 'invalid_request'],
		[{ error: 'Something went wrong' }, undefined],
		[{ error: { type: 'card_error' } }, 'card_error'],
		[{ type: 'https://errors.example/conflict' }, 'https://errors.example/conflict'],
		[{ type: 'about blank' }, undefined],
		[{ type: 'about:blank' }, undefined],
		[{ type: 'about:blank', errors: [{ code: 'CONFLICT' }] }, 'CONFLICT'],
		[{ errorCode: 'B' }, 'B'],
		[{ error_code: 'C' }, 'C'],
		[{ errors: [{ code: 'D' }] }, 'D'],
		[{ errors: [{ detail: 'x' }, { code: 'E' }] }, 'E'],
		[{ error: { errors: [{ reason: { code: 'F' } }] } }, 'F'],
		[{ type: 'error', code: 'G' }, 'G'],
		[{ type: 'error', error: { type: 'h_i' } }, 'h_i'],
		[{ type: 'Error', error: { code: 'J' } }, 'J'],
		[{ error: 'K', details: { code: 'L' } }, 'L'],
		[{ error: 'conflict', details: { code: 'L' } }, 'conflict'],
		[{ error: { code: 'M', details: [{ code: 'CONFLICT' }] } }, 'M'],
		[{ type: 'https://errors.example/conflict', error: 'stale' }, 'stale'],
		[{ type: 'urn:problem:stale', error: 'stale' }, 'stale'],
		[{ type: '/problems/stale' }, undefined],
		[{ code: 'order:not_found' }, 'order:not_found'],
		[{ statusCode: 409, error: 'Conflict' }, undefined],
		[{ code: '409', error: 'Gone' }, undefined],
		[{ code: '40901' }, '40901'],
		[{ error: 'Forbidden', code: 'N' }, 'N'],
		[{ error: 'conflict' }, 'conflict'],
		[{ code: '', error: 'fallback' }, 'fallback'],
		[{ code: 17 }, undefined],
		[{ a: { b: { c: { d: { e: { code: 'six levels' } } } } } }, 'six levels'],
		[{ a: { b: { c: { d: { e: { f: { code: 'seven' } } } } } } }, undefined],
		['CONFLICT', undefined],
		[null, undefined],
	])('finds the code of %j', (body, code) => {
		expect(findErrorCode(body)).toBe(code);
	});

	it('cuts a code that is too long to be read', () => {
		expect(findErrorCode({ code: 'x'.repeat(200) })).toBe('x'.repeat(200));
		expect(findErrorCode({ code: 'x'.repeat(6_000_000) })).toBe(`${'x'.repeat(200)}…`);
	});

	it('looks at the first 50 members of a list or an object', () => {
		const errors = (place: number) => ({
			errors: Array.from({ length: 60 }, (_, at) => (at === place ? { code: 'X' } : {})),
		});
		expect(findErrorCode(errors(49))).toBe('X');
		expect(findErrorCode(errors(50))).toBeUndefined();
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
