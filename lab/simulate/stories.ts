import fc from 'fast-check';

import { Progress } from '../../test/support/progress';
import { tally } from '../../test/support/figures';
import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
} from '../../test/support/environment/testEnvironment';
import { Judge } from './judge';
import type { N8nWays } from './n8n';
import { SimulatedPlatform, type Delivery, type Sending } from './platform';
import { RealN8n, setStage, StoryTime, type Stage } from './real';
import {
	chanceOf,
	oneOf,
	parametersOf,
	play,
	registerForeign,
	SCHEDULES,
	simulatedWorld,
	type Schedule,
	type Step,
} from './schedule';
import { Sources } from './sources';
import type { SimulatedWorkflow } from './workflow';
import { SECOND, type World } from './world';

/** Steps that a real n8n cannot perform, or whose outcome depends on milliseconds. */
const SIMULATED_ONLY = /^(burst|stall|database|redis|slow|credentials|api|clock)$/;

/** Longer than any process is down; and no retry comes at the moment of a step. ms. */
const GAP_MS = 33 * SECOND;
const FEWEST_STEPS = 5;
/** Webhook processors of queue mode in the tests. */
const PROCESSORS = 2;

/** Makes n8n soon resume the work that a command or a killed process left. */
const PROMPT = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

/**
 * Plays schedules against a real n8n, half of them in queue mode, and compares the outcomes with the simulation's: what
 * every sender heard, how often each delivery was executed (except those whose sender hung up), and which endpoints
 * exist after each step. Everything that depends on milliseconds is left out.
 *
 * @returns 1 if some disagree, else 0
 */
export async function playStories(count: number, seed: number): Promise<number> {
	let disagreeing = 0;
	for (const mode of ['regular', 'queue'] as const) {
		const stage = await stageOf(mode);
		try {
			disagreeing += await disagreements(Math.ceil(count / 2), seed, stage);
		} finally {
			await stage.close();
		}
	}
	return disagreeing === 0 ? 0 : 1;
}

/** Schedules from this seed on, reduced to the steps that can be played. */
function storiesOf(count: number, seed: number, processors: number): Schedule[] {
	const stories: Schedule[] = [];
	for (let next = seed; stories.length < count; next++) {
		const [schedule] = fc.sample(SCHEDULES, oneOf(next));
		const steps = schedule.steps.filter(({ kind }) => !SIMULATED_ONLY.test(kind)).map(playable);
		const n8n: N8nWays = {
			answersFirst: false,
			processors,
			mains: 1,
			proxyHolds: false,
			atOnce: 0,
			takesBack: true,
		};
		if (steps.length >= FEWEST_STEPS) stories.push({ ...schedule, n8n, steps });
	}
	return stories;
}

function playable(step: Step): Step {
	const { kind, x } = step;
	// Senders hang up as soon as n8n has the whole delivery, until after the next step.
	if (kind === 'hasty') return { ...step, gapMs: GAP_MS, x: 0, y: 0.7 };
	// Only two states can be restored: the present one and the first.
	return { ...step, gapMs: GAP_MS, x: kind === 'restore' ? Math.round(x) * 0.9999 : x };
}

/** A real n8n for stories. */
export async function stageOf(mode: 'regular' | 'queue'): Promise<Stage> {
	const options = { n8n: { environment: { ...EXPRESSION_ENGINE, ...PROMPT } } };
	if (mode === 'regular')
		return await setStage(await startTestEnvironment(new Progress(), options));
	const queue = await startTestEnvironment(new Progress(), { ...options, mode });
	return await setStage(queue, queue.processors, queue.balancer.url);
}

/**
 * Plays stories from this seed on and prints those in which the real n8n and the model disagree.
 *
 * @returns how many disagree
 */
