import { getEventListeners } from 'node:events';

import type { PlatformResponse } from '../../../../nodes/shared/rest/request';
import { CancelledError, type PlatformError } from '../../../../nodes/shared/rest/errors';
import { around, JSON_CASES, valueOf } from '../../../support/jsonSuite';
import { settle } from '../../fakeClock';
import { type Answer, GET, POST, scriptedClient } from './scriptedClient';

const LIMITS = { timeoutMs: 2_500, maxAttempts: 1 };
const TIMEOUT = { problem: 'timeout', details: { networkCode: 'ETIMEDOUT' } };

const late = { pieces: [[60_000, ' ']] } satisfies Answer;
const slowly = { pieces: Array(50).fill([1_200, ' ']) } satisfies Answer;

/** A request under way, and the time at which it ended, by the monotonic clock. */
async function underWay(answer: Answer, options = LIMITS) {
	const set = await scriptedClient([answer], options);
	const seen: { endedAtMs?: number } = {};
	const outcome = set.request().finally(() => (seen.endedAtMs = set.clock.monotonic()));
	await settle();
	return { ...set, outcome, seen, closing: set.sent[0].abortSignal as AbortSignal };
}

describe('the time of an attempt', () => {
	it.each<[string, Answer, number, Partial<typeof LIMITS>?]>([
		['nothing comes', late, 5_000],
		['something comes all the time, but no end', slowly, 5_000],
		['n8n’s helper never answers', 'deaf', 5_000],
		['the timeout is long', 'nothing', 120_000, { timeoutMs: 60_000 }],
	])('is over after twice the timeout, where %s', async (...row) => {
		const [, answer, endsMs, options] = row;
		const { clock, outcome, seen, closing } = await underWay(answer, { ...LIMITS, ...options });
		await clock.advance(200_000);
		expect((await outcome).error).toMatchObject(TIMEOUT);
		expect(seen.endedAtMs).toBe(endsMs);
		expect(closing.aborted).toBe(true);
	});

	it('is not moved by the machine’s clock', async () => {
		const { clock, outcome, seen } = await underWay(slowly);
		await clock.advance(1_000);
		clock.set(clock.now() + 3_600_000);
		await clock.advance(1_000);
		clock.set(clock.now() - 7_200_000);
		await clock.advance(60_000);
		expect((await outcome).error).toMatchObject(TIMEOUT);
		expect(seen.endedAtMs).toBe(5_000);
	});

	it('is enough if the answer ends in it, and nothing is left behind then', async () => {
		const pieces: Array<[number, string]> = [
			[1_900, '{"data":'],
			[1_900, '{"id":"x"}}'],
		];
		const { clock, outcome, signal, closing } = await underWay({ pieces });
		await clock.advance(4_000);
		expect((await outcome).value).toMatchObject({ status: 200, record: { id: 'x' } });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await clock.advance(60_000);
		expect(closing.aborted).toBe(false);
	});

	it('is each one’s own', async () => {
		const { clock, request } = await scriptedClient(Array<Answer>(2).fill(late), LIMITS);
		const ends: number[] = [];
		const begin = () => void request().then(() => ends.push(clock.monotonic()));
		begin();
		await clock.advance(700);
		begin();
		await clock.advance(60_000);
		expect(ends).toEqual([5_000, 5_700]);
	});

	it('keeps no slot from the next request once it is over', async () => {
		const one = { ...LIMITS, maxInFlight: 1 };
		const set = await scriptedClient(['deaf', { body: { id: 'x' } }], one);
		const first = set.request();
		expect((await set.after(6_000)).value).toMatchObject({ record: { id: 'x' } });
		expect((await first).error).toMatchObject(TIMEOUT);
	});

	it.each<Answer>(['nothing', 'deaf', late])(
		'is over at once when the execution is cancelled: %j',
		async (answer) => {
			const { clock, outcome, seen, closing, cancel } = await underWay(answer);
			await clock.advance(1_100);
			cancel();
			expect((await outcome).error).toBeInstanceOf(CancelledError);
			expect(seen.endedAtMs).toBe(1_100);
			expect(closing.aborted).toBe(true);
		},
	);
});

describe('the size of an answer', () => {
	const half = ' '.repeat(8 * 1024 * 1024);
	const json = '{"data":{"id":"x"}}';

	it.each<[string, typeof GET, string, object]>([
		['may reach the bound', GET, half.slice(json.length), { value: { record: { id: 'x' } } }],
		['may not go beyond it', GET, half, { error: { problem: 'too-large' } }],
		['beyond it is no matter for a write', POST, half, { value: { status: 200 } }],
	])('%s', async (_what, asked, blanks, expected) => {
		const pieces: Array<[number, string]> = [half, blanks, json].map((text) => [0, text]);
		const { request, sent } = await scriptedClient([{ pieces }], LIMITS);
		expect(await request(asked)).toMatchObject(expected);
		expect((sent[0].abortSignal as AbortSignal).aborted).toBe(blanks === half);
	});
});

it.each(JSON_CASES)(
	'an answer of JSON is a record or an error, and a write is done: $name',
	async (one) => {
		const body = around('{"data":{"id":"x","v":', one, '}}').toString();
		const answer = { body, headers: { 'content-type': 'application/json' } };
		const { request } = await scriptedClient([answer, answer], { maxWaitMs: 0 });
		const { value, error } = (await request()) as {
			value?: PlatformResponse;
			error?: PlatformError;
		};
		if (one.kind !== 'i') expect(error?.problem).toBe(one.kind === 'n' ? 'broken-json' : undefined);
		if (one.kind === 'y')
			expect(JSON.stringify(value?.record?.v)).toBe(JSON.stringify(valueOf(one)));
		expect(await request(POST)).toMatchObject({ value: { status: 200 }, error: undefined });
	},
);

describe('the text of an answer', () => {
	const typed = (charset: string) => ({ 'content-type': `application/json${charset}` });
	const nameOf = async (charset: string, bytes: Buffer, request = GET) => {
		const answer = { headers: typed(charset), bytes };
		const { value, error } = await (await scriptedClient([answer])).request(request);
		return (value as PlatformResponse | undefined)?.record?.name ?? error?.problem;
	};

	it('is UTF-8 without one, with or without a byte order mark', async () => {
		const text = '{"data":{"id":"x","name":"Müller"}}';
		for (const written of [text, `\ufeff${text}`])
			expect(await nameOf('', Buffer.from(written))).toBe('Müller');
	});
});
