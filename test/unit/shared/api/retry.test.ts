import type { Outcome } from '../../../../nodes/shared/api/answer';
import { readBudget } from '../../../../nodes/shared/api/rateLimit';
import type { SendOptions } from '../../../../nodes/shared/api/request';
import { decideRetry, mayBeApplied } from '../../../../nodes/shared/api/retry';

const RETRY_AFTER_JITTER_MS = 250;

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
const unreachable = (networkCode?: string): Outcome => ({
	budget: {},
	problem: 'unreachable',
	details: { networkCode },
});
const timeout: Outcome = { budget: {}, problem: 'timeout', details: { networkCode: 'ETIMEDOUT' } };
const told = (seconds: number) => answer(429, { 'retry-after': String(seconds) });

const decide = (
	outcome: Outcome,
	more: Partial<
		typeof policy & { isWrite: boolean; attempts: number; waitedMs: number; random: number }
	> = {},
) => {
	const { random = 0, isWrite = false, attempts = 1, waitedMs = 0, ...chosen } = more;
	return decideRetry(outcome, { isWrite, attempts, waitedMs }, { ...policy, ...chosen }, random);
};

describe('decideRetry', () => {
	const answers = (...statuses: number[]) =>
		statuses.map((status): [string, Outcome] => [String(status), answer(status)]);

	it.each<[string, Outcome]>([
		...answers(400, 401, 403, 404, 407, 409, 410, 412, 422, 499, 501, 505),
		['503 IN_DEVELOPMENT', answer(503, {}, 'IN_DEVELOPMENT')],
		['503 in-development', answer(503, { 'retry-after': '1' }, 'in-development')],
		['a redirect', unusable('redirect')],
		['one that is too large', unusable('too-large')],
		['one that is no JSON', unusable('not-json')],
		['one that holds an error', unusable('error-body')],
	])('gives up at once after %s', (_what, outcome) => {
		expect(decide(outcome)).toBeUndefined();
	});

	it.each<[string, Outcome]>([
		...answers(408, 429, 500, 502, 503, 504),
		['no answer', unreachable('ECONNRESET')],
		['no answer in time', timeout],
		['a broken one', unusable('broken-json')],
	])('tries again after %s', (_what, outcome) => {
		expect(decide(outcome, { random: 0.5 })).toBe(250);
	});

	it.each([
		[told(7), 0, 7_000],
		[told(7), 1, 7_000 + RETRY_AFTER_JITTER_MS],
		[answer(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }), 0, 9_000],
		[told(3_600), 0, undefined],
	])(
		'waits as long as Retry-After says and a little longer, or gives up: %#',
		(one, random, ms) => {
			expect(decide(one, { random })).toBe(ms);
		},
	);

	it.each([
		[told(20), 100_000, 20_250],
		[told(20), 100_001, undefined],
		[answer(503), 119_500, 500],
		[answer(503), 119_501, undefined],
	])('waits up to the bound, counting what was waited before: %#', (one, waitedMs, ms) => {
		expect(decide(one, { waitedMs, random: 1 })).toBe(ms);
	});

	it('makes as many attempts as allowed, and one where no time may be waited', () => {
		expect(decide(answer(503), { attempts: 4 })).toBe(0);
		expect(decide(answer(503), { attempts: 5 })).toBeUndefined();
		for (const outcome of [answer(503), unreachable('ECONNRESET'), told(0)])
			expect(decide(outcome, { maxWaitMs: 0 })).toBeUndefined();
		expect(decide(answer(503), { maxWaitMs: 1 })).toBe(0);
	});
});

describe('a write', () => {
	const codes =
		'ENOTFOUND EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID';
	const passing = [...codes.split(' ').map(unreachable), answer(429)];
	const unclear = [
		...[408, 500, 503].map((status) => answer(status)),
		unreachable('ECONNRESET'),
		unreachable(),
		timeout,
		unusable('broken-json'),
	];

	it.each(passing)('may be sent again where it is surely not applied: %j', (outcome) => {
		expect(mayBeApplied(outcome)).toBe(false);
		expect(decide(outcome, { isWrite: true })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'whenSurelyNotApplied' })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'never' })).toBeUndefined();
	});

	it.each(unclear)('is sent again only by the choice to where it may be applied: %j', (outcome) => {
		expect(mayBeApplied(outcome)).toBe(true);
		expect(decide(outcome, { isWrite: true })).toBe(0);
		expect(decide(outcome, { isWrite: true, retryWrites: 'whenSurelyNotApplied' })).toBeUndefined();
		expect(decide(outcome, { isWrite: true, retryWrites: 'never' })).toBeUndefined();
		expect(decide(outcome, { retryWrites: 'never' })).toBe(0);
	});

	it.each<[Outcome, boolean]>([
		[unusable('redirect'), false],
		[unusable('error-body'), false],
		[unusable('too-large'), true],
		[unusable('not-json'), true],
		[answer(400), false],
		[answer(407), false],
		[answer(409), false],
		[answer(499), false],
		[answer(501), false],
		[answer(503, {}, 'IN_DEVELOPMENT'), false],
		[answer(599), true],
	])('of which there is no repeat, may be applied or not: %j %j', (outcome, may) => {
		expect(mayBeApplied(outcome)).toBe(may);
	});
});

it('backs off exponentially with full jitter, up to the cap', () => {
	const backoff = (attempts: number, random: number) =>
		decide(timeout, { attempts, random, maxAttempts: 100 });
	expect([1, 2, 3, 4].map((attempt) => backoff(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
	expect([5, 6, 7].map((attempt) => backoff(attempt, 1))).toEqual([8_000, 16_000, 20_000]);
	expect(backoff(40, 1)).toBe(20_000);
	expect(backoff(5, 0)).toBe(0);
	expect(backoff(1, 0.5)).toBe(250);
	expect(backoff(1, 0.001)).toBe(1);
});
