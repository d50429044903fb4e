import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { signedDelivery, type Delivery } from '../../../platform/support/delivery';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import { median, tally } from '../../support/figures';
import { sendAll, sendOne, stamped } from '../../support/load';
import { ExecutionCounts } from '../../support/n8n/executionCounts';
import { seeded, shuffled } from '../../../platform/support/random';
import { environmentOfSuite, EXPRESSION_ENGINE } from '../environment';
import { ACKNOWLEDGED, LARGE, mutated, REFUSED } from './mutations';

const DELIVERIES = Number(process.env.COMMERCE_PLATFORM_DELIVERIES ?? 500);
const AT_ONCE = 50;
const OF_EACH_KIND = DELIVERIES / 5;
const BURST = DELIVERIES / 2;
const KILL_AFTER = 100;
const SEED = Number(process.env.COMMERCE_PLATFORM_SEED ?? 20261121);
/** The largest share that may be executed again after a graceful restart. */
const RESTART_SHARE = 0.01;
/**
 * The same after a crash: everything of the last quarter of a second may be missing; at this load that is much less.
 */
const CRASH_SHARE = 0.05;
const idOf = ({ headers }: Delivery) => headers['x-shop-delivery-id'];

describe(`${DELIVERIES} deliveries to n8n in regular mode with SQLite (seed ${SEED})`, () => {
	const environment = environmentOfSuite({ n8n: { environment: EXPRESSION_ENGINE } });
	let published: PublishedTrigger;
	let counts: ExecutionCounts;
	let deliveries: Delivery[];
	const random = seeded(SEED);

	before(async () => {
		published = await publishTrigger(environment);
		counts = new ExecutionCounts(environment.n8n);
		deliveries = newDeliveries(DELIVERIES);
	});

	const newDeliveries = (count: number) =>
		Array.from({ length: count }, () => signedDelivery(published.genuine));

	const total = () => counts.total(published.workflow.id);

	/** Kill -9 may have interrupted executions. */
	async function startAfterKill(): Promise<void> {
		await environment.n8n.start();
		await counts.settled(published.workflow.id);
	}

	/** Sends all again. @returns how many were executed again */
	async function executedAgain(list: Delivery[]): Promise<number> {
		const before = total();
		const { answers } = await sendAll(shuffled(list, random), AT_ONCE, { prepare: stamped });
		assert.deepEqual(tally(answers.map(({ status }) => status)), { 200: list.length });
		await counts.settled(published.workflow.id);
		return total() - before;
	}

	it('every one is executed once, though each is sent twice, 50 at a time, in random order', async () => {
		const twice = shuffled([...deliveries, ...deliveries], random);
		const { answers, perSecond } = await sendAll(twice, AT_ONCE, { prepare: stamped });
		await counts.settled(published.workflow.id);
		const middle = median(answers.map(({ ms }) => ms));
		console.log(
			`  ${twice.length} answers, ${perSecond.toFixed(0)} a second, median ${middle.toFixed(0)} ms, static data ${counts.staticDataSize(published.workflow.id)} bytes`,
		);
		// A repeat that comes before n8n has answered the first is sent away.
		const refused = answers.filter(({ status }) => status !== 200);
		assert.ok(refused.every(({ status }) => status === 503));
		const answered = twice.filter((_, index) => answers[index].status === 200);
		assert.equal(new Set(answered.map(idOf)).size, DELIVERIES);
		const executed = counts.byDelivery(published.workflow.id);
		assert.deepEqual(tally(deliveries.map((one) => executed[idOf(one)] ?? 0)), { 1: DELIVERIES });
		assert.deepEqual(Object.keys(executed).sort(), deliveries.map(idOf).sort());
	});

	it('at most 1 % is executed again after a graceful restart', async () => {
		await environment.n8n.restart();
		const again = await executedAgain(deliveries);
		console.log(`  executed again after a graceful restart: ${again} of ${DELIVERIES}`);
		assert.ok(again <= DELIVERIES * RESTART_SHARE, `${again} executed again`);
	});

	it('few are executed again after kill -9', async () => {
		const burst = newDeliveries(BURST);
		await sendAll(burst, AT_ONCE);
		await environment.n8n.kill();
		await startAfterKill();
		const again = await executedAgain([...deliveries.slice(0, BURST), ...burst]);
		console.log(`  executed again after kill -9 right after a burst: ${again} of ${BURST * 2}`);
		assert.ok(again <= BURST * 2 * CRASH_SHARE, `${again} executed again`);
	});

	it('kill -9 in the middle of a burst loses no delivery that the platform sends again', async () => {
		const burst = newDeliveries(BURST);
		const onAnswer = (count: number) => {
			if (count === KILL_AFTER) void environment.n8n.kill();
		};
		const { answers } = await sendAll(burst, AT_ONCE, { onAnswer });
		await startAfterKill();
		const unanswered = burst.filter((_, index) => answers[index].status !== 200);
		const again = await sendAll(unanswered, AT_ONCE, { prepare: stamped });
		await counts.settled(published.workflow.id);
		const executed = counts.byDelivery(published.workflow.id);
		const executions = burst.map((one) => executed[idOf(one)] ?? 0);
		console.log(
			`  killed after ${burst.length - unanswered.length} answers; executions per delivery ${JSON.stringify(tally(executions))}`,
		);
		assert.ok(unanswered.length > 0 && unanswered.length < burst.length);
		assert.deepEqual(tally(again.answers.map(({ status }) => status)), { 200: unanswered.length });
		assert.equal(executions.filter((count) => count === 0).length, 0);
	});

	it('of deliveries that are forged, broken or repeated none is executed, each is answered 4xx or acknowledged', async () => {
		const captured = newDeliveries(50);
		await sendAll(captured, 10);
		await counts.settled(published.workflow.id);
		const before = total();
		const material = { ...published.genuine, captured, random };
		const wrong = [
			...mutated(REFUSED, material, OF_EACH_KIND),
			...mutated(ACKNOWLEDGED, material, OF_EACH_KIND),
			...mutated(LARGE, material, 1),
		];
		const shuffledOnes = shuffled(wrong, random);
		const { answers } = await sendAll(
			shuffledOnes.map(({ sending }) => sending),
			AT_ONCE,
		);
		const surprising = shuffledOnes.flatMap(({ name }, index) => {
			const { status, reason, executed } = answers[index];
			const isRight =
				name in ACKNOWLEDGED ? status === 200 && !executed : status >= 400 && status < 500;
			return isRight ? [] : [`${name}: ${status} ${reason}`];
		});
		assert.deepEqual(tally(surprising), {});
		await counts.settled(published.workflow.id);
		assert.equal(total(), before);
		assert.ok(
			(await sendOne(signedDelivery(published.genuine))).executed,
			'n8n still takes deliveries',
		);
	});
});
