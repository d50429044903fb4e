import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import type { IDataObject, INode } from 'n8n-workflow';
import pLimit from 'p-limit';

import type { FaultRule } from '../../../platform';
import type { RecordedRequest } from '../../../platform/api/journal';
import { publishWebhook } from '../../support/environment/publishedTrigger';
import type {
	TestEnvironment,
	TestEnvironmentOptions,
} from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import type { ExecutionSummary } from '../../support/n8n/types';
import { shopNode } from '../../support/n8n/workflows';
import { byId, byMode } from '../../support/parameters';
import { until } from '../../../platform/support/until';

/** Executions of each kind. */
const RUNS = Number(process.env.COMMERCE_PLATFORM_RUNS ?? 100);
const ROWS = 6;
const AT_ONCE = 10;
const ENDED_MS = 300_000;

/** Two of six rows are unlucky: the answer of one is lost in the execution, that of the other in its first retry. */
const THIRD = 'the third row';
const FIFTH = 'the fifth row';
const MARKS: Record<number, string> = { 2: THIRD, 4: FIFTH };

/** What goes wrong in the execution, in its first retry, and in its second one. */
const FAULTS: FaultRule[][] = [
	[
		{ method: 'POST', body: THIRD, fault: 'lostAnswer' },
		{ method: 'POST', body: FIFTH, fault: 'reset' },
	],
	[
		{ method: 'POST', body: THIRD, fault: 'status', status: 503 },
		{ method: 'POST', body: FIFTH, fault: 'lostAnswer' },
	],
	[],
];

/** A shop that lets as many requests through as these runs send. */
export const SHOP: TestEnvironmentOptions['platform'] = {
	...{ products: 600, orders: 10, customers: 10, minuteBudget: 1_000_000, dayBudget: 10_000_000 },
	inDevelopment: { batch: true },
};

/** A kind of write: what the node is set to, and the row that asks for it. */
interface Kind {
	parameters: INode['parameters'];
	row: (environment: TestEnvironment, n: number) => Promise<IDataObject>;
}

async function paidOrder({ platform }: TestEnvironment): Promise<IDataObject> {
	const { order } = await platform.control.payOrder();
	const [line] = order.line_items;
	return { order: order.id, currency: order.total.currency, line: line.line_item_id };
}

const KINDS: Record<string, Kind> = {
	Refund: {
		parameters: {
			...{ resource: 'order', operation: 'refund', extent: 'fields' },
			orderId: byId('={{ $json.order }}'),
			json: '={{ JSON.stringify({ amount: 1, currency: $json.currency, reason: $json.mark }) }}',
		},
		row: paidOrder,
	},
	Create: {
		parameters: { resource: 'product', operation: 'create', title: '={{ $json.mark }}' },
		row: () => Promise.resolve({}),
	},
	Adjust: {
		parameters: {
			...{ resource: 'inventory', operation: 'adjust', delta: 1, reason: '={{ $json.mark }}' },
			sku: byMode('sku', '={{ $json.sku }}'),
			locationId: byId('={{ $json.location_id }}'),
		},
		row: async ({ platform }, n) => {
			const { records } = await platform.control.list({ kind: 'inventory', limit: 500 });
			const { sku, location_id } = records[n % records.length];
			return { sku, location_id } as IDataObject;
		},
	},
	Fulfill: {
		parameters: {
			...{ resource: 'order', operation: 'fulfill', specifyItems: 'defineBelow' },
			orderId: byId('={{ $json.order }}'),
			trackingNumber: '={{ $json.mark }}',
			items: { item: [{ line_item_id: '={{ $json.line }}', quantity: 1 }] },
		},
		row: paidOrder,
	},
};

/** Products of which one names a field that the platform does not take, so that its item in the batch fails. */
const BATCH: Kind = {
	parameters: {
		...{ resource: 'product', operation: 'upsert', specifyProduct: 'json' },
		productJson: '={{ JSON.stringify($json.product) }}',
	},
	row: (_environment, n) => {
		const isRefused = MARKS[n % ROWS] === THIRD;
		const product = {
			sku: `BATCH-${n}`,
			title: `Product ${n}`,
			...(isRefused && { created_at: 'today' }),
		};
		return Promise.resolve({ product });
	},
};

/**
 * Executions that fail, each of which a person retries twice in n8n's list of executions.
 *
 * @param entry the address at which n8n takes requests, in place of the editor's
 */
