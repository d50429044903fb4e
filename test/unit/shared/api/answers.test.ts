import fc from 'fast-check';

import { type Answer, outcomeOf, unanswered } from '../../../../nodes/shared/api/answer';
import { scrubberOf } from '../../../../nodes/shared/api/credential';
import { readPage } from '../../../../nodes/shared/api/pages';

const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

const outcome = (answer: Partial<Answer>, method: 'GET' | 'POST' = 'GET') =>
	outcomeOf(
		{ status: 200, headers: {}, text: '', ...answer },
		{ method, url: 'https://api.shop.example/v1/orders' },
		{ forReturn: false, scrub: scrubberOf('cpk_test_0123456789'), nowMs: 0 },
	);

describe('an answer', () => {
	const damaged = { text: '{"data":', headers: JSON_TYPE };
	const html = { text: '<html>', headers: HTML };
	const partly = { errors: [{ index: 1, code: 'X' }] };
	const redirect = (status: number, location: string) => ({ status, headers: { location } });
	const redirected = (status: number, location?: string) => ({
		problem: 'redirect',
		details: { status, location },
	});

	it.each<[Partial<Answer>, 'GET' | 'POST', object]>([
		...[200, 207, 304].map((status): [Partial<Answer>, 'GET', object] => [
			{ status, text: ' ' },
			'GET',
			{ response: { status, body: undefined, record: undefined } },
		]),
		// Errors for some of many operations are no error of the request.
		[{ status: 207, text: JSON.stringify(partly) }, 'POST', { response: { body: partly } }],
		[{ text: JSON.stringify(partly) }, 'POST', { problem: 'error-body' }],
		[redirect(302, 'https://evil.example/x?y'), 'GET', redirected(302, 'https://evil.example')],
		[redirect(307, '/elsewhere'), 'GET', redirected(307, 'https://api.shop.example')],
		[{ status: 399 }, 'GET', redirected(399)],
		[redirect(300, 'http://['), 'GET', redirected(300)],
		[html, 'GET', { problem: 'not-json', details: { status: 200, isHtml: true } }],
		[{ ...html, status: 404 }, 'GET', { problem: 'refused', details: { status: 404 } }],
		[damaged, 'GET', { problem: 'broken-json' }],
		[{ fault: 'cut-off', error: new Error('x') }, 'GET', { problem: 'unreachable' }],
		// A write that is damaged counts as done; a web page does not.
		[damaged, 'POST', { response: { status: 200, incomplete: true } }],
		[{ fault: 'cut-off' }, 'POST', { response: { incomplete: true } }],
		[html, 'POST', { problem: 'not-json' }],
		[{ status: 429 }, 'GET', { problem: 'budget-spent' }],
		[{ status: 400 }, 'GET', { problem: 'refused' }],
	])('%j to a %s is what it says', (answer, method, expected) => {
		const { problem, ...rest } = outcome(answer, method);
		expect({ problem, ...rest }).toMatchObject({ problem: undefined, ...expected });
	});

	it.each([
		[{ data: { id: 'x' } }, { id: 'x' }],
		[{ id: 'x' }, { id: 'x' }],
		[{ data: {} }, {}],
		[
			{ id: 'x', data: 'a field' },
			{ id: 'x', data: 'a field' },
		],
		[{ data: null }, undefined],
		[[{ id: 'x' }], undefined],
		['text', undefined],
		[null, undefined],
	])('is read with its record: %j', (body, record) => {
		expect(outcome({ text: JSON.stringify(body) }).response?.record).toEqual(record);
	});

	/** Characters, of which each three hold an object. */
	const LENGTH = 4_000_000;
	const objects = () => '{},'.repeat(LENGTH / 3).slice(0, -1);

	it.each([
		['a record of objects', () => `{"data":{"id":"x","all":[${objects()}]}}`],
		['a list of records', () => `{"data":[${objects()}]}`],
		['objects behind a long number', () => `{"n":12345678901234567890,"all":[${objects()}]}`],
		['nested lists', () => `{"data":${'['.repeat(LENGTH / 2)}${']'.repeat(LENGTH / 2)}}`],
	])('that is a bomb once it is parsed is not parsed: %s', (_name, make) => {
		const parse = jest.spyOn(JSON, 'parse');
		expect(outcome({ text: make() })).toMatchObject({ problem: 'too-large' });
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
	});
});

