import type { IDataObject } from 'n8n-workflow';

import {
	HEARD_MS,
	SAVE_EVERY_MS,
	StaticDataSaver,
} from '../../../../nodes/CommercePlatformTrigger/memory/staticDataSaver';
import {
	PendingDeliveries,
	type PendingDelivery,
} from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';
import type { Clock } from '../../../../nodes/shared/api/clock';
import { FakeAnswer } from './fakeAnswer';

/** Event loop and time in the test's hand. */
class Loop implements Pick<Clock, 'now' | 'sleep'> {
	private waiting: Array<() => void> = [];

	constructor(public nowMs = 1_000_000) {}

	now = () => this.nowMs;

	sleep = async () => await new Promise<void>((resolve) => this.waiting.push(resolve));

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
	readonly forgotten = new Set<string>();
	private readonly executed = new Set<PendingDelivery>();
	private readonly pending = new PendingDeliveries();
	private readonly saver = new StaticDataSaver(
		{
			settle: (one, accepted) => {
				this.executed.delete(one);
				(accepted ? this.remembered : this.forgotten).add(one.fingerprints[0]);
			},
			noteExecution: (one) => this.executed.add(one),
			serialize: () => ({
				seen: [...this.remembered, ...[...this.executed].map((one) => one.fingerprints[0])],
			}),
		},
		this.loop,
	);

	arrive(name: string) {
		const answer = new FakeAnswer();
		const observedData = observed();
		const pending = this.pending.add([name], this.loop.now());
		const done = this.saver.watch({ staticData: observedData.data, pending, answer });
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
