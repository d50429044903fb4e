import { type Answer, outcomeOf } from '../../../../nodes/shared/api/answer';
import { scrubberOf } from '../../../../nodes/shared/api/credential';
import { unanswered } from '../../../../nodes/shared/api/unanswered';

const NOTHING = { body: undefined, record: undefined };
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
		{ willBeSentBack: false, scrub: scrubberOf('cpk_test_0123456789'), nowMs: 0 },
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
		[damaged, 'POST', { response: { status: 200, incomplete: true } }],
		[{ fault: 'cut-off' }, 'POST', { response: { incomplete: true } }],
		[html, 'POST', { problem: 'not-json' }],
		[{ text: '{"deleted":false}' }, 'DELETE', { problem: 'error-body' }],
		[{ text: '{"data":{"deleted":false}}' }, 'POST', {}],
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

	it('is read with its record, under “data” or bare', () => {
		const of = (body: unknown) => outcome({ text: JSON.stringify(body) }).response?.record;
		const bare = [{ id: 'x' }, { id: 'x', data: 'a field' }];
		expect(bare.map(of)).toEqual(bare);
		expect([of({ data: { id: 'x' } }), of({ data: {} })]).toEqual([{ id: 'x' }, {}]);
		const none = [{ data: null }, [{ id: 'x' }], 'text', null];
		expect(none.map(of).filter((record) => record !== undefined)).toEqual([]);
	});

	/** Characters; three of them make an object. */
	const LENGTH = 4_000_000;
	const objects = () => '{},'.repeat(LENGTH / 3).slice(0, -1);

	it.each([
		['a record of objects', () => `{"data":{"id":"x","all":[${objects()}]}}`],
		['a list of records', () => `{"data":[${objects()}]}`],
		['objects behind a long number', () => `{"n":12345678901234567890,"all":[${objects()}]}`],
		['nested lists', () => `{"data":${'['.repeat(LENGTH / 2)}${']'.repeat(LENGTH / 2)}}`],
	])('that would explode when parsed is not parsed: %s', (_name, make) => {
		const parse = jest.spyOn(JSON, 'parse');
		expect(outcome({ text: make() })).toMatchObject({ problem: 'too-large' });
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
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
