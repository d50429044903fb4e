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
	makeSchedule,
	parametersOf,
	play,
	registerForeign,
	simulatedWorld,
	type Schedule,
	type Step,
} from './schedule';
import { Sources } from './sources';
import type { SimulatedWorkflow } from './workflow';
import { SECOND, type World } from './world';

/** Steps that a real n8n cannot be put through, or not without milliseconds deciding. */
const SIMULATED_ONLY = /^(burst|stall|database|redis|slow|credentials|api|clock)$/;

/** Longer than any process is down, and no retry comes at the moment of a step. ms. */
const GAP_MS = 33 * SECOND;
const FEWEST_STEPS = 5;
/** Of queue mode in the tests. */
const PROCESSORS = 2;

/** For n8n to take up what a command, or one that was killed, has left to it. */
const PROMPT = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

/**
 * Plays schedules against a real n8n, half of them in queue mode, and compares what comes of it with what comes of it in
 * the simulation: what every sender heard, how often each delivery was executed of which nobody hung up, which
 * endpoints there are after each step. What would depend on milliseconds is left out of them.
 *
 * @returns 1 where some disagree
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

/** Schedules of these seeds and later ones, as far as they can be played. */
function storiesOf(count: number, seed: number, processors: number): Schedule[] {
	const stories: Schedule[] = [];
	for (let next = seed; stories.length < count; next++) {
		const schedule = makeSchedule(next);
		const steps = schedule.steps.filter(({ kind }) => !SIMULATED_ONLY.test(kind)).map(playable);
		const n8n: N8nWays = {
			answersFirst: false,
			processors,
			mains: 1,
			proxyHolds: false,
			takesBack: true,
		};
		if (steps.length >= FEWEST_STEPS) stories.push({ ...schedule, n8n, steps });
	}
	return stories;
}

function playable(step: Step): Step {
	const { kind, x } = step;
	// Senders hang up as soon as n8n has all of the delivery, until after the next step.
	if (kind === 'hasty') return { ...step, gapMs: GAP_MS, x: 0, y: 0.7 };
	// The workflow as it is, or as it was at first.
	return { ...step, gapMs: GAP_MS, x: kind === 'restore' ? Math.round(x) * 0.9999 : x };
}

/** A real n8n that stories can be played in. */
export async function stageOf(mode: 'regular' | 'queue'): Promise<Stage> {
	const options = { n8n: { environment: { ...EXPRESSION_ENGINE, ...PROMPT } } };
	if (mode === 'regular')
		return await setStage(await startTestEnvironment(new Progress(), options));
	const queue = await startTestEnvironment(new Progress(), { ...options, mode });
	return await setStage(queue, queue.processors, queue.balancer.url);
}

/** Plays stories from this seed on; prints those in which the real n8n and the model disagree, and gives how many. */
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
		const seen = await outcomesOf(story, real, async (one) => await real.n8n.executed(one));
		kinds.push(...story.steps.map(({ kind }) => kind));
		outcomes += model.length;
		if (model.join() === seen.join()) agreeing++;
		else tell(story, model, seen, real.judge.story);
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

/** Plays a story; tells what can be seen from outside, line by line. */
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
	/** Whether n8n has begun with them when their sender hangs up is a matter of milliseconds. */
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

function tell(story: Schedule, model: string[], seen: string[], notes: string[]): void {
	const { seed, platform, options } = story;
	const only = (list: string[], other: string[]) => list.filter((line) => !other.includes(line));
	console.log(
		[
			`Story ${seed} disagrees: ${JSON.stringify({ platform, options })}`,
			...notes,
			...only(model, seen).map((line) => `  model: ${line}`),
			...only(seen, model).map((line) => `  real:  ${line}`),
		].join('\n'),
	);
}
