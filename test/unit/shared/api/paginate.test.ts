import type { IDataObject } from 'n8n-workflow';

import { paginate, type PaginateOptions } from '../../../../nodes/shared/api/pages';
import { PlatformError } from '../../../../nodes/shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/api/request';

const LIST: PlatformRequest = { method: 'GET', path: '/products', query: { status: 'draft' } };

type Answer = Partial<PlatformResponse> | Error;

/** Answers the requests of a walk in turn, and keeps them. */
function source(...answers: Answer[]) {
	const requests: PlatformRequest[] = [];
	const request = async (one: PlatformRequest): Promise<PlatformResponse> => {
		requests.push(one);
		const answer = answers[requests.length - 1] ?? new Error('asked for too much');
		if (answer instanceof Error) throw answer;
		return { status: 200, headers: {}, body: undefined, ...answer };
	};
	return { request, requests, host: 'api.shop.example' };
}

const records = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => ({ id: `p${from + n}` }));

const page = (data: IDataObject[], next?: string): Answer => ({
	body: { data, pagination: { next_cursor: next ?? null, has_more: next !== undefined } },
});

const refusal = (status: number) =>
	new PlatformError(
		'refused',
		{ method: 'GET', path: '/products', host: 'api.shop.example' },
		{ status },
	);

async function walk(
	from: ReturnType<typeof source>,
	options?: PaginateOptions,
	list: PlatformRequest = LIST,
) {
	const pages: string[][] = [];
	let error: unknown;
	try {
		for await (const { records: found } of paginate(from, list, options))
			pages.push(found.map(({ id }) => String(id)));
	} catch (thrown) {
		error = thrown;
	}
	return { pages, error: error as PlatformError | undefined };
}

