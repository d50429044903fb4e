import fc from 'fast-check';

import { readPage, recordOf } from '../../../../nodes/shared/api/answer';

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

	const page = (pagination: object) => readPage({ data: [], pagination });

	it.each([true, 'true', 1, undefined, null, 'yes'])(
		'goes on where has_more is %j and there is a cursor',
		(has_more) => {
			expect(page({ has_more, next_cursor: 'c' })).toMatchObject({
				hasMore: true,
				nextCursor: 'c',
			});
		},
	);

	it.each([false, 'false', 0])('ends where has_more is %j, cursor or not', (has_more) => {
		expect(page({ has_more, next_cursor: 'c' })).toMatchObject({ hasMore: false });
		expect(page({ has_more, next_cursor: null })).toMatchObject({ hasMore: false });
	});

	it.each([undefined, null, ''])(
		'ends where the cursor is %j and has_more is missing',
		(cursor) => {
			expect(page({ next_cursor: cursor })).toMatchObject({
				hasMore: false,
				nextCursor: undefined,
			});
		},
	);

	it.each([
		[{}, 'The answer holds no list of records under “data”.'],
		[{ data: [1] }, 'An entry of the list is not a record.'],
		[
			{ data: [], pagination: { has_more: 'true' } },
			'The page says that there are more records, but it gives no cursor to them.',
		],
		[{ data: [], pagination: { next_cursor: 5 } }, 'The next_cursor of the page is not text.'],
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

describe('recordOf', () => {
	it.each([
		[{ data: { id: 'x' } }, { id: 'x' }],
		[{ id: 'x' }, { id: 'x' }],
		[{ data: {} }, {}],
		[
			{ id: 'x', data: 'a field' },
			{ id: 'x', data: 'a field' },
		],
		[{ data: null }, undefined],
		[undefined, undefined],
		[[{ id: 'x' }], undefined],
		['text', undefined],
		[null, undefined],
	])('finds the record of %j', (body, record) => {
		expect(recordOf(body)).toEqual(record);
	});
});
