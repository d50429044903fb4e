import type { IDataObject } from 'n8n-workflow';

import { paginate, type PaginateOptions } from '../../../../nodes/shared/rest/pages';
import { PlatformError } from '../../../../nodes/shared/rest/errors';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/rest/request';
import { SERVICE } from '../../../../nodes/shared/shop/service';

const LIST: PlatformRequest = { method: 'GET', path: '/products' };
const LEVELS: PlatformRequest = { method: 'GET', path: '/inventory/levels' };
/** Continues after the last record by the parameter `after`. */
const KEYSET = { keyset: { field: 'id', query: 'after' } };

type Answer = Partial<PlatformResponse> | Error;

/** Answers the requests of a walk in turn, and records them. */
function source(answers: Answer[]) {
	const requests: PlatformRequest[] = [];
	const request = async (one: PlatformRequest): Promise<PlatformResponse> => {
		requests.push(one);
		const answer = answers[requests.length - 1] ?? new Error('asked for too much');
		if (answer instanceof Error) throw answer;
		return { status: 200, headers: {}, body: undefined, ...answer };
	};
	return { request, requests, host: 'api.shop.example', service: SERVICE };
}

/** This many ids, starting at a number. */
const many = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => `p${from + n}`).join(' ');

const pageOf = (data: unknown, pagination?: IDataObject): Answer => ({
	body: { data, ...(pagination && { pagination }) },
});
/** A page of records by their ids, e.g. `a b`, without a cursor. */
const bare = (ids: string, pagination?: IDataObject) =>
	pageOf(
		(ids.match(/\S+/g) ?? []).map((id) => ({ id })),
		pagination,
	);
const page = (ids: string, next?: string) =>
	bare(ids, { next_cursor: next ?? null, has_more: next !== undefined });

/** The parameters of a step. */
const parameters = (step: string) => step.split(': ')[0];

const refusal = (status: number, hint?: string) =>
	new PlatformError('refused', { method: 'GET', path: '', host: '' }, { status, hint });

/** The requests of a walk with the ids of their pages, e.g. `limit=250&cursor=c1: a b`, and how the walk ended. */
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
	const steps = asked.map((one, at) => `${one}: ${pages[at] ?? '-'}`);
	const headers = from.requests.map((one) => one.headers);
	return { pages, steps, headers, error: error as PlatformError | undefined };
}