describe('paginate', () => {
	it('keeps the query, passes cursors on, and asks for 250 records a page', async () => {
		const from = source(page(records(0, 1), 'c1'), page(records(1, 1), 'c2'), page([]));
		const { pages, error } = await walk(from);
		expect(error).toBeUndefined();
		expect(pages).toEqual([['p0'], ['p1'], []]);
		expect(from.requests.map(({ query }) => query)).toEqual([
			{ status: 'draft', limit: 250, cursor: undefined },
			{ status: 'draft', limit: 250, cursor: 'c1' },
			{ status: 'draft', limit: 250, cursor: 'c2' },
		]);
	});

	describe('in a list whose row in the API document names no limit', () => {
		const LEVELS: PlatformRequest = { method: 'GET', path: '/inventory/levels' };
		const refused = (status: number, { path }: PlatformRequest) =>
			new PlatformError('refused', { method: 'GET', path, host: 'api.shop.example' }, { status });

		it.each([400, 422])('asks without it where it is refused with %i', async (status) => {
			const from = source(refused(status, LEVELS), page(records(0, 5)));
			const { pages, error } = await walk(from, { limit: 3 }, LEVELS);
			expect(error).toBeUndefined();
			expect(pages).toEqual([['p0', 'p1', 'p2']]);
			expect(from.requests.map(({ query }) => query?.limit)).toEqual([3, undefined]);
		});

		it('asks without it from then on', async () => {
			const from = source(refused(400, LEVELS), page(records(0, 1), 'c1'), page(records(1, 1)));
			expect((await walk(from, {}, LEVELS)).pages).toEqual([['p0'], ['p1']]);
			expect(from.requests.map(({ query }) => query?.limit)).toEqual([250, undefined, undefined]);
		});

		it('gives up where it is refused without a limit too', async () => {
			const from = source(refused(400, LEVELS), refused(400, LEVELS));
			expect((await walk(from, {}, LEVELS)).error?.details.status).toBe(400);
			expect(from.requests).toHaveLength(2);
		});

		it('asks no second time after another refusal, and in no other list', async () => {
			for (const [status, list] of [
				[403, LEVELS],
				[400, LIST],
			] as const) {
				const from = source(refused(status, list));
				expect((await walk(from, {}, list)).error?.details.status).toBe(status);
				expect(from.requests).toHaveLength(1);
			}
		});
	});

	it('asks for the page size that is wanted, and for no more records than that', async () => {
		const from = source(page(records(0, 100), 'c1'), page(records(100, 50), 'c2'));
		const { pages } = await walk(from, { pageSize: 100, limit: 150 });
		expect(pages.flat()).toHaveLength(150);
		expect(from.requests.map(({ query }) => query?.limit)).toEqual([100, 50]);
	});

	it('may ask for more than 250, since contracts may allow it', async () => {
		const from = source(page([]));
		await walk(from, { pageSize: 1_000 });
		expect(from.requests[0].query?.limit).toBe(1_000);
	});

	it('cuts off what is too much, where the list takes no limit', async () => {
		const from = source(page(records(0, 9), 'c1'));
		const { pages } = await walk(from, { limit: 3, takesQuery: false });
		expect(pages).toEqual([['p0', 'p1', 'p2']]);
		expect(from.requests[0].query).toEqual({
			status: 'draft',
			limit: undefined,
			cursor: undefined,
		});
	});

	it('cuts off on a later page, too', async () => {
		const from = source(page(records(0, 2), 'c1'), page(records(2, 4), 'c2'));
		const { pages } = await walk(from, { limit: 3, takesQuery: false });
		expect(pages).toEqual([['p0', 'p1'], ['p2']]);
	});

	it('takes a list without pagination for its only page', async () => {
		const { pages, error } = await walk(source({ body: { data: records(0, 2) } }));
		expect(pages).toEqual([['p0', 'p1']]);
		expect(error).toBeUndefined();
	});

	it('stops after the pages that are wanted', async () => {
		const from = source(page(records(0, 1), 'c1'), page(records(1, 1), 'c2'));
		expect((await walk(from, { maxPages: 2 })).pages).toHaveLength(2);
		expect(from.requests).toHaveLength(2);
	});

	it('starts from a cursor', async () => {
		const from = source(page(records(5, 1)));
		await walk(from, { startCursor: 'c5' });
		expect(from.requests[0].query?.cursor).toBe('c5');
	});

	it('is one page without records where nothing has changed', async () => {
		const from = source({ status: 304, headers: { etag: '"v1"' } });
		const found = [];
		for await (const one of paginate(from, LIST)) found.push(one);
		expect(found).toMatchObject([
			{ records: [], hasMore: false, response: { status: 304, headers: { etag: '"v1"' } } },
		]);
	});

	it('asks conditionally for the first page only, and keeps other headers', async () => {
		const from = source(page(records(0, 1), 'c1'), page([]));
		const request = { ...LIST, headers: { 'If-None-Match': '"v1"', 'X-Other': 'y' } };
		for await (const one of paginate(from, request)) expect(one.records).toBeDefined();
		expect(from.requests.map(({ headers }) => headers)).toEqual([
			{ 'If-None-Match': '"v1"', 'X-Other': 'y' },
			{ 'X-Other': 'y' },
		]);
	});

	it('goes on behind the last record where pages carry no cursor', async () => {
		const bare = (data: IDataObject[]): Answer => ({ body: { data } });
		const from = source(bare(records(0, 2)), bare(records(2, 1)), bare([]));
		const { pages } = await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(pages).toEqual([['p0', 'p1'], ['p2'], []]);
		expect(from.requests.map(({ query }) => [query?.after, query?.cursor])).toEqual([
			[undefined, undefined],
			['p1', undefined],
			['p2', undefined],
		]);
	});

	it('goes on behind the last record where a page has more and names no cursor', async () => {
		const more = (data: IDataObject[]): Answer => ({
			body: { data, pagination: { has_more: true } },
		});
		const from = source(more(records(0, 2)), more(records(2, 1)), page(records(3, 1)));
		const { pages, error } = await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(error).toBeUndefined();
		expect(pages).toEqual([['p0', 'p1'], ['p2'], ['p3']]);
		expect(from.requests.map(({ query }) => query?.after)).toEqual([undefined, 'p1', 'p2']);
		const { error: stuck } = await walk(source(more([])), {
			keyset: { field: 'id', query: 'after' },
		});
		expect(stuck?.problem).toBe('bad-page');
	});

	it('trusts the pages’ own cursor more than the last record', async () => {
		const from = source(page(records(0, 1), 'c1'), page([]));
		await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(from.requests[1].query).toEqual({ status: 'draft', limit: 250, cursor: 'c1' });
	});

	it('goes on behind the last record where a page says that there are more and gives no cursor', async () => {
		const more = { body: { data: records(0, 2), pagination: { has_more: true } } };
		const from = source(more, page(records(2, 1)));
		const { pages, error } = await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(error).toBeUndefined();
		expect(pages).toEqual([['p0', 'p1'], ['p2']]);
		expect(from.requests[1].query).toEqual({ status: 'draft', limit: 250, after: 'p1' });
	});

	it.each([400, 422])(
		'goes on behind the last record where the cursor is refused with %i',
		async (status) => {
			const from = source(
				page(records(0, 2), 'c1'),
				refusal(status),
				page(records(2, 1), 'c2'),
				page(records(3, 1)),
			);
			const { pages, error } = await walk(from, {
				limit: 9,
				keyset: { field: 'id', query: 'after' },
			});
			expect(error).toBeUndefined();
			expect(pages).toEqual([['p0', 'p1'], ['p2'], ['p3']]);
			expect(from.requests.map(({ query }) => [query?.limit, query?.after, query?.cursor])).toEqual(
				[
					[9, undefined, undefined],
					[7, undefined, 'c1'],
					[7, 'p1', undefined],
					[6, 'p2', undefined],
				],
			);
		},
	);

	it.each<[string, number, IDataObject[], boolean]>([
		['a platform that is down', 503, records(0, 1), true],
		['records that name no place to go on from', 400, [{ id: 5 }], true],
		['a list of cursors alone', 400, records(0, 1), false],
	])('gives up at once for %s', async (_what, status, first, hasKeyset) => {
		const from = source(page(first, 'c1'), refusal(status));
		const keyset = hasKeyset ? { field: 'id', query: 'after' } : undefined;
		const { error } = await walk(from, { keyset });
		expect(error?.details).toMatchObject({ status, fetched: 1, cursor: 'c1' });
		expect(from.requests).toHaveLength(2);
	});

	it('gives up where the record is refused as well', async () => {
		const from = source(page(records(0, 1), 'c1'), refusal(400), refusal(400));
		const { error } = await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(error?.details).toMatchObject({ cursor: 'p0', cursorParameter: 'after' });
		expect(from.requests).toHaveLength(3);
	});

	it('ends where the last record has no such field', async () => {
		const from = source({ body: { data: [{ id: 5 }] } });
		const { pages, error } = await walk(from, { keyset: { field: 'id', query: 'after' } });
		expect(pages).toEqual([['5']]);
		expect(error).toBeUndefined();
	});
});

