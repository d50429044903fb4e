import type { IDataObject } from 'n8n-workflow';

import { Endpoint, loaded, PENDING_MS } from './endpoint';

const [A, B, C] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];

/**
 * After this time a sender hears no answer, the trigger looks at answers again, and it saves its memory once more, ms.
 */
const HEARD_MS = 8_000;
const LOOK_MS = 3;
const SAVE_EVERY_MS = 400;

describe('one delivery', () => {
	it('is not saved while no endpoint is known: another process may be registering one', async () => {
		const endpoint = new Endpoint(false);
		const one = await endpoint.waiting(A);
		expect(one.isChanged()).toBe(false);
		endpoint.register('');
		await endpoint.clock.advance(LOOK_MS);
		expect(one.save()).toEqual([A]);
	});

	it('is not saved if its request loaded no record: the node has just got another name', async () => {
		const { clock, remembers, arrive } = new Endpoint();
		const one = arrive(A, loaded({}));
		await clock.advance(LOOK_MS);
		expect(one.isChanged()).toBe(false);
		one.answer.send(200);
		expect(remembers(A)).toBe(true);
	});

	it.each([
		['its answer is no 2xx', 0, false, 500],
		['its sender had hung up: it will send again', 0, true, 200],
		['n8n answers so late that no sender hears it', HEARD_MS + 1, false, 200],
	])('is in no later save if %s', async (_when, afterMs, hungUp, status) => {
		const { clock, isPending, remembers, waiting } = new Endpoint();
		const one = await waiting(A);
		await clock.advance(afterMs);
		if (hungUp) one.answer.hangUp();
		else one.answer.send(status);
		expect(one.save()).toEqual([]);
		if (hungUp) one.answer.send(status);
		await clock.advance(LOOK_MS);
		await one.done;
		expect([isPending(A), remembers(A)]).toEqual([false, false]);
	});

	it.each([
		['while its sender waits', HEARD_MS - LOOK_MS, false, true],
		['not when its sender has gone', LOOK_MS, true, false],
		['not after its sender has waited: there may be a newer endpoint', HEARD_MS, false, false],
	])('asks n8n to save it %s', async (_name, afterMs, hungUp, isAsked) => {
		const endpoint = new Endpoint();
		const one = await endpoint.waiting(A);
		await endpoint.clock.advance(afterMs);
		one.reset();
		if (hungUp) one.answer.hangUp();
		await endpoint.clock.advance(LOOK_MS);
		expect(one.isChanged()).toBe(isAsked);
	});
});

describe('accepted deliveries', () => {
	it.each([
		[{ status: 199 }, false],
		[{ status: 200 }, true],
		[{ status: 299 }, true],
		[{ status: 300 }, false],
		// An answer within the sender's patience, exact to the millisecond from the arrival on.
		[{ afterMs: HEARD_MS }, true],
		[{ afterMs: HEARD_MS + 1 }, false],
		[{ afterMs: HEARD_MS - 7_000, waitedMs: 7_000 }, true],
		[{ afterMs: HEARD_MS - 6_999, waitedMs: 7_000 }, false],
		[{ afterMs: HEARD_MS, runningMs: 3_600_000 }, true],
		// Changes of the clock do not matter.
		[{ afterMs: 10, setMs: 3_600_000 }, true],
		[{ afterMs: 10, setMs: -3_600_000 }, true],
		[{ afterMs: HEARD_MS + 1, setMs: 3_600_000 }, false],
		[{ afterMs: HEARD_MS + 1, setMs: -3_600_000 }, false],
	])('%j: %p', async (how: Record<string, number>, isAccepted) => {
		const { status = 200, afterMs = 0, waitedMs = 0, runningMs = 0, setMs = 0 } = how;
		const { clock, remembers, arrive } = new Endpoint();
		await clock.advance(runningMs + waitedMs);
		const { answer } = arrive(A, loaded(), clock.monotonic() - waitedMs);
		await clock.advance(afterMs);
		clock.set(clock.now() + setMs);
		answer.send(status);
		expect(remembers(A)).toBe(isAccepted);
	});
});