describe('a walk', () => {
	it.each<[string, Answer[], PaginateOptions, string[]]>([
		[
			'passes cursors on, and asks for 250 records a page',
			[page('a', 'c1'), page('b', 'c2'), page('')],
			{},
			['limit=250: a', 'limit=250&cursor=c1: b', 'limit=250&cursor=c2: '],
		],
		[
			'asks for the page size that is wanted, and for no more records than that',
			[page('a b', 'c1'), page('c', 'c2')],
			{ pageSize: 2, limit: 3 },
			['limit=2: a b', 'limit=1&cursor=c1: c'],
		],
		[
			'cuts off what is too much, where the list takes no query',
			[page('a b', 'c1'), page('c d e f', 'c2')],
			{ limit: 3, takesQuery: false, newestFirst: true },
			[': a b', 'cursor=c1: c'],
		],
		['takes a list without pagination for its only page', [bare('a')], {}, ['limit=250: a']],
		[
			'stops after the pages that are wanted',
			[page('a', 'c1'), page('b', 'c2')],
			{ maxPages: 2 },
			['limit=250: a', 'limit=250&cursor=c1: b'],
		],
		[
			'goes on behind the last record of such a list, whatever cursors its pages carry',
			[page('a b', 'c1'), page('c', 'c2'), page('d')],
			{ limit: 9, ...KEYSET },
			['limit=9: a b', 'limit=7&after=b: c', 'limit=6&after=c: d'],
		],
		[
			'goes on behind the last record where pages carry no pagination',
			[bare('a b'), bare('c', { has_more: true }), bare('')],
			KEYSET,
			['limit=250: a b', 'limit=250&after=b: c', 'limit=250&after=c: '],
		],
		[
			'goes on behind the last record where a page says that there is more, without a cursor',
			[bare('a b', { has_more: true }), bare('c', { has_more: false })],
			KEYSET,
			['limit=250: a b', 'limit=250&after=b: c'],
		],
	])('%s', async (_what, answers, options, steps) => {
		expect(await walk(answers, options)).toMatchObject({ steps, error: undefined });
	});

	it.each([400, 422])('finds another way if a parameter is refused with %i', async (status) => {
		const refused = refusal(status);
		const unlimited = await walk([refused, page('a', 'c1'), page('b c d')], { limit: 3 }, LEVELS);
		expect(unlimited.steps.map(parameters)).toEqual(['limit=3', '', 'cursor=c1']);
		expect(unlimited.pages).toEqual(['a', 'b c']);
		const unsorted = await walk([refused, page('a', 'c1'), refused], { newestFirst: true });
		expect(unsorted.steps.map(parameters)).toEqual([
			'sort=updated_at:desc&limit=250',
			'limit=250',
			'limit=250&cursor=c1',
		]);
		expect(unsorted.error?.details.sort).toBeUndefined();
	});

	const unnamed = pageOf([{ id: 5 }], { next_cursor: 'c1' });

	it.each<[string, number, Answer[], PaginateOptions, PlatformRequest]>([
		['a list that must take a limit', 400, [], {}, LIST],
		['a list that refuses more than the limit', 400, [refusal(400)], {}, LEVELS],
		['a sort that is not the reason', 403, [], { newestFirst: true }, LIST],
		['records that name no place', 400, [unnamed], KEYSET, LIST],
		['a list of cursors alone', 400, [page('a', 'c1')], {}, LIST],
		['a refused record', 400, [page('a', 'c1')], KEYSET, LIST],
	])('gives up for %s', async (_what, status, before, options, list) => {
		const { error, steps } = await walk([...before, refusal(status)], options, list);
		expect([error?.details.status, steps.length]).toEqual([status, before.length + 1]);
	});

	it('is one page without records if nothing has changed', async () => {
		const answer = { status: 304, headers: { etag: '"v1"' } };
		const found = [];
		for await (const one of paginate(source([answer]), LIST)) found.push(one);
		expect(found).toMatchObject([{ records: [], hasMore: false, response: answer }]);
	});

	it('asks conditionally for the first page only, and keeps other headers', async () => {
		const others = { 'X-Other': 'y', 'X-If-None-Match': '"v2"', 'If-None-Match-Any': '"v3"' };
		const first = { 'If-None-Match': '"v1"', ...others };
		const request = { ...LIST, headers: first };
		const { headers } = await walk([page('a', 'c1'), page('')], {}, request);
		expect(headers).toEqual([first, others]);
	});
});

describe('a walk whose pages overlap', () => {
	it.each([
		[undefined, ['a b', 'c', 'd e'], '250 250 250'],
		[4, ['a b', 'c', 'd'], '4 2 1'],
	])('gives each record once, and as many as are wanted: %p', async (limit, pages, limits) => {
		const walked = await walk([page('a b a', 'c1'), page('b c', 'c2'), page('c d e')], { limit });
		expect(walked.pages).toEqual(pages);
		expect(walked.steps.map((one) => /limit=(\d+)/.exec(one)?.[1]).join(' ')).toBe(limits);
	});

	const levels = ['l1', 'l2', 'l1'].map((location_id) => ({ sku: 'a', location_id }));

	it.each<[string, IDataObject[], number]>([
		['a number as id', [{ id: 1 }, { id: 1 }], 1],
		['an event by its own id', ['e1', 'e2'].map((event_id) => ({ event_id, id: 'o1' })), 2],
		['a stock level by SKU and location', levels, 2],
		['a record without any name', [{ title: 'a' }, { title: 'a' }], 2],
		['a SKU without a location', [{ sku: 'a' }, { sku: 'a' }], 2],
		['a location without a SKU', [{ location_id: 'l1' }, { location_id: 'l1' }], 2],
	])('knows %s', async (_what, data, count) => {
		for await (const page of paginate(source([pageOf(data)]), LIST))
			expect(page.records).toEqual(data.slice(0, count));
	});

	it('gives each once, however late it comes again', async () => {
		const pages = [...Array(150).keys()].map((n) => page(many(1_000 * (n % 149), 1_000), `c${n}`));
		const { pages: found } = await walk([...pages, page('')]);
		expect(found.flatMap((ids) => ids.match(/\S+/g) ?? [])).toHaveLength(149_000);
	});
});