export async function disagreements(count: number, seed: number, stage: Stage): Promise<number> {
	const isQueue = stage.processes.length > 1;
	const stories = storiesOf(count, seed, isQueue ? PROCESSORS : 0);
	const sources = new Sources();
	const kinds: string[] = [];
	let outcomes = 0;
	let agreeing = 0;
	for (const story of stories) {
		const simulated = simulatedWorld(story, sources);
		const { received } = simulated.judge;
		const model = await outcomesOf(story, simulated, async (workflow) =>
			received
				.filter((one) => one.isExecuted && one.workflow === workflow)
				.map(({ delivery }) => numberOf(delivery)),
		);
		const real = await realWorld(story, stage);
		const observed = await outcomesOf(
			story,
			real,
			async (workflow) => await real.n8n.executed(workflow),
		);
		kinds.push(...story.steps.map(({ kind }) => kind));
		outcomes += model.length;
		if (model.join() === observed.join()) agreeing++;
		else printDisagreement(story, model, observed, real.judge.story);
	}
	console.log(
		`${agreeing} of ${count} stories agree in ${isQueue ? 'queue' : 'regular'} mode, ${outcomes} outcomes; steps: ${JSON.stringify(tally(kinds))}`,
	);
	return count - agreeing;
}

const numberOf = ({ body }: Delivery): number =>
	(JSON.parse(body) as { payload: { no: number } }).payload.no;

async function realWorld(story: Schedule, stage: Stage): Promise<World<RealN8n>> {
	const timeline = new StoryTime();
	const judge = new Judge(timeline);
	const n8n = new RealN8n(stage, timeline, (text) => judge.note(text));
	const transmit = async (sending: Sending) => await n8n.take(sending);
	const platform = new SimulatedPlatform(timeline, story.platform, chanceOf(story), transmit);
	stage.platform = platform;
	return { timeline, judge, n8n, platform, transmit, workflow: await n8n.add(parametersOf(story)) };
}

/** Plays a story. @returns its visible outcomes, one per line */
async function outcomesOf(
	story: Schedule,
	world: World,
	executed: (workflow: SimulatedWorkflow) => Promise<number[]>,
): Promise<string[]> {
	const { n8n, platform, timeline, workflow: first } = world;
	registerForeign(platform, first.address);
	const outcomes: string[] = [];
	const note = (text: string) => outcomes.push(`${Math.round(timeline.nowMs / SECOND)} s: ${text}`);
	const take = n8n.take.bind(n8n);
	/** Deliveries whose sender hung up: milliseconds decide whether n8n had begun with them. */
	const unheard = new Set<number>();
	let sendings = 0;
	n8n.take = async (sending) => {
		const { delivery, by, id = 'without id' } = sending;
		const process = sending.process ?? 1 + (sendings++ % PROCESSORS);
		const what = `delivery ${delivery.no} (${by}, ${id}) to processor ${process}`;
		const status = await take({ ...sending, process });
		if (status === undefined) unheard.add(numberOf(delivery));
		note(`${what}: ${status ?? 'nothing heard'}`);
		return status;
	};
	const look = () => {
		for (const { endpoint } of platform.endpoints.values()) {
			const at = n8n.workflows.findIndex(({ address }) => address === endpoint.url);
			note(`endpoint of workflow ${at}, ${endpoint.status}: ${[...endpoint.events].sort().join()}`);
		}
	};
	await play(story, world, look);
	await timeline.runTo(timeline.nowMs + GAP_MS);
	look();
	for (const workflow of n8n.workflows) void n8n.unpublish(workflow);
	await timeline.runTo(timeline.nowMs + GAP_MS);
	look();
	for (const [at, workflow] of n8n.workflows.entries()) {
		const numbers = (await executed(workflow)).filter((no) => !unheard.has(no));
		note(`executions of workflow ${at}: ${JSON.stringify(tally(numbers))}`);
	}
	return outcomes.sort(
		(a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b),
	);
}

function printDisagreement(
	story: Schedule,
	model: string[],
	observed: string[],
	notes: string[],
): void {
	const { seed, platform, options } = story;
	const only = (list: string[], other: string[]) => list.filter((line) => !other.includes(line));
	console.log(
		[
			`Story ${seed} disagrees: ${JSON.stringify({ platform, options })}`,
			...notes,
			...only(model, observed).map((line) => `  model: ${line}`),
			...only(observed, model).map((line) => `  real:  ${line}`),
		].join('\n'),
	);
}
