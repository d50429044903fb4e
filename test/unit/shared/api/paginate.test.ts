import type { IDataObject } from 'n8n-workflow';

import { paginate, type PaginateOptions } from '../../../../nodes/shared/api/pages';
import { PlatformError } from '../../../../nodes/shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/api/request';

const LIST: PlatformRequest = { method: 'GET', path: '/products' };
const LEVELS: PlatformRequest = { method: 'GET', path: '/inventory/levels' };
/** Goes on behind the last record by the parameter `after`. */
const KEYSET = { keyset: { field: 'id', query: 'after' } };

type Answer = Partial<PlatformResponse> | Error;

/** Answers the requests of a walk in turn, and keeps them. */
function source(answers: Answer[]) {
	const requests: PlatformRequest[] = [];
	const request = async (one: PlatformRequest): Promise<PlatformResponse> => {
		requests.push(one);
		const answer = answers[requests.length - 1] ?? new Error('asked for too much');
		if (answer instanceof Error) throw answer;
		return { status: 200, headers: {}, body: undefined, ...answer };
	};
	return { request, requests, host: 'api.shop.example' };
}

/** Records by their ids, e.g. `a b`. */
const records = (ids: string): IDataObject[] => (ids.match(/\S+/g) ?? []).map((id) => ({ id }));
/** So many ids, from a number on. */
const many = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => `p${from + n}`).join(' ');

/** A page without a cursor. */
const bare = (ids: string, pagination?: IDataObject): Answer => ({
	body: { data: records(ids), ...(pagination ? { pagination } : {}) },
});
const page = (ids: string, next?: string) =>
	bare(ids, { next_cursor: next ?? null, has_more: next !== undefined });
const pageOf = (data: IDataObject[]): Answer => ({ body: { data } });

const refusal = (status: number, hint?: string) =>
	new PlatformError('refused', { method: 'GET', path: '', host: '' }, { status, hint });

/** What a walk asked for, e.g. `limit=250&cursor=c1`, the ids of its pages, and how it ended. */
async function walk(answers: Answer[], options?: PaginateOptions, list = LIST) {
	const from = source(answers);
	const pages: string[] = [];
	let error: unknown;
	try {
		for await (const { records: found } of paginate(from, list, options))
			pages.push(found.map(({ id }) => String(id)).join(' '));
	} catch (thrown) {
		error = thrown;
	}
	const asked = from.requests.map(({ query = {} }) => {
		const given = Object.entries(query).filter(([, value]) => value !== undefined);
		return given.map(([name, value]) => `${name}=${value}`).join('&');
	});
	const headers = from.requests.map((one) => one.headers);
	return { pages, asked, headers, error: error as PlatformError | undefined };
}

