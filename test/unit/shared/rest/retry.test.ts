import { readBudget } from '../../../../nodes/shared/rest/limiter';
import type { Outcome, SendOptions } from '../../../../nodes/shared/rest/request';
import { decideRetry, mayHaveApplied } from '../../../../nodes/shared/rest/retry';
import { unanswered } from '../../../../nodes/shared/rest/network';

const policy = {
	maxAttempts: 5,
	maxWaitMs: 120_000,
	retryWrites: 'automatic' as SendOptions['retryWrites'],
};
const nowMs = Date.parse('2026-03-01T12:00:00Z');

/** An answer with an error status. */
const answer = (status: number, headers: Record<string, string> = {}, code?: string): Outcome => ({
	response: { status, headers, body: {} },
	budget: readBudget(status, headers, nowMs),
	problem: status === 429 ? 'budget-spent' : 'refused',
	details: { status, code },
});
/** An answer with success that cannot be used. */
const unusable = (problem: Outcome['problem']): Outcome => ({
	response: { status: 200, headers: {}, body: undefined },
	budget: {},
	problem,
	details: { status: 200 },
});
const TARGET = { url: 'https://api.shop.example/v1/orders' };
const unreachable = (code?: string) => unanswered(Object.assign(new Error(), { code }), TARGET);
const timeout: Outcome = { budget: {}, problem: 'timeout', details: { networkCode: 'ETIMEDOUT' } };
const told = (seconds: number) => answer(429, { 'retry-after': String(seconds) });

const decide = (
	outcome: Outcome,
	more: Partial<
		typeof policy & {
			isWrite: boolean;
			attempts: number;
			waitedMs: number;
			random: number;
		}
	> = {},
) => {
	const { random = 0, isWrite = false, attempts = 1, waitedMs = 0, ...chosen } = more;
	const tried = { isWrite, attempts, waitedMs };
	return decideRetry(outcome, tried, { ...policy, ...chosen }, random);
};

describe('decideRetry', () => {
	const answers = (...statuses: number[]) =>
		statuses.map((status): [string, Outcome] => [String(status), answer(status)]);
	const unusables = (...problems: Array<NonNullable<Outcome['problem']>>) =>
		problems.map((problem): [string, Outcome] => [problem, unusable(problem)]);

	it.each<[string, Outcome]>([
		...answers(400, 401, 403, 404, 407, 409, 410, 412, 422, 451, 499, 501),
		['503 IN_DEVELOPMENT', answer(503, {}, 'IN_DEVELOPMENT')],
		['503 in-development', answer(503, { 'retry-after': '1' }, 'in-development')],
		...unusables('redirect', 'too-large', 'not-json', 'error-body'),
	])('gives up at once after %s', (_what, outcome) => {
		expect(decide(outcome)).toBeUndefined();
	});

	const dated = answer(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' });

	it.each([
		[told(7), 0, 0, 7_000],
		[told(7), 1, 0, 7_250],
		[dated, 0, 0, 9_000],
		[told(3_600), 0, 0, undefined],
		// Up to the bound, which includes earlier waits.
		[told(20), 1, 100_000, 20_250],
		[told(20), 1, 100_001, undefined],
		[answer(503), 1, 119_500, 500],
		[answer(503), 1, 119_501, undefined],
	])('waits as Retry-After says and a little longer, or gives up: %#', (...row) => {
		const [one, random, waitedMs, ms] = row;
		expect(decide(one, { random, waitedMs })).toBe(ms);
	});

	it('makes as many attempts as allowed, and one if it may not wait', () => {
		expect(decide(answer(503), { attempts: 4 })).toBe(0);
		expect(decide(answer(503), { attempts: 5 })).toBeUndefined();
		for (const outcome of [answer(503), unreachable('ECONNRESET'), told(0)])
			expect(decide(outcome, { maxWaitMs: 0 })).toBeUndefined();
		expect(decide(answer(503), { maxWaitMs: 1 })).toBe(0);
	});
});

it.each([408, 500, 502, 503, 504, 505, 511, 520, 521, 522, 523, 524, 529, 530, 599])(
	'%d passes, so that the request is sent again',
	(status) => {
		expect(decide(answer(status))).toBe(0);
		expect(mayHaveApplied(answer(status))).toBe(true);
	},
);

describe('a write', () => {
	const codes = 'EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH';
	const passing = [...codes.split(' ').map(unreachable), answer(429)];
	const unclear = [
		...[408, 500, 503].map((status) => answer(status)),
		unreachable('ECONNRESET'),
		unreachable(),
		timeout,
		unusable('broken-json'),
	];

	it.each(passing)('may be sent again if it was surely not applied: %j', (outcome) => {
		expect(mayHaveApplied(outcome)).toBe(false);
		expect(decide(outcome, { isWrite: true })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'whenSurelyNotApplied' })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'never' })).toBeUndefined();
	});

	it.each(unclear)('is sent again only by choice if it may have been applied: %j', (outcome) => {
		expect(mayHaveApplied(outcome)).toBe(true);
		expect(decide(outcome, { isWrite: true })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'whenSurelyNotApplied' })).toBeUndefined();
		expect(decide(outcome, { isWrite: true, retryWrites: 'never' })).toBeUndefined();
		expect(decide(outcome, { retryWrites: 'never' })).toBe(0);
	});

	it('that cannot be repeated may have been applied or not', () => {
		const refused = [...[400, 407, 409, 499, 501].map((status) => answer(status))];
		const not = [...refused, unusable('redirect'), unusable('error-body')];
		expect([...not, answer(503, {}, 'IN_DEVELOPMENT')].filter(mayHaveApplied)).toEqual([]);
		const seeOther = { ...unusable('redirect'), details: { status: 303 } };
		const maybe = [unusable('too-large'), unusable('not-json'), answer(599), seeOther];
		expect(maybe.filter(mayHaveApplied)).toEqual(maybe);
	});
});

it('backs off exponentially with full jitter, up to the cap', () => {
	const backoff = (attempts: number, random: number) =>
		decide(timeout, { attempts, random, maxAttempts: 100 });
	const most = [1, 2, 3, 4, 5, 6, 7, 40].map((attempts) => backoff(attempts, 1));
	expect(most.join()).toBe('500,1000,2000,4000,8000,16000,20000,20000');
	expect([backoff(5, 0), backoff(1, 0.5), backoff(1, 0.001)]).toEqual([0, 250, 1]);
});

it('is not sent again to a server whose certificate is refused', () => {
	expect(decide(unreachable('CERT_HAS_EXPIRED'))).toBeUndefined();
});

it('is not sent again to a host that does not exist', () => {
	expect(decide(unreachable('ENOTFOUND'))).toBeUndefined();
});
