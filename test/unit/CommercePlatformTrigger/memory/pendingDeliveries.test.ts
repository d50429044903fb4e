import type { IDataObject } from 'n8n-workflow';

import {
	HEARD_MS,
	PENDING_MS,
	PendingDeliveries,
	SAVE_EVERY_MS,
} from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';
import type { Clock } from '../../../../nodes/shared/api/clock';
import { FakeAnswer } from './fakeAnswer';

/** Event loop and time in the test's hand. */
class Loop implements Pick<Clock, 'now' | 'sleep'> {
	private waiting: Array<() => void> = [];

	constructor(public nowMs = 1_000_000) {}

	now = () => this.nowMs;

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
function observed(): { data: IDataObject; changed: () => boolean; reset: () => void } {
	let changed = false;
	const data = new Proxy({} as IDataObject, {
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

	arrive(name: string, staticData?: IDataObject) {
		const answer = new FakeAnswer();
		const observedData = observed();
		const one = this.pending.add([name], staticData ?? observedData.data);
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
		await workflow.loop.turn();
		expect(one.changed()).toBe(true);
		one.reset();
		await workflow.loop.turn();
		expect(one.changed()).toBe(true);
		one.reset();
		one.answer.send(200);
		await workflow.loop.turn();
		await one.done;
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
		await workflow.loop.turn();
		await one.done;
	});

	it('is in what is saved, though it is not remembered before its answer', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		expect(one.save()).toEqual(['a']);
		expect([...workflow.remembered]).toEqual([]);
		one.answer.send(200);
		expect([...workflow.remembered]).toEqual(['a']);
	});

	it('is forgotten when the answer is no 2xx, also for saves that come later', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		one.answer.send(500);
		expect([...workflow.forgotten]).toEqual(['a']);
		expect(one.save()).toEqual([]);
	});

	it('is forgotten when the sender had hung up before n8n answered 200: it will send again', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		one.answer.hangUp();
		expect(one.save()).toEqual([]);
		one.answer.send(200);
		await workflow.loop.turn();
		await one.done;
		expect([...workflow.forgotten]).toEqual(['a']);
	});

	it('is forgotten when n8n answers 200 so late that no sender hears it, whoever holds the connection', async () => {
		const workflow = new Workflow();
		const [inTime, late] = [workflow.arrive('in time'), workflow.arrive('late')];
		await workflow.loop.turn();
		workflow.loop.nowMs += HEARD_MS - 10;
		inTime.answer.send(200);
		workflow.loop.nowMs += 20;
		expect(late.save()).toEqual(['in time']);
		late.answer.send(200);
		expect([...workflow.remembered]).toEqual(['in time']);
		expect([...workflow.forgotten]).toEqual(['late']);
	});

	it.each([
		['while its sender waits', HEARD_MS - 10, false, true],
		['not when its sender has gone', 10, true, false],
		[
			'not after its sender has waited: a newer endpoint may be saved by then',
			HEARD_MS,
			false,
			false,
		],
	])('asks n8n to save it %s', async (_name, afterMs, hungUp, saved) => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		one.reset();
		workflow.loop.nowMs += afterMs;
		if (hungUp) one.answer.hangUp();
		await workflow.loop.turn();
		expect(one.changed()).toBe(saved);
	});

	it('is given up after 30 seconds without an answer, and the turns end', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		workflow.loop.nowMs += 30_000;
		await workflow.loop.turn();
		await one.done;
		expect([...workflow.forgotten]).toEqual(['a']);
	});

	it('stays plain data to anyone who copies it', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		await workflow.loop.turn();
		expect(structuredClone({ ...one.data })).toEqual({ seen: {} });
	});
});

describe('what counts as accepted', () => {
	const endOf = async (status: number, afterMs = 0, hungUp = false) => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		workflow.loop.nowMs += afterMs;
		if (hungUp) one.answer.hangUp();
		one.answer.send(status);
		await workflow.loop.turn();
		await one.done;
		return workflow.remembered.has('a');
	};

	it.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
		[500, false],
	])('status %i: %p', async (status, accepted) => {
		expect(await endOf(status)).toBe(accepted);
	});

	it('is an answer that goes out while the sender waits, to the millisecond', async () => {
		expect(await endOf(200, HEARD_MS)).toBe(true);
		expect(await endOf(200, HEARD_MS + 1)).toBe(false);
	});

	it('is no answer that nobody was there to hear', async () => {
		expect(await endOf(200, 0, true)).toBe(false);
	});

	it('is decided once: a second sign of the same answer changes nothing', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		one.answer.send(200);
		one.answer.hangUp();
		one.answer.emit('finish');
		await workflow.loop.turn();
		await one.done;
		expect([...workflow.remembered]).toEqual(['a']);
		expect([...workflow.forgotten]).toEqual([]);
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
		await workflow.loop.turn();
		await first.done;
		const second = workflow.arrive('b');
		await workflow.loop.turn();
		expect(second.changed()).toBe(true);
	});

	it('ends for a delivery at the very moment at which it expires', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		workflow.loop.nowMs += PENDING_MS - 2;
		await workflow.loop.turn();
		expect([...workflow.forgotten]).toEqual([]);
		await workflow.loop.turn();
		await one.done;
		expect([...workflow.forgotten]).toEqual(['a']);
	});
});

describe('static data of one delivery', () => {
	it('keeps its other fields when it is saved', async () => {
		const workflow = new Workflow();
		const one = workflow.arrive('a');
		one.data.other = 'stays';
		expect(JSON.parse(JSON.stringify(one.data))).toEqual({ other: 'stays', seen: ['a'] });
	});

	it('can be watched a second time', async () => {
		const workflow = new Workflow();
		const { data } = workflow.arrive('a');
		workflow.arrive('b', data);
		expect((JSON.parse(JSON.stringify(data)) as { seen: string[] }).seen).toEqual(['b']);
	});

	it('shows nothing of how it is saved', async () => {
		const { data } = new Workflow().arrive('a');
		expect(Object.keys(data)).toEqual(['seen']);
	});
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
	const deliveries = (loop = new Loop()) =>
		new PendingDeliveries(
			{ add: () => undefined, doubt: () => undefined },
			() => ({}),
			() => true,
			loop,
		);

	it('are found by any of their fingerprints', () => {
		const pending = deliveries();
		pending.add(['body', 'id'], {});
		const found = ['id', 'body', 'other'].map((one) => pending.has(['x', one]));
		expect(found).toEqual([true, true, false]);
	});

	it('are found as long as one of several with the same fingerprint is pending', async () => {
		const workflow = new Workflow();
		const first = workflow.arrive('a');
		workflow.arrive('a').answer.send(500);
		expect(workflow.isPending('a')).toBe(true);
		first.answer.send(200);
		expect(workflow.isPending('a')).toBe(false);
	});

	it('are given up after 30 seconds', () => {
		const loop = new Loop();
		const pending = deliveries(loop);
		pending.add(['a'], {});
		loop.nowMs += PENDING_MS - 1;
		expect(pending.has(['a'])).toBe(true);
		loop.nowMs += 1;
		expect(pending.has(['a'])).toBe(false);
		expect(PENDING_MS).toBe(30_000);
	});

	it('do not take another one with them when they are answered late', async () => {
		const workflow = new Workflow();
		const late = workflow.arrive('a');
		workflow.loop.nowMs += PENDING_MS;
		expect(workflow.isPending('a')).toBe(false);
		workflow.arrive('a');
		late.answer.send(200);
		expect(workflow.isPending('a')).toBe(true);
		expect([...workflow.remembered]).toEqual([]);
	});
});