export function retriedRuns(
	environment: TestEnvironment,
	entry: (address: string) => string,
): void {
	const seconds: string[] = [];
	after(() => console.log(`  ${seconds.join(', ')}`));

	/** Runs a workflow so often, and has each failed execution retried twice. @returns how each of the three ended */
	async function runAndRetry(name: string, { parameters, row }: Kind): Promise<string[][]> {
		const { client, platform } = environment;
		const split: Partial<INode> = {
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		};
		const write = shopNode('Write', { ...parameters, requestOptions: { maxRetryWait: 0 } });
		const address = entry(await publishWebhook(environment, name, {}, [split, write]));
		const { id } = (await client.publishedWorkflows()).find((workflow) => workflow.name === name)!;
		const batches: IDataObject[][] = [];
		for (let n = 0; n < RUNS * ROWS; n++) {
			if (n % ROWS === 0) batches.push([]);
			const mark = MARKS[n % ROWS] ?? 'a plain row';
			batches.at(-1)!.push({ ...(await row(environment, n)), mark: `${mark} of ${n}` });
		}
		await platform.control.resetCounters();
		const startMs = Date.now();
		await platform.control.setFaults(FAULTS[0]);
		const limit = pLimit(AT_ONCE);
		const begin = async (rows: IDataObject[]) => await post(address, { rows });
		await Promise.all(batches.map(async (rows) => await limit(begin, rows)));
		let executions = await ended(id);
		const statuses = [executions.map(({ status }) => status)];
		for (const faults of FAULTS.slice(1)) {
			await platform.control.setFaults(faults);
			const retry = async (failed: ExecutionSummary, index: number) =>
				await client.retry(failed, index % 2 === 0 ? 'original' : 'saved');
			executions = await Promise.all(
				executions.map(async (execution, index) => await limit(retry, execution, index)),
			);
			statuses.push(executions.map(({ status }) => status));
		}
		await client.deactivate(id);
		seconds.push(`${name} ${((Date.now() - startMs) / 1000).toFixed(0)} s`);
		return statuses;
	}

	/** @throws Error that tells how the executions stand, if they do not end */
	async function ended(workflowId: string): Promise<ExecutionSummary[]> {
		let all: ExecutionSummary[] = [];
		const isOver = ({ status }: ExecutionSummary) => status === 'success' || status === 'error';
		return await until(`${RUNS} executions to end`, ENDED_MS, async () => {
			all = await environment.client.executions(workflowId);
			return all.length === RUNS && all.every(isOver) ? all : undefined;
		}).catch((error: Error) => {
			const states = JSON.stringify(tally(all.map(({ status }) => status)));
			throw new Error(`${error.message} Their states: ${states}`);
		});
	}

	const writes = async (): Promise<RecordedRequest[]> =>
		(await environment.platform.control.requests()).filter(({ method }) => method === 'POST');

	/** How often each wish was sent, whatever came of it. A wish is a row. */
	const timesSent = (requests: RecordedRequest[]): Record<string, number> =>
		tally(requests.map(({ body }) => / row of \d+/.exec(body ?? '')?.[0] ?? '(no row)'));

	for (const [name, kind] of Object.entries(KINDS)) {
		it(`${RUNS} runs of ${name}, each retried twice: the platform has every wish once`, async () => {
			const statuses = await runAndRetry(name, kind);
			const { writesByIdempotencyKey, replays } = await environment.platform.control.counters();
			console.log(
				`  ${name}: ${JSON.stringify(statuses.map(tally))}, ${(await writes()).length} requests, ${replays} answered from memory; times that a key was applied: ${JSON.stringify(tally(Object.values(writesByIdempotencyKey)))}`,
			);
			assert.deepEqual(statuses.map(tally), [{ error: RUNS }, { error: RUNS }, { success: RUNS }]);
			assert.deepEqual(tally(Object.values(writesByIdempotencyKey)), { 1: RUNS * ROWS });
			assert.equal(Object.keys(timesSent(await writes())).length, RUNS * ROWS);
		});
	}

	it(`${RUNS} batches in which one item fails, each retried twice: only that item is sent again`, async () => {
		const statuses = await runAndRetry('Batch', BATCH);
		const sent = (await writes()).flatMap(({ body }) => {
			const { operations } = JSON.parse(body ?? '') as { operations: Array<{ sku: string }> };
			return operations.map(({ sku }) => Number(sku.split('-')[1]));
		});
		const isRefused = (n: number) => MARKS[n % ROWS] === THIRD;
		const good = tally(Object.values(tally(sent.filter((n) => !isRefused(n)))));
		const refused = tally(Object.values(tally(sent.filter(isRefused))));
		console.log(
			`  Batch: ${JSON.stringify(statuses.map(tally))}; times that an item was sent: good ones ${JSON.stringify(good)}, refused ones ${JSON.stringify(refused)}`,
		);
		assert.deepEqual(statuses.map(tally), Array(3).fill({ error: RUNS }));
		assert.deepEqual(good, { 1: RUNS * (ROWS - 1) });
		assert.deepEqual(refused, { 3: RUNS });
	});

	describe('on a platform that does not know a used key', () => {
		before(async () => {
			await environment.platform.control.configure({ dialect: { idempotency: 'ignored' } });
		});

		for (const [name, kind] of Object.entries(KINDS)) {
			it(`${RUNS} runs of ${name}, each retried twice: what is known to be done is sent once`, async () => {
				const statuses = await runAndRetry(`${name} Without Replays`, kind);
				const requests = await writes();
				const known = requests.filter(({ body }) => body?.includes('a plain row'));
				const unknown = requests.filter(
					({ body, status }) => status !== 503 && !body?.includes('a plain row'),
				);
				const counts = tally(Object.values(timesSent(known)));
				console.log(
					`  ${name}: ${JSON.stringify(statuses.map(tally))}; times that a row was sent: done for certain ${JSON.stringify(counts)}, unknown ${JSON.stringify(tally(Object.values(timesSent(unknown))))}`,
				);
				assert.deepEqual(counts, { 1: RUNS * (ROWS - Object.keys(MARKS).length) });
			});
		}
	});
}

async function post(address: string, body: object): Promise<void> {
	// n8n ends an idle connection after some seconds, maybe just as it is used again.
	const headers = { 'content-type': 'application/json', connection: 'close' };
	const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
	assert.equal(answer.status, 200);
}
