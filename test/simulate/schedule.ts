import { createHash } from 'node:crypto';

import { sign } from '../support/delivery';
import { pick, seeded } from '../support/random';
import { Judge, MADE_BY_HAND } from './judge';
import { SimulatedN8n, SimulatedWorkflow, type N8nWays } from './n8n';
import {
	SimulatedPlatform,
	type ApiFault,
	type Delivery,
	type PlatformWays,
	type Sending,
} from './platform';
import type { Sources } from './sources';
import { EPOCH_MS, Timeline } from './timeline';

/** One thing that happens. */
export interface Step {
	kind: keyof typeof STEPS;
	/** After the one before. ms. */
	gapMs: number;
	/** What exactly, each from 0 up to 1. */
	x: number;
	y: number;
}

/** Everything about one run of the simulation. */
export interface Schedule {
	seed: number;
	n8n: N8nWays;
	platform: PlatformWays;
	options: Record<string, boolean | number | string>;
	steps: Step[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** ms from the shortest to the longest, with how often. */
const GAPS: ReadonlyArray<[number, number, number]> = [
	[35, 0, 40],
	[25, 40, 1.5 * SECOND],
	[20, SECOND, 30 * SECOND],
	[12, 30 * SECOND, 40 * MINUTE],
	[4, HOUR, 3 * HOUR],
	[4, 26 * HOUR, 27.2 * HOUR],
];

/** What stands in a simulation. */
interface World {
	timeline: Timeline;
	platform: SimulatedPlatform;
	n8n: SimulatedN8n;
	judge: Judge;
	workflow: SimulatedWorkflow;
	transmit: (sending: Sending) => Promise<number | undefined>;
}

type Act = (world: World, x: number, y: number) => void;

const between = (from: number, to: number, x: number): number => Math.round(from + (to - from) * x);

const recent = ({ platform: { deliveries } }: World, x: number): Delivery | undefined =>
	deliveries[deliveries.length - 1 - Math.floor(x * x * deliveries.length)];

/** The user publishes with something changed. */
const publishWith =
	(what: string, change: (workflow: SimulatedWorkflow, x: number) => void): Act =>
	({ judge, n8n, workflow }, x) => {
		judge.note(`the user publishes ${what}`);
		void n8n.publish(workflow, () => change(workflow, x));
	};

/** Something is away for a while. */
const away =
	(part: keyof SimulatedN8n['away'], what: string, longestMs: number): Act =>
	({ judge, n8n, timeline }, x) => {
		const ms = between(10, longestMs, x ** 3);
		judge.note(`${what} for ${ms} ms`);
		n8n.away[part] = timeline.nowMs + ms;
	};

const setOption = (workflow: SimulatedWorkflow, name: string, value: boolean) => {
	const { events, options } = workflow.parameters;
	workflow.parameters = { events, options: { ...options, [name]: value } };
};

/** What can happen, with how often, and how. */
const STEPS = {
	event: [
		30,
		({ platform, judge }, x, y) => {
			judge.note('something happens in the shop');
			platform.emit(x < 0.7 ? 'order.paid' : 'order.created', y < 0.4);
		},
	],
	burst: [
		5,
		({ platform, timeline }, x, y) => {
			for (let i = 0; i < 2 + x * 5; i++)
				timeline.after(i * y * 60, () => platform.emit('order.paid'));
		},
	],
	duplicate: [
		14,
		(world, x, y) => {
			const delivery = recent(world, x);
			if (delivery) void world.platform.send(delivery, 'duplicate', Math.floor(y * 4));
		},
	],
	replay: [8, replay],
	forge: [4, forge],
	republish: [4, publishWith('again', () => {})],
	rename: [
		2,
		publishWith('with another name of the node', (workflow, x) => {
			workflow.nodeName = pick(['Trigger', 'Paid Orders', 'Orders'], () => x);
		}),
	],
	otherEvents: [
		1,
		publishWith('with other events', (workflow, x) => {
			const events = x < 0.5 ? ['order.paid'] : ['order.created', 'order.paid'];
			workflow.parameters = { ...workflow.parameters, events };
		}),
	],
	previousOff: [
		2,
		publishWith('without Accept Previous Secret', (workflow) =>
			setOption(workflow, 'acceptPreviousSecret', false),
		),
	],
	previousOn: [
		2,
		publishWith('with Accept Previous Secret', (workflow) =>
			setOption(workflow, 'acceptPreviousSecret', true),
		),
	],
	unpublish: [
		2,
		({ judge, n8n, workflow }) => {
			judge.note('the user unpublishes');
			void n8n.unpublish(workflow);
		},
	],
	restore: [
		2,
		({ judge, n8n, workflow }, x) => {
			judge.note('an export is imported over the workflow, and published');
			n8n.restore(
				workflow,
				pick(workflow.rows, () => x),
			);
			void n8n.publish(workflow, () => {});
		},
	],
	copy: [
		1,
		({ n8n, judge, workflow, timeline }) => {
			if (n8n.workflows.length > 1) return;
			judge.note('the workflow is duplicated, and the copy published');
			const copy = new SimulatedWorkflow('w2', workflow.parameters.options);
			copy.nodeName = workflow.nodeName;
			copy.row = { text: workflow.row.text, holds: new Set(), landedMs: timeline.nowMs };
			n8n.workflows.push(copy);
			void n8n.publish(copy, () => {});
		},
	],
	kill: [
		4,
		({ n8n, judge }, x, y) => {
			const index = Math.floor(x * n8n.processes.length);
			judge.note(`${n8n.processes[index].name} is killed`);
			n8n.kill(index, between(SECOND, 20 * SECOND, y));
		},
	],
	restart: [
		3,
		({ n8n, judge }, x, y) => {
			const index = Math.floor(x * n8n.processes.length);
			judge.note(`${n8n.processes[index].name} is restarted`);
			n8n.restart(index, between(SECOND, 20 * SECOND, y));
		},
	],
	stall: [
		3,
		({ n8n, judge, timeline }, x, y) => {
			const process = n8n.processes[Math.floor(x * n8n.processes.length)];
			const ms = between(20, 15 * SECOND, y ** 3);
			judge.note(`${process.name} stalls for ${ms} ms`);
			process.time.stalledUntilMs = timeline.nowMs + ms;
		},
	],
	database: [3, away('database', 'the database is away', 40 * SECOND)],
	redis: [2, away('redis', 'Redis is away', 40 * SECOND)],
	slow: [
		5,
		(world, x, y) => {
			away('slow', 'the database is slow', 40 * SECOND)(world, x, y);
			if (y < 0.4) away('credentials', 'credentials cannot be checked', 40 * SECOND)(world, x, y);
		},
	],
	credentials: [3, away('credentials', 'credentials cannot be checked', 20 * SECOND)],
	hasty: [
		3,
		({ platform, judge, timeline, n8n }, x, y) => {
			if (n8n.ways.proxyHolds) return;
			const ms = between(5, 3 * SECOND, x ** 2);
			judge.note(`senders hang up after ${ms} ms`);
			platform.patience = { ms, untilMs: timeline.nowMs + between(20, MINUTE, y) };
		},
	],
	api: [
		5,
		({ platform, judge, timeline }, x, y) => {
			const kinds: ApiFault[] = [
				'down',
				'503',
				'lost answers',
				'lists fail',
				'deletions fail',
				'slow',
			];
			const kind = pick(kinds, () => x);
			const ms = between(SECOND, 5 * MINUTE, y ** 2);
			judge.note(`the platform's API: ${kind}, for ${ms} ms`);
			platform.fault = { kind, untilMs: timeline.nowMs + ms };
		},
	],
	office: [
		2,
		({ platform, judge, workflow }, x, y) => {
			const own = [...platform.endpoints.values()].filter(
				({ endpoint: { url } }) => url === workflow.address,
			);
			if (own.length === 0) return;
			const { endpoint } = pick(own, () => y);
			judge.note(
				`somebody ${x < 0.4 ? 'deletes' : x < 0.7 ? 'disables' : 'doubles'} ${endpoint.id} in the back office`,
			);
			if (x < 0.4) platform.endpoints.delete(endpoint.id);
			else if (x < 0.7) endpoint.status = 'disabled';
			else platform.register({ ...endpoint, description: MADE_BY_HAND });
		},
	],
	clock: [
		2,
		({ n8n, judge }, x) => {
			const ms =
				n8n.offset.ms === 0 ? between(-20 * MINUTE, 20 * MINUTE, (2 * x - 1) ** 3 / 2 + 0.5) : 0;
			judge.note(`n8n's clock is set to ${ms} ms from the platform's`);
			n8n.offset.ms = ms;
			judge.stepped(n8n.processes);
		},
	],
} satisfies Record<string, readonly [number, Act]>;

/** Somebody who captured a delivery sends it again. */
function replay(world: World, x: number, y: number): void {
	const delivery = recent(world, x);
	if (delivery === undefined) return;
	const headers = world.platform.headersOf(delivery);
	const variant = Math.floor(y * 7);
	let { id } = delivery;
	let { url } = delivery.to.endpoint;
	const change = (ending: string, value?: string) => {
		for (const name of Object.keys(headers)) {
			if (!name.endsWith(ending)) continue;
			delete headers[name];
			if (value !== undefined) headers[name] = value;
		}
	};
	if (variant === 1 && id !== undefined) change('-delivery-id', (id = `del_fresh_${x}`));
	if (variant === 2) change('-delivery-id', (id = undefined));
	if (variant >= 5) {
		const ageMs = between(310 * SECOND, 20 * MINUTE, (y * 7) % 1) * (x < 0.5 ? 1 : -1);
		const nowMs = EPOCH_MS + world.timeline.nowMs + world.n8n.offset.ms;
		change('-timestamp', String(Math.floor((nowMs - ageMs) / 1000)));
	}
	const shown =
		variant === 3
			? { ...family('x-aaa', 'ab'.repeat(32), world, 'del_other'), ...headers }
			: headers;
	if (variant === 4) url = pick(world.n8n.workflows, () => 0.99).address;
	void transmit(world, { delivery, by: 'attacker', id, url, headers: shown, isGenuine: true });
}

/** Somebody without the secret makes a delivery up. */
function forge(world: World, x: number, y: number): void {
	const { workflow, platform } = world;
	const body = JSON.stringify({
		event: 'order.paid',
		timestamp: '2026-11-21T12:00:00.5Z',
		payload: { forged: x },
	});
	const to = {
		secret: '',
		endpoint: { id: 'wh_forged', url: workflow.address, events: [], description: '', status: '' },
	};
	const delivery: Delivery = {
		no: 0,
		id: `del_forged_${x}`,
		event: 'order.paid',
		body,
		to,
		failures: 0,
	};
	const captured = recent(world, 0);
	const signatures = [
		sign(body, ''),
		sign(body, 'guessed'),
		'00'.repeat(32),
		captured ? sign(captured.body, captured.to.secret) : '',
		sign(body, platform.known[0]?.endpoint.id ?? ''),
		'',
	];
	const headers = {
		...family(
			'x-shop',
			pick(signatures, () => y),
			world,
			delivery.id!,
		),
		...(x < 0.3 ? family('x-ecom', 'cd'.repeat(32), world, delivery.id!) : {}),
	};
	void transmit(world, {
		delivery,
		by: 'forger',
		id: delivery.id,
		url: workflow.address,
		headers,
		isGenuine: false,
	});
}

/** One family of headers. */
const family = (prefix: string, signature: string, { timeline }: World, id: string) => ({
	[`${prefix}-signature`]: signature,
	[`${prefix}-timestamp`]: String(Math.floor((EPOCH_MS + timeline.nowMs) / 1000)),
	[`${prefix}-delivery-id`]: id,
});

const transmit = async (world: World, sending: Omit<Sending, 'patienceMs'>) =>
	await world.transmit({ ...sending, patienceMs: 10 * SECOND });

/** Makes a schedule of a seed. */
export function makeSchedule(seed: number): Schedule {
	const random = seeded(seed);
	const chance = (share: number) => random() < share;
	const weighted = <T extends readonly [number, ...unknown[]]>(list: readonly T[]): T => {
		let left = random() * list.reduce((sum, [weight]) => sum + weight, 0);
		return list.find(([weight]) => (left -= weight) < 0) ?? list[0];
	};
	const kinds = Object.entries(STEPS).map(([kind, [weight]]) => [weight, kind] as const);
	const step = (): Step => {
		const [, from, to] = weighted(GAPS);
		const [, kind] = weighted(kinds);
		return {
			kind: kind as Step['kind'],
			gapMs: between(from, to, random()),
			x: random(),
			y: random(),
		};
	};
	return {
		seed,
		n8n: {
			answersFirst: chance(0.2),
			processors: chance(0.45) ? pick([1, 2, 3], random) : 0,
			proxyHolds: chance(0.2),
		},
		platform: {
			wholeSeconds: chance(0.3),
			repeatedKey: pick(
				['the same answer', 'an answer without secret', 'another endpoint'],
				random,
			),
			retriesRemoved: chance(0.6),
			legacyHeaders: chance(0.3),
			sendsIds: chance(0.9),
		},
		options: {
			acceptPreviousSecret: chance(0.7),
			...(chance(0.3) ? { repeatsByContent: pick(['always', 'never'], random) } : {}),
			...(chance(0.2) ? { rememberHours: pick([1, 48], random) } : {}),
		},
		steps: Array.from({ length: between(4, 24, random()) }, step),
	};
}

/** Runs a schedule, and gives it time to come to rest. */
export async function simulate(schedule: Schedule, sources: Sources): Promise<Judge> {
	const random = seeded(
		Number.parseInt(createHash('sha1').update(`${schedule.seed}`).digest('hex').slice(0, 7), 16),
	);
	const timeline = new Timeline();
	const judge: Judge = new Judge(timeline, () => n8n.offset.ms);
	const n8n: SimulatedN8n = new SimulatedN8n(timeline, sources, schedule.n8n, random, judge);
	const send = async (sending: Sending) => await n8n.take(sending);
	const platform = new SimulatedPlatform(timeline, schedule.platform, random, send);
	judge.platform = platform;
	n8n.platform = platform;
	const workflow = new SimulatedWorkflow('w1', schedule.options);
	n8n.workflows.push(workflow);
	const world: World = { timeline, platform, n8n, judge, workflow, transmit: send };
	const foreign = foreignAddresses(workflow.address).map(
		([url, description]) =>
			platform.register({ url, description, events: ['product.created'] }).endpoint.id,
	);
	judge.note('the user publishes');
	void n8n.publish(workflow, () => {});
	await timeline.runTo(10 * SECOND);
	for (const { kind, gapMs, x, y } of schedule.steps) {
		await timeline.runTo(timeline.nowMs + gapMs);
		if (judge.violation !== undefined) return judge;
		const [, act]: readonly [number, Act] = STEPS[kind];
		act(world, x, y);
	}
	await comeToRest(world, foreign);
	return judge;
}

/** Endpoints that are not this trigger's, although they look so. */
const foreignAddresses = (address: string) => [
	['https://erp.example/hook', 'ERP'],
	[`${address}/other`, 'n8n workflow w10: Orders'],
	[address.replace('/webhook/', '/webhook2/'), 'another'],
	[address.slice(0, -2), 'shorter'],
];

/** All troubles end; then whatever was promised must hold. */
async function comeToRest(world: World, foreign: string[]): Promise<void> {
	const { timeline, platform, n8n, judge } = world;
	const pass = async (ms: number) => {
		if (judge.violation === undefined) await timeline.runTo(timeline.nowMs + ms);
	};
	judge.note('all troubles end');
	for (const part of Object.keys(n8n.away) as Array<keyof typeof n8n.away>) n8n.away[part] = 0;
	platform.fault.untilMs = platform.patience.untilMs = n8n.offset.ms = 0;
	await pass(10 * MINUTE);
	for (const workflow of n8n.workflows) {
		const own = [...platform.endpoints.values()].filter(
			({ endpoint: { url } }) => url === workflow.address,
		);
		const held = workflow.recordIn(workflow.row.text)?.endpoint?.id;
		const [{ endpoint } = {}] = own;
		const isSound = own.length === 1 && endpoint?.id === held && endpoint?.status === 'enabled';
		if (workflow.isPublished && workflow.isSaved && isSound) continue;
		judge.note('the user publishes, since the trigger does not work');
		void n8n.publish(workflow, () => {});
	}
	await pass(10 * MINUTE);
	await probe(world);
	await pass(28 * HOUR);
	judge.note('all processes are restarted');
	for (const index of n8n.processes.keys()) n8n.restart(index, SECOND);
	await pass(5 * MINUTE);
	await probe(world);
	judge.note('the user unpublishes, and publishes');
	for (const workflow of n8n.workflows) {
		void n8n.unpublish(workflow);
		void n8n.publish(workflow, () => {});
	}
	await pass(5 * MINUTE);
	for (const { address, parameters } of n8n.workflows) {
		const at = [...platform.endpoints.values()].filter(({ endpoint: { url } }) => url === address);
		if (at.length !== 1) judge.fail(`${at.length} endpoints are at ${address}`);
		else if ([...at[0].endpoint.events].sort().join() !== [...parameters.events].sort().join())
			judge.fail(`the endpoint at ${address} has other events than the trigger`);
	}
	await probe(world);
	for (const workflow of n8n.workflows) void n8n.unpublish(workflow);
	await pass(48 * HOUR);
	const left = [...platform.endpoints.keys()].filter((id) => !foreign.includes(id));
	if (left.length > 0) judge.fail(`${left.join(', ')} is left when nothing is published`);
	const gone = foreign.filter((id) => !platform.endpoints.has(id));
	if (gone.length > 0) judge.fail(`${gone.join(', ')} of somebody else was removed`);
	if (!timeline.isQuiet) judge.fail('somebody still waits for something two days later');
	judge.conclude();
}

/** A new delivery to each process is executed. */
async function probe({ platform, n8n, timeline, judge }: World): Promise<void> {
	if (judge.violation !== undefined) return;
	const first = n8n.ways.processors === 0 ? 0 : 1;
	const before = judge.received.length;
	const count = platform.deliveries.length;
	for (let index = first; index < n8n.processes.length; index++) {
		platform.emit('order.paid', false, index);
		await timeline.runTo(timeline.nowMs + 5 * SECOND);
	}
	for (const delivery of platform.deliveries.slice(count)) {
		const one = judge.received.slice(before).find((received) => received.delivery === delivery);
		if (one?.isExecuted !== true || one.heard !== 200)
			judge.fail(`delivery ${delivery.no} is not executed, although nothing is wrong`);
	}
}
