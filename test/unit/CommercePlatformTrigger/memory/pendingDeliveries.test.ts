import type { IDataObject } from 'n8n-workflow';

import { PendingDeliveries } from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';
import type { Clock } from '../../../../nodes/shared/api/clock';
import { FakeAnswer } from './fakeAnswer';

/** After so long a sender hears no answer, a delivery is given up, and a memory is saved once more. ms. */
const HEARD_MS = 8_000;
const PENDING_MS = 30_000;
const SAVE_EVERY_MS = 250;

/** Event loop and time in the test's hand. */
class Loop implements Pick<Clock, 'now' | 'monotonic' | 'sleep'> {
	private waiting: Array<() => void> = [];

	/** By how much somebody has set the machine's clock. */
	setMs = 0;

	constructor(public nowMs = 1_000_000) {}

	now = () => this.nowMs + this.setMs;

	monotonic = () => this.nowMs;

	/** Every pause that was asked for, ms. */
	readonly slept: number[] = [];

	sleep = async (ms: number) => {
		this.slept.push(ms);
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	};

	async turn(times = 1): Promise<void> {
		for (let i = 0; i < times; i++) {
			this.nowMs += 1;
			const due = this.waiting;
			this.waiting = [];
			for (const wake of due) wake();
			await new Promise((resolve) => setImmediate(resolve));
		}
	}
}

/** Static data that notes when it is changed, as n8n's does. */
function observed(stored: IDataObject = { record: {} }): {
	data: IDataObject;
	changed: () => boolean;
	reset: () => void;
} {
	let changed = false;
	const data = new Proxy(stored, {
		set(target, name, value) {
			changed = true;
			return Reflect.set(target, name, value);
		},
	});
	return { data, changed: () => changed, reset: () => void (changed = false) };
}

class Workflow {
	readonly loop = new Loop();
	readonly remembered = new Set<string>();
	isRegistered = true;
	private readonly arrived = new Set<string>();

	/** What has ended and is not remembered. */
	get forgotten(): string[] {
		const isForgotten = (name: string) => !this.isPending(name) && !this.remembered.has(name);
		return [...this.arrived].filter(isForgotten);
	}

	private readonly pending: PendingDeliveries = new PendingDeliveries(
		{ add: (name) => this.remembered.add(name), doubt: () => undefined },
		() => ({ seen: [...this.remembered, ...this.pending.executed()] }),
		() => this.isRegistered,
		this.loop,
	);

	isPending = (name: string) => this.pending.has([name]);

	/** A delivery of which a turn has passed. */
	async waiting(name = 'a') {
		const one = this.arrive(name);
		await this.loop.turn();
		return one;
	}

	async ended({ done }: { done: Promise<void> }) {
		await this.loop.turn();
		await done;
		return { remembered: [...this.remembered], forgotten: this.forgotten };
	}

	arrive(name: string, staticData?: IDataObject, arrivedMs?: number) {
		const answer = new FakeAnswer();
		const observedData = observed();
		const one = this.pending.add([name], staticData ?? observedData.data, arrivedMs);
		this.arrived.add(name);
		const done = this.pending.watch(one, answer);
		observedData.reset();
		return {
			answer,
			done,
			...observedData,
			/** What n8n does before it answers: it saves if something changed. */
			save: () => {
				if (!observedData.changed()) return undefined;
				observedData.reset();
				return (JSON.parse(JSON.stringify(observedData.data)) as { seen: string[] }).seen;
			},
		};
	}
}

