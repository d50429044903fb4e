import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, before, describe, it } from 'node:test';

import pLimit from 'p-limit';

import { LOOPBACK } from '../../../platform/support/ports';
import { example } from '../../support/n8n/examples';
import { executionsSettled } from '../../support/n8n/executionCounts';
import type { Workflow, WorkflowFile } from '../../support/n8n/types';
import { until } from '../../../platform/support/until';
import { chain, noOperation, shopTrigger, using } from '../../support/n8n/workflows';
import type { Passed } from '../../support/queue/balancer';
import { tally } from '../../support/figures';
import { sendAll, sendOne, stamped, type Answer, type Sending } from '../../support/load';
import { EXPRESSION_ENGINE, queueOfSuite } from '../environment';
import { lostWithoutTrace } from './withoutExecution';

const DELIVERIES = Number(process.env.COMMERCE_PLATFORM_DELIVERIES ?? 400);
const EMIT_AT_ONCE = 25;
/** Shortens the platform's retries, 1 min to 24 h: 0.6 s, 3 s, 18 s and so on. */
const RETRY_DELAY_FACTOR = 1 / 100;
/** Few enough for a slow machine to answer each in time. */
const AT_ONCE = 20;
const KILL_AFTER = DELIVERIES / 3;
const DOWN_MS = 5_000;
const REPEAT_AFTER_MS = 4_000;
/**
 * The largest share of stored executions that n8n may leave unfinished, because its worker or queue lost a service. How
 * many these are depends on the machine. If it were most of them, the outage would not have ended.
 */
const UNFINISHED_SHARE = 0.5;
/** The largest share of repeats at the other processor that may be executed again. */
const OTHER_SHARE = 0.03;
const GUARDED = (DELIVERIES * 3) / 20;
const AGAIN_AT_ONCE = 50;
const DURING_OUTAGE = DELIVERIES / 5;
const OUTAGE_MS = 10_000;
const SETTLE_MS = 300_000;

