import fc from 'fast-check';

import { readPage } from '../../../../nodes/shared/rest/pages';

describe('readPage', () => {
	const page = (pagination: object) => ({ data: [{ id: 1 }], pagination });
	const records = [{ id: 1 }];
	const last = { records, hasMore: false };

	const more = { records, hasMore: true, nextCursor: 'c' };
	const cursor = { next_cursor: 'c' };

	it.each<[object, unknown[]]>([
		[last, [records]],
		[
			{ ...last, pagination: undefined, nextCursor: undefined },
			[undefined, null, 'none', []].map((pagination) => ({ data: records, pagination })),
		],
		[
			more,
			[true, 'true', 1, undefined, null, 'yes'].map((has_more) => page({ has_more, ...cursor })),
		],
		[last, [page({ has_more: false, ...cursor })]],
		[last, [{}, { has_more: 0, next_cursor: null }, { next_cursor: '' }].map(page)],
	])('reads %j from each of %j', (read, bodies) => {
		for (const body of bodies) expect(readPage(body)).toMatchObject(read);
	});

	it('takes a record in place of a list for the only one, where something was searched', () => {
		const [data, only] = [{ id: 'prod_1' }, { records: [{ id: 'prod_1' }], hasMore: false }];
		expect(readPage({ data }, undefined, true)).toMatchObject(only);
		expect(readPage({ data })).toBe(NO_LIST);
		expect(readPage({ data: { message: 'Gone' } }, undefined, true)).toBe(NO_LIST);
	});

	const NO_LIST = "The answer holds no list of records under 'data'.";
	const NO_RECORD = 'An entry of the list is not a record.';
	const NO_CURSOR = 'The page says that there are more records, but it gives no cursor to them.';

	it.each<[body: unknown, sentence: string]>([
		[undefined, NO_LIST],
		['<html>', NO_LIST],
		[{}, NO_LIST],
		[{ data: {} }, NO_LIST],
		[{ data: [1] }, NO_RECORD],
		[{ data: [null] }, NO_RECORD],
		[page({ has_more: true }), NO_CURSOR],
		[page({ has_more: true, next_cursor: 5 }), 'The next_cursor of the page is not text.'],
	])('says what is wrong with %j', (body, sentence) => {
		expect(readPage(body)).toBe(sentence);
	});

	it('needs no cursor where the last record names the place to go on', () => {
		const data = [{ id: 1 }, { id: 'a' }];
		const pagination = { has_more: true };
		expect(readPage({ data, pagination }, 'id')).toMatchObject({ records: data, hasMore: true });
		expect(readPage({ data: data.reverse(), pagination }, 'id')).toBe(NO_CURSOR);
		expect(readPage({ data: [], pagination }, 'id')).toBe(NO_CURSOR);
	});

	it('takes a page of 300,000 records', () => {
		const data = Array.from({ length: 300_000 }, (_, id) => ({ id }));
		expect(readPage({ data })).toMatchObject({ hasMore: false });
	});

	it('survives any JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (body) => expect(readPage(body)).toBeDefined()));
	});
});
