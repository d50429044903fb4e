import { openPoint } from './openPoint';

/** Bodies and statuses of successful answers. */
export const answerPoints = {
	recordBody: openPoint(
		'Responses named "order", "fulfillment", "level", "endpoint" …: whether they stand in `data`',
		{ wrapped: '`{ data: record }`', bare: 'the record alone' },
		'bare',
	),
	createStatus: openPoint(
		'The status of a create is not shown',
		{ created: '201, and 202 for a job', ok: '200' },
		'ok',
	),
	writeAnswer: openPoint(
		'What a write answers where a record is not shown',
		{
			record: 'the record',
			empty: 'the same status without a body',
			accepted: '202 without a body',
			noContent: '204',
			location: '201 with Location alone; 204 for what is not a create',
		},
		'noContent',
	),
	listBody: openPoint(
		'GET /v1/categories, /v1/inventory/levels and /v1/webhooks answer "list": whether it stands in `data`',
		{ wrapped: '`{ data, pagination }`', bare: 'an array of the whole list' },
		'bare',
	),
	pagination: openPoint(
		'Pagination object: limit, next_cursor (null at the end), has_more; none is called required',
		{
			complete: 'all three',
			withoutHasMore: '`has_more` is missing',
			cursorOnly: '`next_cursor` alone, and at the end an empty object',
		},
		'cursorOnly',
	),
	pageFill: openPoint(
		'A walk continues while has_more is true (how full a page is, is not said)',
		{
			full: 'as many records as asked for',
			short: 'three records at most',
			emptyBetween: 'an empty page between any two others',
		},
		'emptyBetween',
	),
	cursors: openPoint(
		'Cursors are opaque',
		{ urlSafe: 'letters, digits, - and _', anyCharacters: 'also + / = & # % and a space' },
		'anyCharacters',
	),
	cursorWalk: openPoint(
		'Cursors are opaque (what one stands for while the list changes is not said)',
		{
			place: 'the place of a record',
			position: 'a number of records to pass over',
			untilChange: 'one page of the list as it was: 400 after any change of it',
		},
		'position',
	),
	listOrder: openPoint(
		'The order of a list without `sort` is not shown',
		{ oldestFirst: 'by creation', newestFirst: 'by creation, backwards' },
		'newestFirst',
	),
	skuSearch: openPoint(
		'sku, q: indexed search (whether `sku` of a list of products is exact is not shown)',
		{
			exact: 'products of which a variant has the SKU',
			words: 'products that mention it anywhere, as with `q`',
			ignored: 'it has no effect',
		},
		'words',
	),
	limitTooLarge: openPoint(
		'limit 1..250 (what a larger one does is not shown)',
		{ refused: '400 INVALID_PARAMETER', capped: 'taken as 250' },
		'capped',
	),
	wholeCatalog: openPoint(
		'A listing of the whole catalog without a cursor is rejected or capped',
		{ capped: 'a page of 25', rejected: '422 unless a limit, a cursor or a filter is given' },
		'rejected',
	),
	unknownParameters: openPoint(
		'Which lists take the common query parameters that their row does not name',
		{
			refused: 'every list takes the common ones; others are refused',
			asTables: 'each list takes what its own row names; others are refused',
			ignored: 'parameters that a list does not know have no effect',
		},
		'asTables',
	),
	webhookList: openPoint(
		'GET /v1/webhooks: request none, response list',
		{ whole: 'takes no query and gives the whole list', paged: 'a list like the others' },
		'paged',
	),
};