describe('looking at the answers', () => {
	it('begins on the next turn of the event loop, goes on every 3 ms, and at once for each arrival', async () => {
		const { clock, arrive } = new Endpoint();
		const one = arrive(A);
		await clock.advance(LOOK_MS);
		expect(clock.slept).toEqual([0, LOOK_MS, LOOK_MS]);
		arrive(B).answer.send(200);
		await clock.advance(LOOK_MS);
		expect(clock.slept).toEqual([0, LOOK_MS, LOOK_MS, 0, LOOK_MS]);
		one.answer.send(200);
		await clock.advance(LOOK_MS);
		await one.done;
		expect(clock.slept).toHaveLength(5);
	});

	it('goes on every 20 ms while ten or more are pending', async () => {
		const { clock, arrive } = new Endpoint();
		for (let n = 0; n < 9; n++) arrive(`few_${n}__`);
		await clock.advance(LOOK_MS);
		expect(clock.slept.at(-1)).toBe(LOOK_MS);
		arrive(B);
		await clock.advance(LOOK_MS + 20);
		expect(clock.slept.slice(-2)).toEqual([20, 20]);
	});

	it('adds nothing to static data but what is remembered', async () => {
		const { clock, arrive } = new Endpoint();
		const { staticData } = arrive(A);
		await clock.advance(LOOK_MS);
		expect(Object.keys(JSON.parse(JSON.stringify(staticData)) as object)).toEqual([
			'record',
			'seen',
		]);
	});

	it('begins again for the next delivery after all were answered', async () => {
		const { clock, arrive, waiting } = new Endpoint();
		const first = arrive(A);
		first.answer.send(200);
		await clock.advance(0);
		await first.done;
		expect((await waiting(B)).isChanged()).toBe(true);
	});

	it('ends once each that n8n is to answer is answered, although another has only arrived', async () => {
		const { clock, isPending, remembers, arrive, memory } = new Endpoint();
		memory.pending.add([A], loaded(), true);
		const { answer, done, save } = arrive(B);
		await clock.advance(LOOK_MS);
		expect(save()).toEqual([B]);
		answer.send(200);
		await clock.advance(LOOK_MS);
		await done;
		expect([isPending(A), remembers(A), remembers(B)]).toEqual([true, false, true]);
		expect(clock.slept).toHaveLength(3);
	});

	it('ends for a delivery at the very moment at which it expires', async () => {
		const { clock, isPending, remembers, arrive } = new Endpoint();
		const one = arrive(A);
		await clock.advance(PENDING_MS - 1);
		expect(isPending(A)).toBe(true);
		await clock.advance(LOOK_MS);
		await one.done;
		expect([isPending(A), remembers(A)]).toEqual([false, false]);
	});
});

it('static data keeps its other fields when it is saved, and may be watched again', () => {
	const { arrive, memory } = new Endpoint();
	const data: IDataObject = { record: {}, other: 'stays' };
	arrive(A, data as ReturnType<typeof loaded>);
	const saved = () => JSON.parse(JSON.stringify(data)) as { seen: Record<string, string> };
	expect(saved()).toMatchObject({ other: 'stays', record: { address: memory.scope.address } });
	// A copy is plain data, and shows nothing of how it is saved.
	expect(structuredClone({ ...data })).toMatchObject({ record: {}, other: 'stays', seen: {} });
	arrive(B, data as ReturnType<typeof loaded>);
	expect(Object.values(saved().seen)).toEqual([A + B]);
});

describe('deliveries at once', () => {
	it('are saved one by one: first the latest, and after each save the next latest', async () => {
		const { clock, arrive } = new Endpoint();
		const [a, b, c] = [A, B, C].map((one) => arrive(one));
		await clock.advance(2 * LOOK_MS);
		expect([a, b, c].map(({ isChanged }) => isChanged())).toEqual([false, false, true]);
		expect(c.save()).toEqual([C]);
		expect([a, b].map(({ isChanged }) => isChanged())).toEqual([false, true]);
		expect(b.save()).toEqual([B, C]);
		expect(a.save()).toEqual([A, B, C]);
	});

	it('are in a save from the moment their answers have ended, before the event says so', async () => {
		const { clock, arrive } = new Endpoint();
		const [a, b] = [A, B].map((one) => arrive(one));
		await clock.advance(LOOK_MS);
		a.answer.writableEnded = true;
		expect(b.save()).toEqual([A, B]);
	});

	it.each([0, 3_600_000])('are saved every 0.4 s under constant load, after %d ms', async (ms) => {
		const { clock, arrive } = new Endpoint();
		await clock.advance(ms);
		const [a, b] = [A, B, C].map((one) => arrive(one));
		await clock.advance(SAVE_EVERY_MS - 1);
		expect(a.isChanged()).toBe(false);
		await clock.advance(LOOK_MS);
		expect([a.isChanged(), b.isChanged()]).toEqual([true, true]);
	});

	it('are saved after just 0.4 s, if the trigger looks at that moment', async () => {
		const { clock, arrive } = new Endpoint();
		const [first] = Array.from({ length: 10 }, (_, n) => arrive(`many_${n}_`));
		await clock.advance(SAVE_EVERY_MS - 1);
		first.reset();
		await clock.advance(1);
		expect(first.isChanged()).toBe(true);
	});
});

describe('pending deliveries', () => {
	it('are found by any of their fingerprints, while any delivery with it is pending', () => {
		const { isPending, arrive, memory } = new Endpoint();
		const first = arrive([A, B]);
		expect([A, B, C].map((one) => memory.pending.has(['x', one]))).toEqual([true, true, false]);
		arrive(A).answer.send(500);
		expect(isPending(A)).toBe(true);
		first.answer.send(200);
		expect(isPending(A)).toBe(false);
	});

	it('do not remove another one when they are answered late', async () => {
		const { clock, isPending, remembers, arrive } = new Endpoint();
		const late = arrive(A);
		await clock.advance(PENDING_MS);
		expect(isPending(A)).toBe(false);
		arrive(A);
		late.answer.send(200);
		expect([isPending(A), remembers(A)]).toEqual([true, false]);
	});
});
