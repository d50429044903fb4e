import nock from 'nock';

import { BASE_URL } from '../testShop';

/** A request as it arrived. */
export interface StubRequest {
	/** e.g. `PATCH /orders/ord_1` */
	route: string;
	/** Path under the base URL, with the query as it was sent. */
	target: string;
	query: Record<string, string>;
	headers: Record<string, string | undefined>;
	/** Parsed JSON. */
	body: unknown;
	/** The exact bytes of the body. */
	text: string;
}

/** Status, body and headers; or the error code of a broken connection. */
export type StubAnswer =
	[status: number, body?: unknown, headers?: Record<string, string>] | string;

/**
 * Answers by route; `*` in a route matches anything. A list of answers is used in turn, and its last answer again and
 * again. The first route that matches counts.
 */
export type StubRoutes = Record<
	string,
	StubAnswer[] | ((request: StubRequest) => StubAnswer | Promise<StubAnswer>)
>;

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/**
 * A platform without a server. A request that matches no route is refused for good.
 *
 * @returns the requests as they arrive
 */
export function stubApi(routes: StubRoutes): StubRequest[] {
	nock.cleanAll();
	const sent: StubRequest[] = [];
	const answers = Object.entries(routes).map(([route, answer]) => ({
		pattern: new RegExp(`^${route.split('*').map(escaped).join('.*')}$`),
		answer: typeof answer === 'function' ? answer : inTurn(answer),
	}));
	for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
		nock(BASE_URL)
			.persist()
			.intercept(/.*/, method)
			// Async, so that an exception breaks the connection.
			.reply(async function (uri, body) {
				const url = new URL(uri, BASE_URL);
				const { headers, requestBodyBuffers = [] } = this.req as unknown as {
					headers: StubRequest['headers'];
					requestBodyBuffers?: Buffer[];
				};
				const route = `${method} ${url.pathname.replace(/^\/v1/, '')}`;
				const target = uri.replace(/^\/v1/, '');
				const query = Object.fromEntries(url.searchParams);
				const text = Buffer.concat(requestBodyBuffers).toString();
				const request = { route, target, query, headers, body, text };
				sent.push(request);
				const found = answers.find(({ pattern }) => pattern.test(route));
				const answer: StubAnswer = (await found?.answer(request)) ?? [
					418,
					{ message: `nobody expected ${route}` },
				];
				if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
				return answer as [number, nock.ReplyBody, nock.ReplyHeaders];
			});
	return sent;
}

/** The answer that is the only page of a list. */
export const onlyPage = (data: object[]): StubAnswer => [
	200,
	{ data, pagination: { has_more: false } },
];

/** The requests that write. */
export const writesIn = (sent: StubRequest[]): StubRequest[] =>
	sent.filter(({ route }) => !route.startsWith('GET'));

const escaped = (text: string) => text.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`);

function inTurn(answers: StubAnswer[]) {
	let next = 0;
	return () => answers[Math.min(next++, answers.length - 1)];
}

/** Makes every wait between attempts as short as its full jitter allows. */
export function withLeastWaits(): void {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => jest.restoreAllMocks());
}