describe('a walk whose pages overlap', () => {
	it('gives each record once, as it came first, and as many as are wanted', async () => {
		const answers = () => [
			page([{ id: 'p0', n: 1 }, { id: 'p1' }, { id: 'p0', n: 2 }], 'c1'),
			page([{ id: 'p1', n: 2 }, { id: 'p2' }], 'c2'),
			page(records(2, 3)),
		];
		expect((await walk(source(...answers()))).pages).toEqual([['p0', 'p1'], ['p2'], ['p3', 'p4']]);
		const from = source(...answers());
		expect((await walk(from, { limit: 4 })).pages).toEqual([['p0', 'p1'], ['p2'], ['p3']]);
		expect(from.requests.map(({ query }) => query?.limit)).toEqual([4, 2, 1]);
	});

	it.each<[string, IDataObject[], number]>([
		['a number as id', [{ id: 1 }, { id: 1 }], 1],
		[
			'an event by its own id',
			[
				{ event_id: 'e1', id: 'o1' },
				{ event_id: 'e2', id: 'o1' },
			],
			2,
		],
		[
			'a stock level by SKU and location',
			[
				{ sku: 'a', location_id: 'l1' },
				{ sku: 'a', location_id: 'l2' },
				{ sku: 'a', location_id: 'l1', quantity: 2 },
			],
			2,
		],
		['a record without any name', [{ title: 'a' }, { title: 'a' }], 2],
	])('knows %s', async (_what, data, count) => {
		const { pages } = await walk(source(page(data)));
		expect(pages[0]).toHaveLength(count);
	});

	it('ends with an error where a list begins anew under ever new cursors', async () => {
		const cycle = Array.from({ length: 60 }, (_, n) => page(records(0, 2), `c${n}`));
		const { pages, error } = await walk(source(...cycle));
		expect(pages.flat()).toEqual(['p0', 'p1']);
		expect(error?.problem).toBe('bad-page');
	});
});

describe('a walk of very many records', () => {
	/** Pages of 1,000 records with ever new cursors, which hold what is asked for by its number. */
	async function* long(count: number, numberOf: (page: number) => number) {
		let asked = 0;
		const source = {
			host: 'api.shop.example',
			request: async () => {
				const at = asked++;
				const pagination = { next_cursor: `c${at}`, has_more: at + 1 < count };
				const body = { data: records(1_000 * numberOf(at), 1_000), pagination };
				return await Promise.resolve({ status: 200, headers: {}, body });
			},
		};
		for await (const { records: found } of paginate(source, LIST)) yield found.length;
	}
	const totals = async (walked: AsyncGenerator<number>) => {
		let sum = 0;
		for await (const found of walked) sum += found;
		return sum;
	};

	it('remembers the latest 50,000 at least, and not all of them', async () => {
		const repeats = (back: number) => (at: number) => (at < 149 ? at : at - back);
		expect(await totals(long(150, repeats(49)))).toBe(149_000);
		expect(await totals(long(150, repeats(149)))).toBe(150_000);
	});

	it('ends with an error where the list begins anew', async () => {
		await expect(totals(long(500, (at) => at % 120))).rejects.toMatchObject({
			problem: 'bad-page',
			details: {
				fetched: 120_000,
				hint: expect.stringContaining('The platform sent its first page again') as string,
			},
		});
	});
});

