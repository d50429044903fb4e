import fc from 'fast-check';

import {
	findErrorCode,
	findErrorMessage,
	findRequestId,
} from '../../../../nodes/shared/errors/errorBody';

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

	it.each(['request_id', 'requestId', 'requestID', 'request-id'])(
		'finds the request id under “%s”',
		(key) => {
			expect(findRequestId({ error: { [key]: 'req_4' } }, {})).toBe('req_4');
		},
	);

	it('takes x-request-id before other headers that end like it, and none that does not', () => {
		const headers = { date: 'today', 'via-request-id': 'req_5', 'x-request-id': 'req_6' };
		expect(findRequestId({}, headers)).toBe('req_6');
		expect(findRequestId({}, { date: 'today', 'via-request-id': 'req_5' })).toBe('req_5');
		expect(findRequestId({}, { date: 'today' })).toBeUndefined();
	});

	it('finds code and message wherever they are, the outermost first', () => {
		expect(findErrorCode({ error: { code: 'CONFLICT' } })).toBe('CONFLICT');
		expect(findErrorMessage({ message: 'outer', error: { message: 'inner' } })).toBe('outer');
		expect(findErrorMessage({ error: 'plain' })).toBe('plain');
		expect(findErrorMessage({ error: 5 })).toBeUndefined();
		expect(findErrorMessage({ error: { message: 'x'.repeat(9_999) } })).toHaveLength(501);
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

	it.each(['message', 'detail', 'error_description', 'error_message', 'errorMessage', 'title'])(
		'finds the message under “%s”',
		(key) => {
			expect(findErrorMessage({ errors: [{ [key]: 'what happened' }] })).toBe('what happened');
		},
	);

	it('cuts what is too long to be read', () => {
		expect(findErrorMessage({ message: 'x'.repeat(500) })).toBe('x'.repeat(500));
		expect(findErrorMessage({ message: 'x'.repeat(501) })).toBe(`${'x'.repeat(500)}…`);
		expect(findErrorCode({ code: 'x'.repeat(200) })).toBe('x'.repeat(200));
		expect(findErrorCode({ code: 'x'.repeat(6_000_000) })).toBe(`${'x'.repeat(200)}…`);
		expect(findRequestId({ request_id: 'x'.repeat(201) }, {})).toBe(`${'x'.repeat(200)}…`);
		expect(findRequestId({}, { 'x-request-id': 'x'.repeat(201) })).toBe(`${'x'.repeat(200)}…`);
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
