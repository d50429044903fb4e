import fc from 'fast-check';

import {
	documentedCode,
	findErrorCode,
	findErrorMessage,
	findRequestId,
	isErrorBody,
	isInDevelopment,
	isKindOf409,
} from '../../../../nodes/shared/rest/errorBody';

describe('an error body', () => {
	const LONG = 'x'.repeat(201);

	it.each<[unknown, Record<string, string>, string | undefined]>([
		[{ error: { request_id: 'req_1' } }, {}, 'req_1'],
		[{ error: { requestId: 'req_1' } }, {}, 'req_1'],
		[{ error: { requestID: 'req_1' } }, {}, 'req_1'],
		[{ error: { 'request-id': 'req_1' } }, {}, 'req_1'],
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
		...'message detail error_description error_message errorMessage msg reason title'
			.split(' ')
			.map((key): [unknown, string] => [{ errors: [{ [key]: 'it failed' }] }, 'it failed']),
		[{ message: 'It failed. Ask us.' }, 'It failed. Ask us'],
		[{ message: '', detail: 'it failed' }, 'it failed'],
		[{ message: 'outer', error: { message: 'inner' } }, 'outer'],
		[{ error: 'plain' }, 'plain'],
		[{ error: 5 }, undefined],
		[{ message: 'x'.repeat(500) }, 'x'.repeat(500)],
		[{ error: { message: 'x'.repeat(501) } }, `${'x'.repeat(500)}…`],
	])('finds the message of %j', (body, message) => {
		expect(findErrorMessage(body)).toBe(message);
	});

	it.each<[unknown, string | undefined]>([
		...['code', 'error_code', 'errorCode'].map((key): [unknown, string] => [{ [key]: 'A' }, 'A']),
		[{ error: 'invalid_request' }, 'invalid_request'],
		[{ error: 'Something went wrong' }, undefined],
		[{ error: { type: 'card_error' } }, 'card_error'],
		[{ type: 'https://errors.example/conflict' }, 'https://errors.example/conflict'],
		[{ type: 'about:blank' }, undefined],
		[{ type: 'about:blank', errors: [{ code: 'CONFLICT' }] }, 'CONFLICT'],
		[{ errors: [{ code: 'D' }] }, 'D'],
		[{ error: { errors: [{ reason: { code: 'F' } }] } }, 'F'],
		[{ type: 'error', code: 'G' }, 'G'],
		[{ type: 'error', error: { type: 'h_i' } }, 'h_i'],
		[{ error: 'K', details: { code: 'L' } }, 'L'],
		[{ error: 'conflict', details: { code: 'L' } }, 'conflict'],
		[{ error: { code: 'M', details: [{ code: 'CONFLICT' }] } }, 'M'],
		[{ type: 'https://errors.example/conflict', error: 'stale' }, 'stale'],
		[{ type: 'stale', error: 'https://errors.example/conflict' }, 'stale'],
		[{ type: 'https://errors.example/conflict', details: { error: 'stale' } }, 'stale'],
		[{ type: '/problems/stale' }, undefined],
		[{ code: 'order:not_found' }, 'order:not_found'],
		[{ statusCode: 409, error: 'Conflict' }, undefined],
		[{ code: '409', error: 'Gone' }, undefined],
		[{ code: '40901' }, '40901'],
		[{ code: '', error: 'fallback' }, 'fallback'],
		[{ code: 17 }, undefined],
		[{ a: { b: { c: { d: { e: { code: 'six levels' } } } } } }, 'six levels'],
		[{ a: { b: { c: { d: { e: { f: { code: 'seven' } } } } } } }, undefined],
		['CONFLICT', undefined],
		[null, undefined],
	])('finds the code of %j', (body, code) => {
		expect(findErrorCode(body)).toBe(code);
	});

	const NO_CODES =
		'100 404 599 Conflict Forbidden Gone Locked Unauthorized error Error ERROR about:blank';
	const CODES = '099 600 1404 4040 Conflicts xGone error_1 about:blanks CONFLICT GONE';

	it('takes no text for a code that says no more than the status', () => {
		const of = (code: string) => findErrorCode({ code });
		expect(NO_CODES.split(' ').map(of)).toEqual(NO_CODES.split(' ').map(() => undefined));
		expect(CODES.split(' ').map(of)).toEqual(CODES.split(' '));
	});

	it('takes one word for a code where other texts are usual as well', () => {
		const of = (error: string) => findErrorCode({ error });
		const words = ['a', 'Stale', 'order.not_found', 'a/b:c-d', 'a1'];
		expect(words.map(of)).toEqual(words);
		expect(['1a', '_a', 'not found', 'a!', ' a'].filter((text) => of(text))).toEqual([]);
	});

	it('cuts a code that is too long to be read, and looks at the first 50 members of a list', () => {
		expect(findErrorCode({ code: 'x'.repeat(200) })).toBe('x'.repeat(200));
		expect(findErrorCode({ code: 'x'.repeat(6_000_000) })).toBe(`${'x'.repeat(200)}…`);
		const errors = (place: number) => [...Array<object>(place).fill({}), { code: 'X' }];
		expect(findErrorCode({ errors: errors(49) })).toBe('X');
		expect(findErrorCode({ errors: errors(50) })).toBeUndefined();
	});

	it('survives any JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
				for (const find of [findErrorCode, findErrorMessage])
					expect(['string', 'undefined']).toContain(typeof find(body));
				expect(typeof isErrorBody(body)).toBe('boolean');
			}),
		);
	});
});