describe('a walk', () => {
	it.each<[string, Answer[], PaginateOptions, string[], string[]]>([
		[
			'passes cursors on, and asks for 250 records a page',
			[page('a', 'c1'), page('b', 'c2'), page('')],
			{},
			['a', 'b', ''],
			['limit=250', 'limit=250&cursor=c1', 'limit=250&cursor=c2'],
		],
		[
			'asks for the page size that is wanted, and for no more records than that',
			[page('a b', 'c1'), page('c', 'c2')],
			{ pageSize: 2, limit: 3 },
			['a b', 'c'],
			['limit=2', 'limit=1&cursor=c1'],
		],
		// Contracts may allow it.
		['may ask for more than 250', [page('')], { pageSize: 1_000 }, [''], ['limit=1000']],
		[
			'cuts off what is too much, where the list takes no query',
			[page('a b', 'c1'), page('c d e f', 'c2')],
			{ limit: 3, takesQuery: false, newestFirst: true },
			['a b', 'c'],
			['', 'cursor=c1'],
		],
		['takes a list without pagination for its only page', [bare('a')], {}, ['a'], ['limit=250']],
		[
			'stops after the pages that are wanted',
			[page('a', 'c1'), page('b', 'c2')],
			{ maxPages: 2 },
			['a', 'b'],
			['limit=250', 'limit=250&cursor=c1'],
		],
		['starts from a cursor', [page('')], { startCursor: 'c5' }, [''], ['limit=250&cursor=c5']],
		[
			'goes on behind the last record where pages carry no cursor',
			[bare('a b'), bare('c', { has_more: true }), bare('')],
			KEYSET,
			['a b', 'c', ''],
			['limit=250', 'limit=250&after=b', 'limit=250&after=c'],
		],
		[
			'trusts the pages’ own cursor more than the last record',
			[page('a', 'c1'), page('')],
			KEYSET,
			['a', ''],
			['limit=250', 'limit=250&cursor=c1'],
		],
		[
			'ends where the last record has no such field',
			[pageOf([{ id: 5 }])],
			KEYSET,
			['5'],
			['limit=250'],
		],
	])('%s', async (_what, answers, options, pages, asked) => {
		expect(await walk(answers, options)).toMatchObject({ pages, asked, error: undefined });
	});

	it.each([400, 422])('finds another way where a parameter is refused with %i', async (status) => {
		const refused = refusal(status);
		const byRecord = await walk([page('a b', 'c1'), refused, page('c', 'c2'), page('d')], {
			limit: 9,
			...KEYSET,
		});
		expect(byRecord.asked).toEqual([
			'limit=9',
			'limit=7&cursor=c1',
			'limit=7&after=b',
			'limit=6&after=c',
		]);
		expect(byRecord.pages).toEqual(['a b', 'c', 'd']);
		const unlimited = await walk([refused, page('a', 'c1'), page('b c d')], { limit: 3 }, LEVELS);
		expect(unlimited.asked).toEqual(['limit=3', '', 'cursor=c1']);
		expect(unlimited.pages).toEqual(['a', 'b c']);
		const unsorted = await walk([refused, page('a', 'c1'), refused], { newestFirst: true });
		expect(unsorted.asked).toEqual([
			'sort=updated_at:desc&limit=250',
			'limit=250',
			'limit=250&cursor=c1',
		]);
		expect(unsorted.error?.details.sort).toBeUndefined();
	});

	it.each<[string, number, Answer[], PaginateOptions, PlatformRequest]>([
		['a list that must take a limit', 400, [], {}, LIST],
		['a list that is closed', 403, [], {}, LEVELS],
		['a list that refuses more than the limit', 400, [refusal(400)], {}, LEVELS],
		['a sort that is not the reason', 403, [], { newestFirst: true }, LIST],
		['a platform that is down', 503, [page('a', 'c1')], KEYSET, LIST],
		[
			'records that name no place',
			400,
			[{ body: { data: [{ id: 5 }], pagination: { next_cursor: 'c1' } } }],
			KEYSET,
			LIST,
		],
		['a list of cursors alone', 400, [page('a', 'c1')], {}, LIST],
		['a refused record', 400, [page('a', 'c1'), refusal(400)], KEYSET, LIST],
	])('gives up for %s', async (_what, status, before, options, list) => {
		const { error, asked } = await walk([...before, refusal(status)], options, list);
		expect(error?.details.status).toBe(status);
		expect(asked).toHaveLength(before.length + 1);
	});

	it('is one page without records where nothing has changed', async () => {
		const answer = { status: 304, headers: { etag: '"v1"' } };
		const found = [];
		for await (const one of paginate(source([answer]), LIST)) found.push(one);
		expect(found).toMatchObject([{ records: [], hasMore: false, response: answer }]);
	});

	it('asks conditionally for the first page only, and keeps other headers', async () => {
		const first = { 'If-None-Match': '"v1"', 'X-Other': 'y' };
		const request = { ...LIST, headers: first };
		const { headers } = await walk([page('a', 'c1'), page('')], {}, request);
		expect(headers).toEqual([first, { 'X-Other': 'y' }]);
	});
});

describe('a walk whose pages overlap', () => {
	it.each([
		[undefined, ['a b', 'c', 'd e'], '250 250 250'],
		[4, ['a b', 'c', 'd'], '4 2 1'],
	])('gives each record once, and as many as are wanted: %p', async (limit, pages, limits) => {
		const walked = await walk([page('a b a', 'c1'), page('b c', 'c2'), page('c d e')], { limit });
		expect(walked.pages).toEqual(pages);
		expect(walked.asked.map((one) => /limit=(\d+)/.exec(one)?.[1]).join(' ')).toBe(limits);
	});

	it.each<[string, IDataObject[], number]>([
		['a number as id', [{ id: 1 }, { id: 1 }], 1],
		['an event by its own id', ['e1', 'e2'].map((event_id) => ({ event_id, id: 'o1' })), 2],
		[
			'a stock level by SKU and location',
			['l1', 'l2', 'l1'].map((location_id, quantity) => ({ sku: 'a', location_id, quantity })),
			2,
		],
		['a record without any name', [{ title: 'a' }, { title: 'a' }], 2],
	])('knows %s', async (_what, data, count) => {
		for await (const page of paginate(source([pageOf(data)]), LIST))
			expect(page.records).toEqual(data.slice(0, count));
	});

	it('gives each once, however late it comes again', async () => {
		const pages = Array.from({ length: 150 }, (_, n) =>
			page(many(1_000 * (n % 149), 1_000), `c${n}`),
		);
		const { pages: found } = await walk([...pages, page('')]);
		expect(found.flatMap((ids) => ids.match(/\S+/g) ?? [])).toHaveLength(149_000);
	});
});