describe('one delivery', () => {
	it('has static data changed on the turns after webhook() returned, until the answer is out', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		expect(one.changed()).toBe(false);
		for (let turns = 0; turns < 2; turns++) {
			await workflow.loop.turn();
			expect(one.changed()).toBe(true);
			one.reset();
		}
		one.answer.send(200);
		await workflow.ended(one);
		expect(one.changed()).toBe(false);
	});

	it('is not saved while no endpoint is known: another process may be registering one', async () => {
		const workflow = new Workflow();
		workflow.isRegistered = false;
		const one = workflow.arrive('a');
		await workflow.loop.turn(3);
		expect(one.changed()).toBe(false);
		workflow.isRegistered = true;
		await workflow.loop.turn();
		expect(one.save()).toEqual(['a']);
		one.answer.send(200);
		await workflow.ended(one);
	});

	it('is not saved if its request loaded no record: the node has just got another name', async () => {
		const { data, changed } = observed({});
		const workflow = new Workflow();
		const one = workflow.arrive('a', data);
		await workflow.loop.turn(3);
		expect(changed()).toBe(false);
		one.answer.send(200);
		expect(await workflow.ended(one)).toMatchObject({ remembered: ['a'] });
	});

	it('is in what is saved, though it is not remembered before its answer', async () => {
		const workflow = new Workflow();
		const one = await workflow.waiting();
		expect(one.save()).toEqual(['a']);
		expect([...workflow.remembered]).toEqual([]);
		one.answer.send(200);
		expect([...workflow.remembered]).toEqual(['a']);
	});

	it.each([
		['its answer is no 2xx', 0, false, 500],
		['its sender had hung up: it will send again', 0, true, 200],
		['n8n answers so late that no sender hears it', HEARD_MS + 10, false, 200],
	])('is in no later save where %s', async (_when, afterMs, hungUp, status) => {
		const workflow = new Workflow();
		const one = await workflow.waiting();
		workflow.loop.nowMs += afterMs;
		if (hungUp) one.answer.hangUp();
		if (!hungUp) one.answer.send(status);
		expect(one.save()).toEqual([]);
		if (hungUp) one.answer.send(status);
		expect(await workflow.ended(one)).toEqual({ remembered: [], forgotten: ['a'] });
	});

	it.each([
		['while its sender waits', HEARD_MS - 10, false, true],
		['not when its sender has gone', 10, true, false],
		['not after its sender has waited: there may be a newer endpoint', HEARD_MS, false, false],
	])('asks n8n to save it %s', async (_name, afterMs, hungUp, saved) => {
		const workflow = new Workflow();
		const one = await workflow.waiting();
		one.reset();
		workflow.loop.nowMs += afterMs;
		if (hungUp) one.answer.hangUp();
		await workflow.loop.turn();
		expect(one.changed()).toBe(saved);
	});
});

describe('what counts as accepted', () => {
	it.each([
		[{ status: 199 }, false],
		[{ status: 200 }, true],
		[{ status: 299 }, true],
		[{ status: 300 }, false],
		[{ status: 500 }, false],
		// An answer that goes out while the sender waits, to the millisecond from the arrival on.
		[{ afterMs: HEARD_MS }, true],
		[{ afterMs: HEARD_MS + 1 }, false],
		[{ afterMs: HEARD_MS - 7_000, waitedMs: 7_000 }, true],
		[{ afterMs: HEARD_MS - 6_999, waitedMs: 7_000 }, false],
		// Whatever somebody does to the clock.
		[{ afterMs: 10, setMs: 3_600_000 }, true],
		[{ afterMs: 10, setMs: -3_600_000 }, true],
		[{ afterMs: HEARD_MS + 1, setMs: 3_600_000 }, false],
		[{ afterMs: HEARD_MS + 1, setMs: -3_600_000 }, false],
		[{ hungUp: true }, false],
	])('%j: %p', async (how: Record<string, number | boolean>, accepted) => {
		const { status = 200, afterMs = 0, waitedMs = 0, setMs = 0 } = how as Record<string, number>;
		const workflow = new Workflow();
		const one = workflow.arrive('a', undefined, workflow.loop.nowMs - waitedMs);
		workflow.loop.nowMs += afterMs;
		workflow.loop.setMs = setMs;
		if (how.hungUp) one.answer.hangUp();
		one.answer.send(status);
		await workflow.ended(one);
		expect(workflow.remembered.has('a')).toBe(accepted);
	});

	it('is decided once: a second sign of the same answer changes nothing', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		one.answer.send(200);
		one.answer.hangUp();
		one.answer.emit('finish');
		expect(await workflow.ended(one)).toEqual({ remembered: ['a'], forgotten: [] });
	});
});

