import { getEventListeners } from 'node:events';

import type { INode } from 'n8n-workflow';

import { Attempts } from '../../../../nodes/shared/api/attempt';
import { scrubberOf } from '../../../../nodes/shared/api/credential';
import type { PlatformContext } from '../../../../nodes/shared/api/request';
import { FakeClock, settle } from '../../fakeClock';

type Piece = { afterMs: number; text?: string; end?: true };

/** An attempt whose answer comes in pieces, by a clock that the test moves. */
function setUp(pieces: Piece[], limits = { idleMs: 2_000, deadlineMs: 5_000 }, status = 200) {
	const clock = new FakeClock();
	const execution = new AbortController();
	const seen: { signal?: AbortSignal; endedAtMs?: number } = {};
	async function* body() {
		for (const { afterMs, text, end } of pieces) {
			await clock.sleep(afterMs);
			if (end === undefined) yield Buffer.from(text ?? ' ');
		}
	}
	const context: PlatformContext = {
		getNode: () => ({}) as INode,
		getCredentials: async <T extends object>() => ({}) as T,
		helpers: {
			async httpRequestWithAuthentication(_type, { abortSignal }) {
				seen.signal = abortSignal as AbortSignal;
				return await Promise.resolve({ statusCode: status, headers: {}, body: body() });
			},
		},
	};
	const scrub = scrubberOf('cpk_test_0123456789');
	const { signal } = execution;
	const attempts = new Attempts({ context, credential: {}, clock, scrub, ...limits, signal });
	const url = 'https://api.shop.example/v1/orders';
	const send = (method: 'GET' | 'POST' = 'GET') =>
		attempts.send({ url, method }).finally(() => {
			seen.endedAtMs = clock.monotonic();
		});
	return { clock, send, seen, execution };
}

const json = '{"data":{"id":"x"}}';
const every = (ms: number, times: number): Piece[] => new Array<Piece>(times).fill({ afterMs: ms });

describe('the time of an attempt', () => {
	it.each<[string, Piece[], number]>([
		['nothing comes for the idle time', [{ afterMs: 60_000 }], 2_000],
		['nothing more comes for the idle time', [{ afterMs: 1_200 }, { afterMs: 60_000 }], 4_000],
		['something comes all the time, but no end', every(1_200, 50), 5_000],
	])('is over, seen once a second, where %s', async (_when, pieces, endsMs) => {
		const { clock, send, seen } = setUp(pieces);
		const outcome = send();
		await clock.advance(60_000);
		expect(await outcome).toMatchObject({
			problem: 'timeout',
			details: { networkCode: 'ETIMEDOUT' },
		});
		expect(seen.endedAtMs).toBe(endsMs);
		expect(seen.signal?.aborted).toBe(true);
	});

	it('is not moved by the machine’s clock', async () => {
		const { clock, send, seen } = setUp(every(500, 50));
		const outcome = send();
		await clock.advance(1_000);
		clock.set(clock.now() + 3_600_000);
		await clock.advance(1_000);
		clock.set(clock.now() - 7_200_000);
		await clock.advance(60_000);
		expect(await outcome).toMatchObject({ problem: 'timeout' });
		expect(seen.endedAtMs).toBe(5_000);
	});

	it('is enough where the answer ends in it, and nothing is left behind then', async () => {
		const { clock, send, seen, execution } = setUp([
			{ afterMs: 1_900, text: json.slice(0, 9) },
			{ afterMs: 1_900, text: json.slice(9) },
			{ afterMs: 0, end: true },
		]);
		const outcome = send();
		await clock.advance(4_000);
		expect(await outcome).toMatchObject({ response: { status: 200, record: { id: 'x' } } });
		expect(getEventListeners(execution.signal, 'abort')).toEqual([]);
		await clock.advance(60_000);
		expect(seen.signal?.aborted).toBe(false);
	});

	it('is each one’s own, though one timer watches all', async () => {
		const { clock, send } = setUp([{ afterMs: 60_000 }]);
		const ends: number[] = [];
		const begin = () => void send().then(() => ends.push(clock.monotonic()));
		begin();
		await clock.advance(700);
		begin();
		await clock.advance(1_299);
		expect(ends).toEqual([]);
		await clock.advance(1);
		expect(ends).toEqual([2_000]);
		begin();
		await clock.advance(60_000);
		expect(ends).toEqual([2_000, 3_000, 4_000]);
		begin();
		await clock.advance(60_000);
		expect(ends).toEqual([2_000, 3_000, 4_000, 64_000]);
	});

	it('is over at once when the execution is cancelled', async () => {
		const { clock, send, seen, execution } = setUp([{ afterMs: 60_000 }]);
		const outcome = send();
		await clock.advance(1_100);
		execution.abort();
		await settle();
		expect(await outcome).toMatchObject({
			problem: 'unreachable',
			details: { networkCode: 'ERR_CANCELED' },
		});
		expect(seen.endedAtMs).toBe(1_100);
		expect(seen.signal?.aborted).toBe(true);
	});
});

describe('the size of an answer', () => {
	const half = ' '.repeat(8 * 1024 * 1024);

	it('may reach the bound', async () => {
		const text = `${half.slice(json.length)}${json}`;
		const { clock, send } = setUp([
			{ afterMs: 0, text: half },
			{ afterMs: 0, text },
		]);
		const outcome = send();
		await clock.advance(1);
		expect(await outcome).toMatchObject({ response: { record: { id: 'x' } } });
	});

	it.each([
		['GET', { problem: 'too-large' }],
		['POST', { response: { incomplete: true } }],
	] as const)('beyond it is not read: %s', async (method, expected) => {
		const { clock, send, seen } = setUp([
			{ afterMs: 0, text: half },
			{ afterMs: 0, text: `${half} ` },
			{ afterMs: 60_000 },
		]);
		const outcome = send(method);
		await clock.advance(1);
		expect(await outcome).toMatchObject(expected);
		expect(seen.signal?.aborted).toBe(true);
	});
});
