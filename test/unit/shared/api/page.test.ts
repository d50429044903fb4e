import fc from 'fast-check';

import { readPage } from '../../../../nodes/shared/api/pages';

describe('readPage', () => {
	const page = (pagination: object) => ({ data: [{ id: 1 }], pagination });
	const records = [{ id: 1 }];
	const last = { records, hasMore: false };

	const more = { records, hasMore: true, nextCursor: 'c' };

	it.each<[unknown, object]>([
		[{ data: records }, { ...last, pagination: undefined, nextCursor: undefined }],
		[records, last],
		...[true, 'true', 1, undefined, null, 'yes'].map((has_more): [unknown, object] => [
			page({ has_more, next_cursor: 'c' }),
			more,
		]),
		...[false, 'false', 0].flatMap((has_more): Array<[unknown, object]> =>
			['c', null].map((next_cursor) => [page({ has_more, next_cursor }), last]),
		),
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
