import { outcomeOf } from '../../../../nodes/shared/rest/request';
import { readCredential } from '../../../../nodes/shared/rest/credential';
import { unanswered } from '../../../../nodes/shared/rest/network';
import { SERVICE } from '../../../../nodes/shared/shop/service';

type Answer = Parameters<typeof outcomeOf>[0];

const NOTHING = { body: undefined, record: undefined };
const KEY = 'cpk_test_0123456789';
const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

const outcome = (
	answer: Partial<Answer>,
	method: 'DELETE' | 'GET' | 'POST' = 'GET',
	path = '/orders',
) =>
	outcomeOf(
		{ status: 200, headers: {}, text: '', ...answer },
		{ method, url: `https://api.shop.example/v1${path}` },
		{
			...SERVICE,
			...readCredential({ baseUrl: 'https://api.shop.example/v1', apiKey: KEY }),
			nowMs: 0,
		},
	);

describe('an answer', () => {
	const damaged = { text: '{"data":', headers: JSON_TYPE };
	const html = { text: '<html>', headers: HTML };
	const partly = { errors: [{ index: 1, code: 'X' }] };
	const redirect = (status: number, location: string) => ({ status, headers: { location } });
	const redirected = (status: number, location?: string) => {
		return { problem: 'redirect', details: { status, location } };
	};

	it.each<[Partial<Answer>, 'DELETE' | 'GET' | 'POST', object]>([
		[{ text: ' ' }, 'GET', { response: { status: 200, ...NOTHING } }],
		[{ status: 207, text: ' ' }, 'GET', { response: { status: 207, ...NOTHING } }],
		[{ status: 304, text: ' ' }, 'GET', { response: { status: 304, ...NOTHING } }],
		[{ status: 207, text: JSON.stringify(partly) }, 'POST', { problem: 'error-body' }],
		[{ text: JSON.stringify(partly) }, 'POST', { problem: 'error-body' }],
		[redirect(302, 'https://evil.example/x?y'), 'GET', redirected(302, 'https://evil.example')],
		[redirect(307, '/elsewhere'), 'GET', redirected(307, 'https://api.shop.example')],
		[{ status: 399 }, 'GET', redirected(399)],
		[redirect(300, 'http://['), 'GET', redirected(300)],
		[html, 'GET', { problem: 'not-json', details: { status: 200, isHtml: true } }],
		[{ ...html, status: 404 }, 'GET', { problem: 'refused', details: { status: 404 } }],
		[damaged, 'GET', { problem: 'broken-json' }],
		[{ fault: 'cut-off', error: new Error('x') }, 'GET', { problem: 'unreachable' }],
		// A write with a damaged answer counts as done; with a web page as answer it does not.
		[damaged, 'POST', { response: { status: 200 } }],
		[{ fault: 'cut-off' }, 'POST', { response: { status: 200 } }],
		[html, 'POST', { problem: 'not-json' }],
		// What does not fit is an error of a read, and of a write that was refused.
		[{ fault: 'too-large' }, 'GET', { problem: 'too-large' }],
		[{ status: 500, fault: 'too-large' }, 'POST', { problem: 'too-large' }],
		[{ fault: 'too-large' }, 'POST', { response: { status: 200 } }],
		[{ status: 299, fault: 'cut-off' }, 'POST', { response: { status: 299 } }],
		[{ status: 300, fault: 'cut-off', error: new Error() }, 'POST', { problem: 'unreachable' }],
		[{ status: 199, fault: 'cut-off', error: new Error() }, 'POST', { problem: 'unreachable' }],
		[{ text: 'Done.' }, 'GET', { problem: 'not-json' }],
		[{ text: 'Done.' }, 'POST', { problem: 'not-json' }],
		[{ ...damaged, status: 500 }, 'GET', { problem: 'refused' }],
		[{ status: 429 }, 'GET', { problem: 'budget-spent' }],
		[{ status: 400 }, 'GET', { problem: 'refused' }],
	])('%j to a %s is what it says', (answer, method, expected) => {
		const { problem, ...rest } = outcome(answer, method);
		expect({ problem, ...rest }).toMatchObject({ problem: undefined, ...expected });
	});

	it('to a batch is no error of the request if only some of its products have errors', () => {
		const { problem, response } = outcome(
			{ status: 207, text: JSON.stringify(partly) },
			'POST',
			'/products/batch',
		);
		expect([problem, response?.body]).toEqual([undefined, partly]);
	});

	it('tells its request ID from the body only if it is an error', () => {
		const text = '{"request_id":"req_of_the_record"}';
		const headers = { 'x-request-id': 'req_1' };
		expect(outcome({ text, headers }).response?.requestId).toBe('req_1');
		expect(outcome({ text, headers, status: 400 }).details.requestId).toBe('req_of_the_record');
	});

	it('that refuses shows the API key in none of its texts', () => {
		const error = { code: KEY, message: `The key ${KEY} is wrong`, request_id: `req ${KEY}` };
		const { details } = outcome({ status: 401, text: JSON.stringify({ error }) });
		expect(JSON.stringify(details)).not.toContain(KEY);
		expect(details).toMatchObject({
			code: '[API key]',
			platformMessage: 'The key [API key] is wrong',
			requestId: 'req [API key]',
		});
	});

	it.each([
		['', true],
		['Not found', true],
		['{}', undefined],
		['null', undefined],
	])('that refuses with %j is bare: %j', (text, isBare) => {
		expect(outcome({ status: 404, text }).details.isBare).toBe(isBare);
	});

	it.each<[Partial<Answer>, boolean]>([
		[{ headers: HTML }, true],
		[{ headers: { 'content-type': 'TEXT/HTML; charset=utf-8' } }, true],
		[{ text: '<!DOCTYPE html><p>' }, true],
		[{ text: '\n  <html lang="de">' }, true],
		[{ text: `${' '.repeat(99)}<html>` }, true],
		[{ text: `${' '.repeat(100)}<html>` }, false],
		[{ text: 'see <html>' }, false],
		[{ text: '<htmlish>' }, false],
		[{ headers: { 'content-type': 'text/xhtmlish' } }, false],
		[{ headers: JSON_TYPE }, false],
	])('like %j is a web page: %j', (answer, isPage) => {
		expect(outcome({ ...answer, status: 502 }).details.isHtml).toBe(isPage || undefined);
	});

	const page = (head: string) =>
		outcome({ status: 502, headers: HTML, text: `<html>${head}` }).details.hint;

	it.each([
		['a title', '<title>Bad Gateway</title>', 'Bad Gateway'],
		['a title on several lines', '<TITLE>\n  Bad \t\n Gateway  </TITLE>', 'Bad Gateway'],
		['a title with the key', `<title>of ${KEY}</title>`, 'of [API key]'],
		['a long title', `<title>${'x'.repeat(201)}</title>`, 'x'.repeat(200)],
		['a late title', `${' '.repeat(9_980)}<title>Late</title>`, 'Late'],
	])('that is a web page is recognised by %s', (_what, head, title) => {
		expect(page(head)).toBe(`The page is titled “${title}”.`);
	});

	it.each([
		['no title', ''],
		['a title without text', '<title></title>'],
		['a blank title', '<title>  </title>'],
		['a title after 10,000 characters', `${' '.repeat(10_000)}<title>Late</title>`],
	])('that is a web page says nothing of itself by %s', (_what, head) => {
		expect(page(head)).toBeFalsy();
	});

	it('is read with its record, under “data” or bare', () => {
		const of = (body: unknown) => outcome({ text: JSON.stringify(body) }).response?.record;
		const bare = [{ id: 'x' }, { id: 'x', data: 'a field' }];
		expect(bare.map(of)).toEqual(bare);
		expect([of({ data: { id: 'x' } }), of({ data: {} })]).toEqual([{ id: 'x' }, {}]);
		const none = [{ data: null }, [{ id: 'x' }], 'text', null];
		expect(none.map(of).filter((record) => record !== undefined)).toEqual([]);
	});
});

describe('an attempt without an answer', () => {
	const TARGET = { url: 'https://api.shop.example/v1/orders' };
	const failure = (code: string) => Object.assign(new Error(code), { code });

	it.each([
		['ECONNABORTED', 'timeout'],
		['ETIMEDOUT', 'timeout'],
		['ESOCKETTIMEDOUT', 'timeout'],
		['ECONNRESET', 'unreachable'],
		['ENOTFOUND', 'unreachable'],
	])('with %s is a %s, also from under n8n’s errors', (networkCode, problem) => {
		const inner = new Error('inner', { cause: failure(networkCode) });
		const wrapped = new Error('outer', { cause: inner });
		for (const error of [failure(networkCode), wrapped])
			expect(unanswered(error, TARGET)).toMatchObject({
				budget: {},
				problem,
				details: { networkCode },
			});
	});

	it.each([new Error('no code'), 'no error', failure(5 as unknown as string)])(
		'may have no code: %j',
		(error) => {
			expect(unanswered(error, TARGET)).toMatchObject({ problem: 'unreachable', details: {} });
		},
	);
});
