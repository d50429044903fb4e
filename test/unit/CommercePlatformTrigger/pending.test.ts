import type { IDataObject } from 'n8n-workflow';

import { WebhookHandling } from '../../../nodes/shared/n8n';
import { Answer } from '../../../lab/simulate/context';
import { Endpoint, loaded, PENDING_MS } from './onePlace';

const [A, B, C] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];

const LOOK_MS = 3;
const SAVE_EVERY_MS = 400;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

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
		await clock.advance(LOOK_MS);
		expect(remembers(A)).toBe(true);
	});

	it.each([0, 10_000, 26 * HOUR_MS])(
		'is pending until n8n answers, and remembered then, after %d ms',
		async (afterMs) => {
			const { clock, isPending, remembers, arrive } = new Endpoint();
			const { answer } = arrive(A);
			answer.hangUp();
			await clock.advance(afterMs);
			expect([isPending(A), remembers(A)]).toEqual([true, false]);
			answer.send(200);
			expect([isPending(A), remembers(A)]).toEqual([false, true]);
		},
	);

	it('is remembered once n8n saves it, whatever the sender hears', async () => {
		const { isPending, remembers, waiting } = new Endpoint();
		const one = await waiting(A);
		one.answer.hangUp();
		expect(one.save()).toEqual([A]);
		expect([isPending(A), remembers(A)]).toEqual([true, true]);
	});

	it.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
		[500, false],
	])('that is answered %d is remembered: %p', (status, isRemembered) => {
		const { isPending, remembers, arrive } = new Endpoint();
		const { answer, staticData } = arrive(A);
		answer.send(status);
		expect([isPending(A), remembers(A)]).toEqual([false, isRemembered]);
		// A later look of anybody at static data changes nothing.
		JSON.stringify(staticData);
		expect(remembers(A)).toBe(isRemembered);
	});
});

describe('looking at the answers', () => {
	it('begins on the next turn of the event loop, goes on every 3 ms, and ends with the last answer', async () => {
		const { clock, arrive } = new Endpoint();
		const one = arrive(A);
		await clock.advance(LOOK_MS);
		expect(clock.slept).toEqual([0, LOOK_MS, LOOK_MS]);
		one.answer.send(200);
		await clock.advance(LOOK_MS);
		await one.done;
		expect(clock.slept).toHaveLength(3);
	});

	it('ends a minute after the last delivery: n8n has begun to create its execution', async () => {
		const { clock, isPending, arrive, waiting } = new Endpoint();
		const { done } = arrive(A);
		await clock.advance(1_000);
		const last = arrive(B);
		await clock.advance(MINUTE_MS - 20);
		last.reset();
		await clock.advance(LOOK_MS);
		expect([last.isChanged(), isPending(B)]).toEqual([true, true]);
		await clock.advance(20);
		await done;
		last.reset();
		await clock.advance(LOOK_MS);
		expect([last.isChanged(), isPending(B)]).toEqual([false, true]);
		expect((await waiting(C)).isChanged()).toBe(true);
	});

	it('is in time for a quick delivery, after another has waited long and is being saved', async () => {
		const { clock, arrive } = new Endpoint();
		const slow = arrive(A);
		await clock.advance(5_005);
		slow.save();
		const quick = arrive(B);
		await clock.advance(LOOK_MS);
		expect(quick.save()).toEqual([A, B]);
	});

	it('goes on every 20 ms while a hundred or more are pending', async () => {
		const { clock, arrive } = new Endpoint();
		for (let n = 0; n < 99; n++) arrive(`few_${String(n).padStart(4, '_')}`);
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
		memory.pending.add([A], new WebhookHandling(new Answer(), loaded()), true);
		const { answer, done, save } = arrive(B);
		await clock.advance(LOOK_MS);
		expect(save()).toEqual([B]);
		answer.send(200);
		await clock.advance(LOOK_MS);
		await done;
		expect([isPending(A), remembers(A), remembers(B)]).toEqual([true, false, true]);
		expect(clock.slept).toHaveLength(3);
	});
});

it('static data keeps its other fields when it is saved, and may be watched again', () => {
	const { arrive, memory } = new Endpoint();
	const data: IDataObject = { record: {}, other: 'stays' };
	arrive(A, data as ReturnType<typeof loaded>);
	const saved = () => JSON.parse(JSON.stringify(data)) as { seen: string };
	expect(saved()).toMatchObject({ other: 'stays', record: { address: memory.scope.address } });
	// A copy is plain data, and shows nothing of how it is saved.
	expect(structuredClone({ ...data })).toMatchObject({ record: {}, other: 'stays', seen: {} });
	arrive(B, data as ReturnType<typeof loaded>);
	expect(saved().seen).toBe(A + B);
});

describe('deliveries at once', () => {
	/** They come within 0.4 s of a save. */
	const atOnce = async (...names: string[]) => {
		const endpoint = new Endpoint();
		const first = await endpoint.waiting('first___');
		first.save();
		first.answer.send(200);
		const all = names.map((one) => endpoint.arrive(one));
		await endpoint.clock.advance(LOOK_MS);
		return { ...endpoint, all };
	};

	it('are saved one by one: first the latest, and after each save the next latest', async () => {
		const { all } = await atOnce(A, B, C);
		const [a, b, c] = all;
		expect(all.map(({ isChanged }) => isChanged())).toEqual([false, false, true]);
		expect(c.save()).toEqual([C, 'first___'].sort());
		expect([a, b].map(({ isChanged }) => isChanged())).toEqual([false, true]);
		expect(b.save()).toEqual([B, C, 'first___'].sort());
		expect(a.save()).toEqual([A, B, C, 'first___'].sort());
	});

	it('are in a save from the moment their answers have ended, before the event says so', async () => {
		const { all } = await atOnce(A, B);
		const [a, b] = all;
		a.answer.writableEnded = true;
		expect(b.save()).toContain(A);
	});

	it('are saved every 0.4 s under constant load: then the earliest asks as well', async () => {
		const { clock, all } = await atOnce(A, B, C);
		const asked = () => all.map(({ isChanged }) => isChanged());
		await clock.advance(SAVE_EVERY_MS - 2 * LOOK_MS);
		expect(asked()).toEqual([false, false, true]);
		await clock.advance(2 * LOOK_MS);
		expect(asked()).toEqual([true, false, true]);
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

	it('are given up after 27 hours, and do not end another one when they are answered later', async () => {
		const { clock, isPending, remembers, arrive } = new Endpoint();
		const late = arrive(A);
		await clock.advance(PENDING_MS);
		expect(isPending(A)).toBe(false);
		arrive(A);
		late.answer.send(200);
		expect([isPending(A), remembers(A)]).toEqual([true, false]);
	});
});