describe('a walk that would never end', () => {
	const empty = (count: number, from = 0) =>
		Array.from({ length: count }, (_, n) => page('', `c${from + n}`));
	const AGAIN = 'The platform sent a cursor that it had sent before, so the list would never end.';
	const NOTHING =
		'The platform sent 50 pages in a row without a new record, so the list would never end.';

	it.each<[string, Answer[], string, PaginateOptions]>([
		['the cursor that led here', [page('a', 'c1'), page('b', 'c1')], AGAIN, {}],
		['an earlier cursor', [page('a', 'c1'), page('b', 'c2'), page('c', 'c1')], AGAIN, {}],
		['the cursor that it was started from', [page('a', 'c5')], AGAIN, { startCursor: 'c5' }],
		['50 empty pages in a row', empty(50), NOTHING, {}],
		[
			'the same records under ever new cursors',
			empty(51).map((_, n) => page('a b', `c${n}`)),
			NOTHING,
			{},
		],
		['more without a cursor and a record', [bare('', { has_more: true })], '', KEYSET],
	])('stops at %s', async (_what, answers, hint, options) => {
		const { error, asked } = await walk(answers, options);
		expect(error?.problem).toBe('bad-page');
		expect(error?.details.hint).toContain(hint);
		expect(asked).toHaveLength(answers.length);
	});

	it('is none for 49 empty pages in a row, nor for as many again', async () => {
		const interrupted = [...empty(49), page('a', 'x'), ...empty(49, 50), page('')];
		expect((await walk(interrupted)).error).toBeUndefined();
	});
});

describe('a walk that fails', () => {
	const failure = refusal(400, 'A hint.');

	it('has handed out the pages before, and says how many records and where to go on', async () => {
		const { pages, error } = await walk([page('a', 'c1'), page(many(0, 250), 'c2'), failure]);
		expect(pages).toHaveLength(2);
		expect(error).toMatchObject({ problem: 'refused', request: failure.request });
		expect(error?.details).toEqual({
			status: 400,
			fetched: 251,
			cursor: 'c2',
			hint: 'A hint. 251 records had been fetched; they come out only where On Error is set to continue. To read on after them, set the option “Start Cursor” to “c2”. To read everything, run the node again.',
		});
	});

	it.each<[string, Answer[], PaginateOptions, RegExp]>([
		['needs no other hint', [page('a', 'c1'), refusal(400)], {}, /^1 record had been fetched; /],
		[
			'names the filter that takes the record',
			[bare('a b'), failure],
			KEYSET,
			/set the filter “after” to “b”/,
		],
	])('%s', async (_what, answers, options, hint) => {
		expect((await walk(answers, options)).error?.details.hint).toMatch(hint);
	});

	it('says nothing of that on the first page, nor of what is no error of the platform’s', async () => {
		expect((await walk([failure])).error).toBe(failure);
		const cancelled = new Error('cancelled');
		expect((await walk([page('a', 'c1'), cancelled])).error).toBe(cancelled);
	});

	it('says what is wrong with a page', async () => {
		const { error } = await walk([{ body: { data: 'x' }, requestId: 'r1' }]);
		expect(error?.request).toEqual({ ...LIST, host: 'api.shop.example' });
		expect(error?.details).toEqual({
			status: 200,
			requestId: 'r1',
			hint: 'The answer holds no list of records under “data”.',
		});
	});

	it('leaves no unhandled rejection where the reader stops early', async () => {
		const from = source([page('a', 'c1'), failure]);
		for await (const one of paginate(from, LIST)) {
			expect(one.records).toHaveLength(1);
			break;
		}
		await new Promise((resolve) => setImmediate(resolve));
		expect(from.requests).toHaveLength(2);
	});
});