/** Everything in a successful answer that may mean a failure. */
const FAILURES = [
	{ error: 'invalid' },
	{ error: { code: 'X' } },
	{ error: true },
	{ errors: [{ code: 'X' }] },
	{ errors: { title: 'is empty' } },
	{ success: false },
	{ ok: false, message: 'no' },
];

/** Fields beside it, if there is no data. */
const BESIDE = [
	{},
	{ data: null },
	{ data: {} },
	{ data: [] },
	{ results: [] },
	{ id: null },
	{ message: 'No payment provider', request_id: 'req_1', status: 409, title: 'Mug' },
];

it.each(FAILURES)('takes %j for an error, except beside data', (failure) => {
	for (const beside of BESIDE) expect(isErrorBody({ ...beside, ...failure })).toBe(true);
	for (const data of [{ id: 'x' }, [{ id: 'x' }], 'x', 5])
		expect(isErrorBody({ ...failure, data })).toBe(false);
});

/** None of these is an error: no other word decides. */
const NO_ERRORS = [
	...[undefined, null, 'error', [{ error: 'x' }], {}, { success: true }, { status: 'error' }],
	...[{ error: null, errors: [] }, { error: '', errors: {} }, { error: false }],
	{ code: 'ORDER_CANCELLED', message: 'The order is cancelled', request_id: 'req_1' },
	{ type: 'https://types.example/product', title: 'Mug', detail: 'Blue' },
	{ credential: { name: 'ERP' }, rate_limits: {}, status: 'error', message: 'day spent' },
	// In a record, such a word describes the record.
	...FAILURES.flatMap((failure) => ['job_1', 7].map((id) => ({ ...failure, id }))),
];

it.each(NO_ERRORS)('does not take %j for an error', (body) => {
	expect(isErrorBody(body)).toBe(false);
});

it.each([
	['CONFLICT', 'CONFLICT'],
	['conflict', 'CONFLICT'],
	['invalid-state.transition', 'INVALID_STATE_TRANSITION'],
	['InvalidStateTransition', 'INVALID_STATE_TRANSITION'],
	['Invalid_Parameter', 'INVALID_PARAMETER'],
	['CONFLICTS', undefined],
	['STATE_CONFLICT', undefined],
	['', undefined],
	[undefined, undefined],
])('of %j the API document’s code is %j', (code, documented) => {
	expect(documentedCode(code)).toBe(documented);
});

it('an endpoint is in development if the status or the code says so', () => {
	const codes = ['IN_DEVELOPMENT', 'InDevelopment', 'in development', 'in-development'];
	const said = [{ status: 501 }, ...codes.map((code) => ({ status: 404, code }))];
	expect(said.filter((details) => !isInDevelopment(details))).toEqual([]);
	const others = ['in__development', 'not_in_development', 'in_development_2', 'NOT_FOUND', ''];
	const unsaid = [{}, { status: 404 }, ...others.map((code) => ({ status: 403, code }))];
	expect(unsaid.filter(isInDevelopment)).toEqual([]);
});

it.each<[Parameters<typeof isKindOf409>[1], boolean]>([
	[{ status: 409 }, true],
	...['CONFLICT', 'https://errors.example/stale', 'urn:problem:stale'].map(
		(code): [object, true] => [{ status: 409, code }, true],
	),
	[{ status: 409, code: 'tag:errors.example,2026:stale' }, true],
	...['stock:locked', 'INVALID_STATE_TRANSITION', 'see https://errors.example'].map(
		(code): [object, false] => [{ status: 409, code }, false],
	),
	[{ status: 400, code: 'CONFLICT' }, false],
	[{ code: 'CONFLICT' }, false],
	[{}, false],
])('whether %j is a conflict: %j', (details, expected) => {
	expect(isKindOf409('CONFLICT', details)).toBe(expected);
});
