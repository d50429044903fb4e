import fc from 'fast-check';

import { seeded } from '../../platform/support/random';
import { Judge } from './judge';
import { SimulatedN8n, type N8nWays } from './n8n';
import { SimulatedPlatform, type PlatformWays, type Sending } from './platform';
import { isAhead } from './received';
import type { Sources } from './sources';
import { STEPS } from './steps';
import { Timeline } from './timeline';
import { SimulatedWorkflow, type TriggerParameters } from './workflow';
import { between, HOUR, MINUTE, SECOND, type World } from './world';

/** One event of a schedule. */
export interface Step {
	kind: keyof typeof STEPS;
	/** Time since the step before, ms. */
	gapMs: number;
	/** Details of the step, each from 0 to below 1. */
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

/** A number from 0 to below 1. Only steps and the ways of n8n and the platform are made fewer and plainer. */
const FINE = 2 ** 30;
const part = fc.noShrink(fc.nat(FINE - 1)).map((n) => n / FINE);
const chance = (percent: number) => fc.nat(99).map((n) => n >= 100 - percent);
const gap = (weight: number, from: number, to: number) => ({
	weight,
	arbitrary: part.map((x) => between(from, to, x)),
});
const kinds = Object.entries(STEPS).map(([kind, [weight]]) => ({
	weight,
	arbitrary: fc.constant(kind as Step['kind']),
}));

/** All schedules, each as often as it is likely to teach something. */
export const SCHEDULES: fc.Arbitrary<Schedule> = fc.record({
	seed: fc.noShrink(fc.nat()),
	n8n: fc.record({
		answersFirst: chance(20),
		processors: fc.oneof(
			{ weight: 55, arbitrary: fc.constant(0) },
			{ weight: 45, arbitrary: fc.integer({ min: 1, max: 3 }) },
		),
		mains: chance(15).map((isMulti) => (isMulti ? 2 : 1)),
		proxyHolds: chance(20),
		atOnce: fc.oneof(
			{ weight: 60, arbitrary: fc.constant(0) },
			{ weight: 40, arbitrary: fc.integer({ min: 1, max: 2 }) },
		),
	}),
	platform: fc.record({
		wholeSeconds: chance(30),
		repeatedKey: fc.constantFrom('the same answer', 'an answer without secret', 'another endpoint'),
		retriesRemoved: chance(60),
		legacyHeaders: chance(30),
		sendsIds: chance(90),
	}),
	options: fc.record({ acceptPreviousSecret: chance(70) }),
	steps: fc.array(
		fc.record({
			kind: fc.oneof(...kinds),
			gapMs: fc.oneof(
				gap(35, 0, 40),
				gap(25, 40, 1.5 * SECOND),
				gap(20, SECOND, 30 * SECOND),
				gap(12, 30 * SECOND, 40 * MINUTE),
				gap(4, HOUR, 3 * HOUR),
				gap(4, 26 * HOUR, 27.2 * HOUR),
			),
			x: part,
			y: part,
		}),
		{ minLength: 1, maxLength: 24, size: 'max' },
	),
});

/** How fast-check draws one schedule of a seed. */
export const oneOf = (seed: number) => ({ seed, numRuns: 1, unbiased: true });

/** Runs a schedule, then gives everything time to come to rest. */
export async function simulate(schedule: Schedule, sources: Sources): Promise<Judge> {
	const world = simulatedWorld(schedule, sources);
	const { judge, platform, workflow } = world;
	const foreign = registerForeign(platform, workflow.address);
	await play(schedule, world);
	if (judge.violation === undefined) await comeToRest(world, foreign);
	return judge;
}

/** Random numbers for everything that the steps of a schedule leave open. */
export const chanceOf = ({ seed }: Schedule): (() => number) => seeded(seed);

/** A simulated n8n and a simulated platform, before anything has happened. */
export function simulatedWorld(schedule: Schedule, sources: Sources): World<SimulatedN8n> {
	const random = chanceOf(schedule);
	const timeline = new Timeline();
	const judge = new Judge(timeline);
	const n8n = new SimulatedN8n(timeline, sources, schedule.n8n, random, judge);
	const transmit = async (sending: Sending) => await n8n.take(sending);
	const platform = new SimulatedPlatform(timeline, schedule.platform, random, transmit);
	judge.watch(platform, () => n8n.offset.ms);
	n8n.platform = platform;
	const workflow = new SimulatedWorkflow('w1', parametersOf(schedule));
	n8n.workflows.push(workflow);
	return { timeline, platform, n8n, judge, workflow, transmit };
}

/** The trigger's parameters before the first step. */
export const parametersOf = ({ options }: Schedule): TriggerParameters => ({
	events: ['order.paid', 'order.created'],
	getFullRecord: false,
	options,
});

/**
 * Publishes the workflow and runs the steps until one breaks a rule.
 *
 * @param look is called before each step
 */
export async function play(
	{ steps }: Schedule,
	world: World,
	look: () => void = () => {},
): Promise<void> {
	const { timeline, judge, n8n, workflow } = world;
	judge.note('the user publishes');
	void n8n.publish(workflow, () => {});
	await timeline.runTo(10 * SECOND);
	for (const { kind, gapMs, x, y } of steps) {
		await timeline.runTo(timeline.nowMs + gapMs);
		if (judge.violation !== undefined) return;
		look();
		const [, act] = STEPS[kind];
		act(world, x, y);
	}
}

/** Registers endpoints of others that resemble the trigger's. @returns their ids */
export const registerForeign = (platform: SimulatedPlatform, address: string): string[] =>
	[
		['https://erp.example/hook', 'ERP'],
		[`${address}/other`, 'n8n workflow w10: Orders'],
		[address.replace('/webhook/', '/webhook2/'), 'another'],
		[address.slice(0, -2), 'shorter'],
	].map(
		([url, description]) =>
			platform.register({ url, description, events: ['product.created'] }).endpoint.id,
	);

/** All troubles end; from then on every promise must hold. */
async function comeToRest(world: World<SimulatedN8n>, foreign: string[]): Promise<void> {
	const { timeline, platform, n8n, judge } = world;
	const pass = async (ms: number) => {
		if (judge.violation === undefined) await timeline.runTo(timeline.nowMs + ms);
	};
	judge.note('all troubles end');
	n8n.isBusy = false;
	for (const part of Object.keys(n8n.away) as Array<keyof typeof n8n.away>) n8n.away[part] = 0;
	platform.fault.untilMs = platform.patience.untilMs = n8n.offset.ms = 0;
	await pass(10 * MINUTE);
	for (const [index, process] of n8n.processes.entries()) {
		if (!n8n.workflows.some((workflow) => isAhead(process, workflow, judge.received))) continue;
		judge.note(`${process.name} is restarted, since the clock had been set back`);
		n8n.restart(index, SECOND);
	}
	for (const workflow of n8n.workflows) {
		const endpoints = [...platform.endpoints.values()].filter(
			({ endpoint: { url } }) => url === workflow.address,
		);
		const storedId = workflow.recordIn(workflow.row.text)?.endpoint?.id;
		const [{ endpoint } = {}] = endpoints;
		const isSound =
			endpoints.length === 1 && endpoint?.id === storedId && endpoint?.status === 'enabled';
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
		const atAddress = [...platform.endpoints.values()].filter(
			({ endpoint: { url } }) => url === address,
		);
		if (atAddress.length !== 1) judge.fail(`${atAddress.length} endpoints are at ${address}`);
		else if (
			[...atAddress[0].endpoint.events].sort().join() !== [...parameters.events].sort().join()
		)
			judge.fail(`the endpoint at ${address} has other events than the trigger`);
	}
	await probe(world);
	for (const workflow of n8n.workflows) void n8n.unpublish(workflow);
	await pass(48 * HOUR);
	const leftover = [...platform.endpoints.keys()].filter((id) => !foreign.includes(id));
	if (leftover.length > 0) judge.fail(`${leftover.join(', ')} is left when nothing is published`);
	const gone = foreign.filter((id) => !platform.endpoints.has(id));
	if (gone.length > 0) judge.fail(`${gone.join(', ')} of somebody else was removed`);
	if (!timeline.isQuiet) judge.fail('somebody still waits for something two days later');
	judge.conclude();
}

/** Sends a new delivery to each process; all must be executed. */
async function probe({ platform, n8n, timeline, judge }: World<SimulatedN8n>): Promise<void> {
	if (judge.violation !== undefined) return;
	const before = judge.received.length;
	const count = platform.deliveries.length;
	for (let index = n8n.firstReceiver; index < n8n.processes.length; index++) {
		platform.emit('order.paid', false, index);
		await timeline.runTo(timeline.nowMs + 5 * SECOND);
	}
	for (const delivery of platform.deliveries.slice(count)) {
		const sending = judge.received.slice(before).find((received) => received.delivery === delivery);
		if (sending?.isExecuted !== true || sending.heard !== 200)
			judge.fail(`delivery ${delivery.no} is not executed, although nothing is wrong`);
	}
}
