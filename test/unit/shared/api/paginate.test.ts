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

const refusal = (status: number, path = '/products', hint?: string) =>
	new PlatformError('refused', { method: 'GET', path, host: 'api.shop.example' }, { status, hint });

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

/** Goes on behind the last record by the parameter `after`. */
const KEYSET = { keyset: { field: 'id', query: 'after' } };
const bare = (data: IDataObject[], pagination?: IDataObject): Answer => ({
	body: { data, ...(pagination ? { pagination } : {}) },
});

describe('paginate', () => {
	type Asked = Record<string, unknown>;

	it.each<[string, Answer[], PaginateOptions, string[][], Asked[]]>([
		[
			'passes cursors on, and asks for 250 records a page',
			[page(records(0, 1), 'c1'), page(records(1, 1), 'c2'), page([])],
			{},
			[['p0'], ['p1'], []],
			[{ limit: 250 }, { limit: 250, cursor: 'c1' }, { limit: 250, cursor: 'c2' }],
		],
		[
			'asks for the page size that is wanted, and for no more records than that',
			[page(records(0, 2), 'c1'), page(records(2, 1), 'c2')],
			{ pageSize: 2, limit: 3 },
			[['p0', 'p1'], ['p2']],
			[{ limit: 2 }, { limit: 1, cursor: 'c1' }],
		],
		// Contracts may allow it.
		['may ask for more than 250', [page([])], { pageSize: 1_000 }, [[]], [{ limit: 1_000 }]],
		[
			'cuts off what is too much, where the list takes no limit',
			[page(records(0, 2), 'c1'), page(records(2, 4), 'c2')],
			{ limit: 3, takesQuery: false },
			[['p0', 'p1'], ['p2']],
			[{}, { cursor: 'c1' }],
		],
		[
			'takes a list without pagination for its only page',
			[bare(records(0, 1))],
			{},
			[['p0']],
			[{ limit: 250 }],
		],
		[
			'stops after the pages that are wanted',
			[page(records(0, 1), 'c1'), page(records(1, 1), 'c2')],
			{ maxPages: 2 },
			[['p0'], ['p1']],
			[{ limit: 250 }, { limit: 250, cursor: 'c1' }],
		],
		[
			'starts from a cursor',
			[page([])],
			{ startCursor: 'c5' },
			[[]],
			[{ limit: 250, cursor: 'c5' }],
		],
		[
			'goes on behind the last record where pages carry no cursor',
			[bare(records(0, 2)), bare(records(2, 1), { has_more: true }), bare([])],
			KEYSET,
			[['p0', 'p1'], ['p2'], []],
			[{ limit: 250 }, { limit: 250, after: 'p1' }, { limit: 250, after: 'p2' }],
		],
		[
			'trusts the pages’ own cursor more than the last record',
			[page(records(0, 1), 'c1'), page([])],
			KEYSET,
			[['p0'], []],
			[{ limit: 250 }, { limit: 250, cursor: 'c1' }],
		],
		[
			'ends where the last record has no such field',
			[bare([{ id: 5 }])],
			KEYSET,
			[['5']],
			[{ limit: 250 }],
		],
		...[400, 422].map((status): [string, Answer[], PaginateOptions, string[][], Asked[]] => [
			`goes on behind the last record where the cursor is refused with ${status}`,
			[page(records(0, 2), 'c1'), refusal(status), page(records(2, 1), 'c2'), page(records(3, 1))],
			{ limit: 9, ...KEYSET },
			[['p0', 'p1'], ['p2'], ['p3']],
			[
				{ limit: 9 },
				{ limit: 7, cursor: 'c1' },
				{ limit: 7, after: 'p1' },
				{ limit: 6, after: 'p2' },
			],
		]),
	])('%s', async (_what, answers, options, pages, asked) => {
		const from = source(...answers);
		expect(await walk(from, options)).toEqual({ pages, error: undefined });
		const queries = from.requests.map(({ query }) => query);
		expect(queries).toEqual(asked.map((one) => ({ status: 'draft', ...one })));
	});

	describe('in a list whose row in the API document names no limit', () => {
		const LEVELS: PlatformRequest = { method: 'GET', path: '/inventory/levels' };
		const limitsOf = ({ requests }: ReturnType<typeof source>) =>
			requests.map(({ query }) => query?.limit);

		it.each([400, 422])(
			'asks without it from then on where it is refused with %i',
			async (status) => {
				const refused = refusal(status, LEVELS.path);
				const from = source(refused, page(records(0, 1), 'c1'), page(records(1, 5)));
				expect((await walk(from, { limit: 3 }, LEVELS)).pages).toEqual([['p0'], ['p1', 'p2']]);
				expect(limitsOf(from)).toEqual([3, undefined, undefined]);
			},
		);

		it('gives up where it is refused without a limit too', async () => {
			const from = source(refusal(400, LEVELS.path), refusal(400, LEVELS.path));
			expect((await walk(from, {}, LEVELS)).error?.details.status).toBe(400);
			expect(from.requests).toHaveLength(2);
		});

		it.each([
			[403, LEVELS],
			[400, LIST],
		])('asks no second time after a %i of %j', async (status, list) => {
			const from = source(refusal(status, list.path));
			expect((await walk(from, {}, list)).error?.details.status).toBe(status);
			expect(from.requests).toHaveLength(1);
		});
	});

	it.each([400, 422])('is read unsorted where a sort is refused with %i', async (status) => {
		const from = source(refusal(status), page(records(0, 1), 'c1'), refusal(status));
		const { pages, error } = await walk(from, { newestFirst: true });
		expect(pages).toEqual([['p0']]);
		const sorts = from.requests.map(({ query }) => query?.sort);
		expect(sorts).toEqual(['updated_at:desc', undefined, undefined]);
		expect(error?.details.sort).toBeUndefined();
	});

	it('is not sorted where the list takes no query, nor asked again after another refusal', async () => {
		const from = source(refusal(403));
		const { error } = await walk(from, { newestFirst: true, takesQuery: false });
		expect(error?.details.status).toBe(403);
		expect(from.requests.map(({ query }) => query?.sort)).toEqual([undefined]);
	});

	it('is one page without records where nothing has changed', async () => {
		const answer = { status: 304, headers: { etag: '"v1"' } };
		const found = [];
		for await (const one of paginate(source(answer), LIST)) found.push(one);
		expect(found).toMatchObject([{ records: [], hasMore: false, response: answer }]);
	});

	it('asks conditionally for the first page only, and keeps other headers', async () => {
		const from = source(page(records(0, 1), 'c1'), page([]));
		const request = { ...LIST, headers: { 'If-None-Match': '"v1"', 'X-Other': 'y' } };
		expect((await walk(from, {}, request)).pages).toHaveLength(2);
		const headers = from.requests.map((one) => one.headers);
		expect(headers).toEqual([request.headers, { 'X-Other': 'y' }]);
	});

	it('stops where a page has more, names no cursor and has no record', async () => {
		const { error } = await walk(source(bare([], { has_more: true })), KEYSET);
		expect(error?.problem).toBe('bad-page');
	});

	it.each<[string, Answer[], PaginateOptions, number, string]>([
		['a platform that is down', [page(records(0, 1), 'c1'), refusal(503)], KEYSET, 503, 'c1'],
		['records that name no place', [page([{ id: 5 }], 'c1'), refusal(400)], KEYSET, 400, 'c1'],
		['a list of cursors alone', [page(records(0, 1), 'c1'), refusal(400)], {}, 400, 'c1'],
		[
			'a refused record',
			[page(records(0, 1), 'c1'), refusal(400), refusal(400)],
			KEYSET,
			400,
			'p0',
		],
	])('gives up for %s', async (_what, answers, options, status, cursor) => {
		const from = source(...answers);
		const { error } = await walk(from, options);
		expect(error?.details).toMatchObject({ status, fetched: 1, cursor });
		expect(from.requests).toHaveLength(answers.length);
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

	it('gives each once, however late it comes again', async () => {
		expect(await totals(long(150, (at) => (at < 149 ? at : 0)))).toBe(149_000);
	});

	it('ends with an error where the list begins anew', async () => {
		await expect(totals(long(500, (at) => at % 120))).rejects.toMatchObject({
			problem: 'bad-page',
			details: {
				fetched: 120_000,
				hint: expect.stringContaining(
					'The platform sent 50 pages in a row without a new record',
				) as string,
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
	const failure = refusal(400, '/products', 'A hint.');

	it('has handed out the pages before, and says how many records and where to go on', async () => {
		const from = source(page(records(0, 250), 'c1'), page(records(250, 250), 'c2'), failure);
		const { pages, error } = await walk(from);
		expect(pages.flat()).toHaveLength(500);
		expect(error).toMatchObject({ problem: 'refused', request: failure.request });
		expect(error?.details).toEqual({
			status: 400,
			fetched: 500,
			cursor: 'c2',
			hint: 'A hint. 500 records had been fetched; they come out only where On Error is set to continue. To read on after them, set the option “Start Cursor” to “c2”. To read everything, run the node again.',
		});
	});

	it('needs no other hint', async () => {
		const { error } = await walk(source(page(records(0, 1), 'c1'), refusal(400)));
		expect(error?.details.hint).toMatch(/^1 record had been fetched; /);
	});

	it('names the filter that takes the cursor, where it is another', async () => {
		const from = source({ body: { data: records(0, 2) } }, failure);
		const { error } = await walk(from, { keyset: { field: 'id', query: 'after_event_id' } });
		expect(error?.details).toMatchObject({
			fetched: 2,
			cursor: 'p1',
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