describe('n8n in queue mode, one worker, two webhook processors', () => {
	const environment = queueOfSuite({
		platform: { retryDelayFactor: RETRY_DELAY_FACTOR, validate: false },
		n8n: { environment: EXPRESSION_ENGINE },
	});

	before(async () => {
		await environment.platform.control.configure({ deliveryConcurrency: AT_ONCE });
	});

	const open: Workflow[] = [];
	afterEach(async () => {
		for (const { id } of open.splice(0)) await environment.client.deactivate(id);
	});

	/** Publishes a workflow until the test ends: nothing else gets the events of `order.paid`. */
	async function published(file: WorkflowFile): Promise<Workflow> {
		const workflow = await environment.client.createWorkflow(file);
		open.push(workflow);
		await environment.client.activate(workflow.id);
		return workflow;
	}

	const plainWorkflow = () =>
		chain('Deliveries', environment.credential, [
			shopTrigger('Order Paid', { events: ['order.paid'] }),
			noOperation('Done'),
		]);

	async function emit(count: number): Promise<string[]> {
		const limit = pLimit(EMIT_AT_ONCE);
		const emitOne = async (order: number) => {
			const payload = { id: `ord_${order}`, status: 'paid', at: performance.now() };
			return (await environment.platform.control.emit('order.paid', payload)).deliveryIds;
		};
		const orders = Array.from({ length: count }, (_, order) => order);
		return (await Promise.all(orders.map(async (order) => await limit(emitOne, order)))).flat();
	}

	/** The same bytes and headers, sent past the balancer. */
	function copyFor({ port }: { port: number }, { path, headers, body }: Passed): Sending {
		const plain = Object.entries(headers).filter(([name]) => /^(content-type|x-)/.test(name));
		return {
			url: `http://${LOOPBACK}:${port}${path}`,
			headers: Object.fromEntries(plain),
			body,
		};
	}

	/** Sends a copy to one processor, again and again while that is down. */
	async function repeatAt(processor: number, passed: Passed): Promise<Answer> {
		const copy = copyFor(environment.processors[processor], passed);
		return await until('an answer to a repeat', 60_000, async () => {
			const answer = await sendOne(stamped(copy));
			return answer.received ? answer : undefined;
		});
	}

	async function settled(workflow: Workflow): Promise<void> {
		const sql = `SELECT id FROM execution_entity WHERE "workflowId" = '${workflow.id}' AND status IN ('new', 'running', 'waiting')`;
		await executionsSettled(() => JSON.stringify(environment.postgres.query(sql)));
	}

	/** All executions; for a guarded workflow only those that passed the guard. */
	function executions(workflow: Workflow, passedNode?: string) {
		const guard = passedNode === undefined ? '' : ` AND d.data LIKE '%"${passedNode}":%'`;
		const sql = `SELECT coalesce(substring(d.data from 'del_[0-9a-z_]+'), '-'), e.status FROM execution_data d JOIN execution_entity e ON e.id = d."executionId" WHERE e."workflowId" = '${workflow.id}'${guard}`;
		return environment.postgres.query(sql).map((line) => {
			const [delivery, status] = line.split('|');
			return { delivery, status };
		});
	}

	/** When the failed executions were created that hold no delivery: n8n replaced their data by its error. Unix ms. */
	const failedWithoutData = (workflow: Workflow): number[] =>
		environment.postgres
			.query(
				`SELECT extract(epoch from e."createdAt") * 1000 FROM execution_data d JOIN execution_entity e ON e.id = d."executionId" WHERE e."workflowId" = '${workflow.id}' AND e.status = 'error' AND d.data !~ 'del_[0-9a-f]{20}'`,
			)
			.map(Number);

	/** Executions in which a node failed, rather than n8n itself. */
	const failedInNodes = (workflow: Workflow): string[] =>
		environment.postgres.query(
			`SELECT e.id FROM execution_data d JOIN execution_entity e ON e.id = d."executionId" WHERE e."workflowId" = '${workflow.id}' AND d.data ~ 'Node(Api|Operation)Error'`,
		);

	const succeeded = (list: ReturnType<typeof executions>) =>
		tally(list.filter(({ status }) => status === 'success').map(({ delivery }) => delivery));

	it(`${DELIVERIES} deliveries, one processor killed in the middle: none lost, few repeated`, async () => {
		const workflow = await published(plainWorkflow());
		const first = new Map<string, Passed>();
		const repeats: Array<Promise<{ other: boolean; same: boolean }>> = [];
		environment.balancer.onPassed = (passed) => {
			const id = passed.headers['x-shop-delivery-id'];
			if (first.has(id)) return;
			first.set(id, passed);
			repeats.push(
				wait(REPEAT_AFTER_MS).then(async () => {
					const other = await repeatAt(1 - passed.to, passed);
					const same = await repeatAt(passed.to, passed);
					return { other: other.executed, same: same.executed };
				}),
			);
			if (first.size === Math.floor(KILL_AFTER)) void killAndStart();
		};
		let restarted: Promise<void> | undefined;
		const killAndStart = () => {
			restarted = (async () => {
				await environment.processors[1].kill();
				await wait(DOWN_MS);
				await environment.processors[1].start();
			})();
		};
		const start = Date.now();
		const ids = await emit(DELIVERIES);
		const { pending } = await environment.platform.control.settled(SETTLE_MS);
		const seconds = (Date.now() - start) / 1000;
		await restarted;
		const outcomes = await Promise.all(repeats);
		environment.balancer.onPassed = () => undefined;
		await settled(workflow);
		const counts = succeeded(executions(workflow));
		const lost = ids.filter((id) => (counts[id] ?? 0) === 0);
		const other = outcomes.filter((outcome) => outcome.other).length;
		const same = outcomes.filter((outcome) => outcome.same).length;
		const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
		const unanswered = total - DELIVERIES - other - same;
		const sent = await environment.platform.control.deliveries({ event: 'order.paid' });
		const unheard = sent
			.filter(({ id }) => (counts[id] ?? 0) > 1)
			.flatMap(({ attempts }) => attempts.map(({ status, error }) => status ?? error ?? '-'));
		console.log(
			`  ${ids.length} deliveries in ${seconds.toFixed(0)} s, lost ${lost.length}; repeats executed again: ${other} at the other processor, ${same} at the same; executed twice since the platform heard no answer: ${unanswered}; the attempts of all that were executed twice: ${JSON.stringify(tally(unheard))}`,
		);
		assert.equal(pending, 0);
		assert.equal(ids.length, DELIVERIES);
		assert.deepEqual(lost, []);
		assert.equal(outcomes.length, DELIVERIES, 'each was answered, and then repeated');
		assert.equal(same, 0);
		assert.ok(other <= DELIVERIES * OTHER_SHARE, `${other} executed again at the other processor`);
	});

	for (const [name, of] of [
		['PostgreSQL', 'postgres'],
		['Redis', 'redis'],
	] as const) {
		it(`${name} stopped for ten seconds during deliveries: each has an execution`, async () => {
			const workflow = await published(plainWorkflow());
			const service = environment[of];
			const emitting = emit(DURING_OUTAGE);
			await wait(300);
			await service.stop();
			await wait(OUTAGE_MS);
			await service.start();
			await emitting;
			const { pending } = await environment.platform.control.settled(SETTLE_MS);
			await settled(workflow);
			const [endpoint] = await environment.platform.control.endpoints();
			const sent = await environment.platform.control.deliveries({ endpointId: endpoint.id });
			const all = executions(workflow);
			const counts = tally(all.map(({ delivery }) => delivery));
			const lost = sent.filter(({ id }) => (counts[id] ?? 0) === 0);
			const done = succeeded(all);
			const unfinished = sent.filter(({ id }) => done[id] === undefined);
			const withoutData = failedWithoutData(workflow);
			console.log(
				`  ${sent.length} deliveries, states ${JSON.stringify(tally(sent.map(({ state }) => state)))}, attempts each ${JSON.stringify(tally(sent.map(({ attempts }) => attempts.length)))}, executions each ${JSON.stringify(tally(Object.values(counts)))}, their status ${JSON.stringify(tally(all.map(({ status }) => status)))}; outcomes of the attempts ${JSON.stringify(tally(sent.flatMap(({ attempts }) => attempts.map(({ status, error }) => status ?? error ?? '-'))))}; named by no execution: ${lost.length}, failed executions without data: ${withoutData.length}; taken on, but n8n could not finish: ${unfinished.length}`,
			);
			assert.equal(pending, 0);
			assert.equal(sent.length, DURING_OUTAGE);
			assert.deepEqual(lostWithoutTrace(lost, withoutData), []);
			assert.deepEqual(failedInNodes(workflow), []);
			assert.ok(
				unfinished.length <= DURING_OUTAGE * UNFINISHED_SHARE,
				`${unfinished.length} were not finished`,
			);
		});
	}

	describe('with a guard behind the trigger', () => {
		/** Clears the deliveries in n8n's static data, and restarts the processors. */
		async function forgetEverything(): Promise<void> {
			const { processors } = environment;
			await Promise.all(processors.map(async (processor) => await processor.kill()));
			for (const { id } of open)
				environment.postgres.query(
					`UPDATE workflow_entity SET "staticData" = jsonb_set("staticData"::jsonb, '{node:Order Paid,seen}', '{}')::json WHERE id = '${id}'`,
				);
			await Promise.all(processors.map(async (processor) => await processor.start()));
		}

		/** Publishes the example, with our credential for the guard's node. */
		async function guarded(file: string, type: string, data: object): Promise<Workflow> {
			const credentials = using(await environment.client.createCredential(type, type, data));
			const workflow = await example(file, environment.credential);
			const nodes = workflow.nodes.map((node) =>
				node.type === `n8n-nodes-base.${type}` ? { ...node, credentials } : node,
			);
			return await published({ ...workflow, nodes });
		}

		it('in Redis, and in Postgres, no repeat is executed again', async () => {
			const { port, user, database } = environment.postgres;
			environment.postgres.query(
				'CREATE TABLE commerce_platform_deliveries (workflow_id text, delivery_id text, seen_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (workflow_id, delivery_id))',
			);
			const ofRedis = { host: LOOPBACK, port: environment.redis.port, database: 1 };
			const ofPostgres = { user, database, password: 'trusted', ssl: 'disable' };
			const workflows = [
				await guarded('guard-redis.json', 'redis', ofRedis),
				await guarded('guard-postgres.json', 'postgres', { host: LOOPBACK, port, ...ofPostgres }),
			];
			const passed: Passed[] = [];
			environment.balancer.onPassed = (one) => void passed.push(one);
			const ids = await emit(GUARDED);
			await environment.platform.control.settled(SETTLE_MS);
			environment.balancer.onPassed = () => undefined;
			// Worst case: the trigger has forgotten all of them, so every repeat reaches the guard.
			await forgetEverything();
			const again = passed.flatMap((one) =>
				environment.processors.map((processor) => copyFor(processor, one)),
			);
			const { answers } = await sendAll(again, AGAIN_AT_ONCE, { prepare: stamped });
			for (const workflow of workflows) await settled(workflow);
			const totals = workflows.map((workflow) => executions(workflow).length);
			const through = succeeded(workflows.flatMap((one) => executions(one, 'Only Once')));
			console.log(
				`  ${ids.length} deliveries to two workflows, ${answers.length} repeats, ${totals.join(' and ')} executions, passed the guard: ${JSON.stringify(tally(Object.values(through)))}`,
			);
			assert.equal(ids.length, 2 * GUARDED);
			for (const total of totals) assert.ok(total > GUARDED, 'repeats reached the guard');
			assert.deepEqual(tally(ids.map((id) => through[id] ?? 0)), { 1: ids.length });
		});
	});
});