describe('a walk that would never end', () => {
	it.each([
		['the cursor that led here', [page(records(0, 1), 'c1'), page(records(1, 1), 'c1')]],
		[
			'an earlier cursor',
			[page(records(0, 1), 'c1'), page(records(1, 1), 'c2'), page(records(2, 1), 'c1')],
		],
	])('stops at %s', async (_what, answers) => {
		const { error } = await walk(source(...answers));
		expect(error?.problem).toBe('bad-page');
		expect(error?.details.hint).toContain(
			'The platform sent a cursor that it had sent before, so the list would never end.',
		);
	});

	it('stops at the cursor that it was started from', async () => {
		const { error } = await walk(source(page(records(0, 1), 'c5')), { startCursor: 'c5' });
		expect(error?.details).toMatchObject({ fetched: 0, cursor: 'c5' });
	});

	it('stops after 50 empty pages in a row, and not before', async () => {
		const empty = (count: number, from = 0) =>
			Array.from({ length: count }, (_, n) => page([], `c${from + n}`));
		const { error } = await walk(source(...empty(50)));
		expect(error?.details.hint).toContain(
			'The platform sent 50 pages in a row without a new record, so the list would never end.',
		);
		const interrupted = [...empty(49), page(records(0, 1), 'x'), ...empty(49, 50), page([])];
		expect((await walk(source(...interrupted))).error).toBeUndefined();
	});
});

describe('a walk that fails', () => {
	const failure = new PlatformError(
		'refused',
		{ method: 'GET', path: '/products', host: 'api.shop.example' },
		{ status: 400, hint: 'A hint.' },
	);

	it('has handed out the pages before, and says how many records and where to go on', async () => {
		const from = source(page(records(0, 250), 'c1'), page(records(250, 250), 'c2'), failure);
		const { pages, error } = await walk(from);
		expect(pages.flat()).toHaveLength(500);
		expect(error).toMatchObject({ problem: 'refused', request: failure.request });
		expect(error?.details).toEqual({
			status: 400,
			fetched: 500,
			cursor: 'c2',
			cursorParameter: undefined,
			hint: 'A hint. 500 records had been fetched; they come out only where On Error is set to continue. To read on after them, set the option “Start Cursor” to “c2”. To read everything, run the node again.',
		});
	});

	it('needs no other hint', async () => {
		const bare = new PlatformError('refused', failure.request, { status: 400 });
		const { error } = await walk(source(page(records(0, 1), 'c1'), bare));
		expect(error?.details.hint).toMatch(/^1 record had been fetched; /);
	});

	it('names the filter that takes the cursor, where it is another', async () => {
		const from = source({ body: { data: records(0, 2) } }, failure);
		const { error } = await walk(from, { keyset: { field: 'id', query: 'after_event_id' } });
		expect(error?.details).toMatchObject({
			fetched: 2,
			cursor: 'p1',
			cursorParameter: 'after_event_id',
			hint: expect.stringContaining('set the filter “after_event_id” to “p1”') as string,
		});
	});

	it('says nothing of that on the first page', async () => {
		expect((await walk(source(failure))).error).toBe(failure);
	});

	it('passes on what is no error of the platform’s', async () => {
		const cancelled = new Error('cancelled');
		expect((await walk(source(page(records(0, 1), 'c1'), cancelled))).error).toBe(cancelled);
	});

	it('says what is wrong with a page', async () => {
		const { error } = await walk(source({ body: { data: 'x' }, requestId: 'r1' }));
		expect(error).toMatchObject({
			problem: 'bad-page',
			request: { method: 'GET', path: '/products', host: 'api.shop.example' },
			details: {
				status: 200,
				requestId: 'r1',
				hint: 'The answer holds no list of records under “data”.',
			},
		});
		expect(error?.details).not.toHaveProperty('fetched');
	});

	it('leaves no unhandled rejection where the reader stops early', async () => {
		const from = source(page(records(0, 1), 'c1'), failure);
		for await (const one of paginate(from, LIST)) {
			expect(one.records).toHaveLength(1);
			break;
		}
		await new Promise((resolve) => setImmediate(resolve));
		expect(from.requests).toHaveLength(2);
	});
});