describe('a walk that would never end', () => {
	const empty = (count: number, from = 0) =>
		Array.from({ length: count }, (_, n) => page('', `c${from + n}`));
	const AGAIN = 'a cursor that it had sent before';
	const NOTHING = '50 pages in a row without a new record';
	const same = empty(51).map((_, n) => page('a b', `c${n}`));

	it.each<[string, Answer[], string, PaginateOptions]>([
		['an earlier cursor', [page('a', 'c1'), page('b', 'c2'), page('c', 'c1')], AGAIN, {}],
		['the cursor that it was started from', [page('a', 'c5')], AGAIN, { startCursor: 'c5' }],
		['the same records under ever new cursors', same, NOTHING, {}],
		['more without a cursor and a record', [bare('', { has_more: true })], '', KEYSET],
	])('stops at %s', async (_what, answers, sent, options) => {
		const { error, steps } = await walk(answers, options);
		expect([error?.problem, steps.length]).toEqual(['bad-page', answers.length]);
		const hint = `The platform sent ${sent}, so the list would never end.`;
		expect(error?.details.hint).toContain(sent && hint);
	});

	it('is not suspected after 49 empty pages in a row, nor after as many again', async () => {
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
			hint: "A hint. 251 records had been fetched. To get what was fetched, set On Error to Continue. To continue after it, set the option 'Start Cursor' to “c2”. To read everything, run the node again.",
		});
	});

	it('needs no other hint, and names the filter that takes the record', async () => {
		const { error } = await walk([page('a', 'c1'), refusal(400)]);
		expect(error?.details.hint).toMatch(/^1 record had been fetched\. /);
		const keyed = await walk([bare('a b'), failure], KEYSET);
		expect(keyed.error?.details.hint).toContain("set the filter 'after' to “b”");
	});

	it('names the sort that its cursors belong to, and goes on with no other', async () => {
		const { error, steps } = await walk([page('a', 'c1'), failure], { newestFirst: true });
		expect(steps).toHaveLength(2);
		expect(error?.details).toMatchObject({ sort: 'updated_at:desc', cursor: 'c1' });
		expect(error?.details.hint).toContain("to “c1” and 'Sort' to updated_at, Descending. To");
	});

	it('counts no records where the page that it was to start from fails', async () => {
		const { error } = await walk([failure], { startCursor: 'c5' });
		expect(error?.details).toMatchObject({ fetched: 0, cursor: 'c5', hint: 'A hint.' });
	});

	it('says nothing about that on the first page, or for errors that are not the platform’s', async () => {
		expect((await walk([failure])).error).toBe(failure);
		const cancelled = new Error('cancelled');
		expect((await walk([page('a', 'c1'), cancelled])).error).toBe(cancelled);
	});

	it('says what is wrong with a page', async () => {
		const { error } = await walk([{ body: { data: 'x' }, requestId: 'r1' }]);
		expect(error?.request).toEqual({ ...LIST, host: 'api.shop.example' });
		const hint = "The answer holds no list of records under 'data'.";
		expect(error?.details).toEqual({ status: 200, requestId: 'r1', hint });
	});

	it('leaves no unhandled rejection if the reader stops early', async () => {
		const from = source([page('a', 'c1'), failure]);
		for await (const one of paginate(from, LIST)) {
			expect(one.records).toHaveLength(1);
			break;
		}
		await new Promise((resolve) => setImmediate(resolve));
		expect(from.requests).toHaveLength(2);
	});
});

describe('a page that is too large', () => {
	const tooLarge = new PlatformError('too-large', { method: 'GET', path: '', host: '' });

	it('is asked for with half as many records, until it fits, and so are the others', async () => {
		const { steps, error } = await walk([tooLarge, tooLarge, page('a', 'c1'), page('b')]);
		const limits = steps.map((step) => parameters(step));
		expect(limits).toEqual(['limit=250', 'limit=125', 'limit=63', 'limit=63&cursor=c1']);
		expect(error).toBeUndefined();
	});

	it('is asked for with half as many as were wanted', async () => {
		const { steps } = await walk([tooLarge, page('a b', 'c1'), page('c')], { limit: 4 });
		expect(steps.map((step) => parameters(step))).toEqual([
			'limit=4',
			'limit=2',
			'limit=2&cursor=c1',
		]);
	});

	it('is an error if one record is too large', async () => {
		const { steps, error } = await walk(Array.from({ length: 20 }, () => tooLarge));
		expect(steps).toHaveLength(9);
		expect(error?.problem).toBe('too-large');
	});
});