describe('an attempt without an answer', () => {
	const failure = (code: string) => Object.assign(new Error(code), { code });

	it.each([
		['ECONNABORTED', 'timeout'],
		['ETIMEDOUT', 'timeout'],
		['ESOCKETTIMEDOUT', 'timeout'],
		['ECONNRESET', 'unreachable'],
		['ENOTFOUND', 'unreachable'],
	])('with %s is a %s, also from under n8n’s errors', (networkCode, problem) => {
		const wrapped = new Error('outer', {
			cause: new Error('inner', { cause: failure(networkCode) }),
		});
		for (const error of [failure(networkCode), wrapped])
			expect(unanswered(error)).toEqual({ budget: {}, problem, details: { networkCode } });
	});

	it.each([new Error('no code'), 'no error', failure(5 as unknown as string)])(
		'may have no code: %j',
		(error) => {
			expect(unanswered(error)).toMatchObject({ problem: 'unreachable', details: {} });
		},
	);
});

describe('readPage', () => {
	const page = (pagination: object) => ({ data: [{ id: 1 }], pagination });
	const records = [{ id: 1 }];
	const last = { records, hasMore: false };

	it.each<[unknown, object]>([
		[
			page({ limit: 1, next_cursor: 'c', has_more: true }),
			{ records, nextCursor: 'c', hasMore: true },
		],
		[{ data: records }, { ...last, pagination: undefined, nextCursor: undefined }],
		[records, last],
		...[true, 'true', 1, undefined, null, 'yes'].map((has_more): [unknown, object] => [
			page({ has_more, next_cursor: 'c' }),
			{ records, hasMore: true, nextCursor: 'c' },
		]),
		...[false, 'false', 0].flatMap((has_more): Array<[unknown, object]> => [
			[page({ has_more, next_cursor: 'c' }), last],
			[page({ has_more, next_cursor: null }), last],
		]),
		...[undefined, null, ''].map((next_cursor): [unknown, object] => [
			page({ next_cursor }),
			{ ...last, nextCursor: undefined },
		]),
	])('reads %j', (body, read) => {
		expect(readPage(body)).toMatchObject(read);
	});

	const NO_LIST = 'The answer holds no list of records under “data”.';
	const NO_RECORD = 'An entry of the list is not a record.';
	const NO_CURSOR = 'The page says that there are more records, but it gives no cursor to them.';

	it.each([
		...[undefined, '<html>', {}, { data: {} }].map((body) => [body, NO_LIST]),
		[{ data: [1] }, NO_RECORD],
		[{ data: [null] }, NO_RECORD],
		...[{}, { next_cursor: null }, { next_cursor: '' }].flatMap((cursor) => [
			[page({ has_more: true, ...cursor }), NO_CURSOR],
			[page({ has_more: 'true', ...cursor }), NO_CURSOR],
		]),
		[page({ next_cursor: 5 }), 'The next_cursor of the page is not text.'],
		[page({ has_more: true, next_cursor: 5 }), 'The next_cursor of the page is not text.'],
	])('says what is wrong with %j', (body, sentence) => {
		expect(readPage(body)).toBe(sentence);
	});

	it('takes a page of 300,000 records', () => {
		const data = Array.from({ length: 300_000 }, (_, id) => ({ id }));
		expect(readPage({ data })).toMatchObject({ hasMore: false });
	});

	it('survives any JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (body) => expect(readPage(body)).toBeDefined()));
	});
});