describe('looking at the answers', () => {
	it('begins on the next turn of the event loop, goes on every 3 ms, and at once for each arrival', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn(2);
		expect(workflow.loop.slept).toEqual([0, 3, 3]);
		workflow.arrive('b').answer.send(200);
		await workflow.loop.turn();
		expect(workflow.loop.slept).toEqual([0, 3, 3, 0]);
		one.answer.send(200);
		await workflow.loop.turn();
		await one.done;
		expect(workflow.loop.slept).toHaveLength(4);
	});

	it('begins again for the next delivery after all were answered', async () => {
		const workflow = new Workflow();
		const first = workflow.arrive('a');
		first.answer.send(200);
		await workflow.ended(first);
		expect((await workflow.waiting('b')).changed()).toBe(true);
	});

	it('ends for a delivery at the very moment at which it expires', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		workflow.loop.nowMs += PENDING_MS - 2;
		await workflow.loop.turn();
		expect(workflow.isPending('a')).toBe(true);
		expect(await workflow.ended(one)).toEqual({ remembered: [], forgotten: ['a'] });
	});
});

it('static data keeps its other fields when it is saved, and may be watched again', () => {
	const workflow = new Workflow();
	const kept = { record: {}, other: 'stays' };
	const data: IDataObject = { ...kept };
	workflow.arrive('a', data);
	const saved = () => JSON.parse(JSON.stringify(data)) as unknown;
	expect(saved()).toEqual({ ...kept, seen: ['a'] });
	// Plain data to anyone who copies it, which shows nothing of how it is saved.
	expect(structuredClone({ ...data })).toEqual({ ...kept, seen: {} });
	workflow.arrive('b', data);
	expect(saved()).toEqual({ ...kept, seen: ['a', 'b'] });
});

describe('deliveries at once', () => {
	it('are saved one by one: first the latest, and after each save the next latest', async () => {
		const workflow = new Workflow();
		const [a, b, c] = ['a', 'b', 'c'].map((name) => workflow.arrive(name));
		await workflow.loop.turn(3);
		expect([a.changed(), b.changed(), c.changed()]).toEqual([false, false, true]);
		expect(c.save()).toEqual(['c']);
		expect([a.changed(), b.changed()]).toEqual([false, true]);
		expect(b.save()?.sort()).toEqual(['b', 'c']);
		expect(a.save()?.sort()).toEqual(['a', 'b', 'c']);
	});

	it('leave none out: the last save of a burst holds them all, in whatever order they end', async () => {
		for (let round = 0; round < 200; round++) {
			const workflow = new Workflow();
			const names = Array.from({ length: 12 }, (_, i) => `d${i}`);
			const open = names.map((name) => ({ name, ...workflow.arrive(name) }));
			let last: string[] = [];
			while (open.length > 0) {
				await workflow.loop.turn();
				const [one] = open.splice(Math.floor(Math.random() * open.length), 1);
				last = one.save() ?? last;
				one.answer.send(200);
			}
			expect([...last].sort()).toEqual([...names].sort());
		}
	});

	it('are saved every quarter of a second under constant load', async () => {
		const workflow = new Workflow();
		const first = workflow.arrive('a');
		const rest = ['b', 'c'].map((name) => workflow.arrive(name));
		await workflow.loop.turn();
		expect(first.changed()).toBe(false);
		workflow.loop.nowMs += SAVE_EVERY_MS;
		await workflow.loop.turn();
		expect(first.changed()).toBe(true);
		expect(rest[0].changed()).toBe(false);
	});
});

describe('pending deliveries', () => {
	it('are found by any of their fingerprints', () => {
		const pending = new PendingDeliveries(
			{ add: () => undefined, doubt: () => undefined },
			() => ({}),
			() => true,
			new Loop(),
		);
		pending.add(['body', 'id'], {});
		const found = ['id', 'body', 'other'].map((one) => pending.has(['x', one]));
		expect(found).toEqual([true, true, false]);
	});

	it('are found as long as one of several with the same fingerprint is pending', () => {
		const workflow = new Workflow();
		const first = workflow.arrive('a');
		workflow.arrive('a').answer.send(500);
		expect(workflow.isPending('a')).toBe(true);
		first.answer.send(200);
		expect(workflow.isPending('a')).toBe(false);
	});

	it('do not take another one with them when they are answered late', () => {
		const workflow = new Workflow();
		const late = workflow.arrive('a');
		workflow.loop.nowMs += PENDING_MS - 1;
		expect(workflow.isPending('a')).toBe(true);
		workflow.loop.nowMs += 1;
		expect(workflow.isPending('a')).toBe(false);
		workflow.arrive('a');
		late.answer.send(200);
		expect(workflow.isPending('a')).toBe(true);
		expect([...workflow.remembered]).toEqual([]);
	});
});
