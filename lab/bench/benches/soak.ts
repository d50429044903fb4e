import { readdirSync } from 'node:fs';

import type { INode } from 'n8n-workflow';

import type { Product } from '../../../platform/shop/product';
import { signedDelivery } from '../../../platform/support/delivery';
import { publishTrigger, publishWebhook } from '../../../test/support/environment/publishedTrigger';
import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../../test/support/environment/testEnvironment';
import { median, percentile } from '../../../test/support/figures';
import { sendAll, sendOne } from '../../../test/support/load';
import { ExecutionCounts } from '../../../test/support/n8n/executionCounts';
import { noOperation, shopNode } from '../../../test/support/n8n/workflows';
import { byId } from '../../../test/support/parameters';
import { Progress } from '../../../test/support/progress';
import { apiClient } from '../../../platform/support/apiClient';
import { atMost, figure, heading } from '../report';
import { AMPLE, inSmall, whileOpen } from '../shop';
import { residentMegabytes } from './start';

/** `SOAK=1000 npm run bench -- soak` for fewer. */
const DELIVERIES = Number(process.env.SOAK ?? inSmall(50_000, 200));
const OPERATIONS = (DELIVERIES * 2) / 5;
const SAMPLES = inSmall(50, 10);
const AT_ONCE = 20;
/** From this share of the samples on nothing may grow: the trigger's memory in static data is full then. */
const SETTLED = 0.1;

/** As in a container of 1 GB: otherwise Node.js uses the whole machine before it collects garbage. */
const BOUNDED = {
	NODE_OPTIONS: '--max-old-space-size=640',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
};

interface Sample {
	/** Deliveries sent so far. */
	deliveries: number;
	megabytes: number;
	handles: number;
	staticDataKb: number;
	medianMs: number;
	p99Ms: number;
}

/** Sends deliveries and runs operations in one n8n for a long time: does anything grow? */
export async function soak(): Promise<void> {
	const started = startTestEnvironment(new Progress(), {
		platform: { ...AMPLE, products: 250 },
		n8n: { environment: { ...EXPRESSION_ENGINE, ...BOUNDED } },
	});
	const samples: Sample[] = [];
	await whileOpen(started, async (environment) => {
		const { workflow, genuine } = await publishTrigger(environment);
		const operate = await publishOperations(environment);
		const counts = new ExecutionCounts(environment.n8n);
		const [deliveries, operations] = [DELIVERIES, OPERATIONS].map((total) => total / SAMPLES);
		for (let sample = 1; sample <= SAMPLES; sample++) {
			const sendings = Array.from({ length: deliveries }, () => signedDelivery(genuine));
			const { answers } = await sendAll(sendings, AT_ONCE);
			if (!answers.every(({ executed }) => executed))
				throw new Error('A delivery was not executed');
			await operate(operations);
			const ms = answers.map((answer) => answer.ms);
			const pid = environment.n8n.pid!;
			samples.push({
				deliveries: sample * deliveries,
				megabytes: residentMegabytes(pid),
				handles: readdirSync(`/proc/${pid}/fd`).length,
				staticDataKb: counts.staticDataSize(workflow.id) / 1000,
				medianMs: median(ms),
				p99Ms: percentile(ms, 0.99),
			});
			console.log(JSON.stringify(samples.at(-1)));
		}
	});
	report(samples);
}

function report(samples: Sample[]): void {
	heading(
		`Soak: ${DELIVERIES.toLocaleString('en')} deliveries and ${OPERATIONS.toLocaleString('en')} operations in one n8n`,
	);
	const settled = samples.slice(samples.length * SETTLED);
	const third = Math.ceil(settled.length / 3);
	const grown = (of: keyof Sample) =>
		median(settled.slice(-third).map((one) => one[of])) /
		median(settled.slice(0, third).map((one) => one[of]));
	const kinds: Array<[of: keyof Sample, what: string, bound: number]> = [
		['megabytes', 'MB resident', 1.15],
		['handles', 'open handles', 1.1],
		['staticDataKb', 'kB of static data', 1.05],
		['medianMs', 'ms to answer, median', 1.25],
		['p99Ms', 'ms to answer, 99 of 100', 1.5],
	];
	for (const [of, what, bound] of kinds) {
		figure(
			what,
			settled.map((one) => one[of]),
		);
		atMost(`${what}, last third / first third, from the tenth on`, grown(of), bound);
	}
}

/** Publishes `Webhook → Split Out → Product: Get`. @returns reads this many products through it */
async function publishOperations(environment: TestEnvironment) {
	const products = await apiClient(environment.platform).data<Product[]>('/products?limit=250');
	const splitOut: Partial<INode> = {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'body.ids', options: { destinationFieldName: 'id' } },
	};
	const get = shopNode('Get', {
		resource: 'product',
		operation: 'get',
		productId: byId('={{ $json.id }}'),
	});
	const last = { parameters: { responseMode: 'lastNode' } };
	const url = await publishWebhook(environment, 'Operations', last, [
		splitOut,
		get,
		noOperation('Done'),
	]);
	return async (count: number) => {
		const ids = Array.from({ length: count }, (_, n) => products[n % products.length].id);
		const headers = { 'content-type': 'application/json' };
		const { status } = await sendOne({ url, headers, body: JSON.stringify({ ids }) });
		if (status !== 200) throw new Error(`The operations were answered with ${status}`);
	};
}
