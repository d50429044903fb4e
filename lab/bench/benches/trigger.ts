import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { signedDelivery } from '../../../platform/support/delivery';
import { publishTrigger, publishWebhook } from '../../../test/support/environment/publishedTrigger';
import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../../test/support/environment/testEnvironment';
import { percentile } from '../../../test/support/figures';
import { sendAll, sendSteadily, type LoadResult, type Sending } from '../../../test/support/load';
import { Progress } from '../../../test/support/progress';
import { until } from '../../../platform/support/until';
import { atLeast, atMost, figure, heading } from '../report';
import { inSmall, whileOpen } from '../shop';
import { BENCH_NODES, mark, marksIn } from '../workflowRuns';
import { publishGithubTrigger } from './githubTrigger';

/** Many short rounds in turn, so that other load on the machine slows all candidates alike. */
const ROUNDS = inSmall(16, 1);
const A_ROUND = inSmall(150, 10);
const AT_ONCE = 50;
const ROUND_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 10;
/** A rate that the slowest candidate can keep up with. */
const STEADY_PER_SECOND = 15;
const STEADY = inSmall(150, 10);
const STEADY_ROUNDS = inSmall(7, 1);

const HEADER = { name: 'x-bench', value: 'open sesame' };

/** A candidate that receives deliveries. */
interface Receiver {
	name: string;
	sendings(count: number): Sending[];
	perSecond: number[];
	/** The smallest allowed ratio of our throughput to its own. */
	throughput?: number;
	/** The largest allowed ratio of our answer time to its own, for the slowest of a hundred. */
	p99?: number;
}

/**
 * Compares the trigger, in a real n8n, with n8n's own Webhook node (verifies nothing), n8n's GitHub trigger (verifies a
 * signature), and the three nodes with which users verify a signature by hand. None of them ignores repeats or checks
 * the time.
 */
export async function trigger(): Promise<void> {
	const n8n = { environment: { ...EXPRESSION_ENGINE, ...BENCH_NODES } };
	await whileOpen(startTestEnvironment(new Progress(), { n8n }), async (environment) => {
		const marks = join(environment.n8n.userFolder, 'marks');
		const receivers = await receiversOf(environment, mark('Done', marks));
		await saturate(receivers, marks);
		await sendAtARate(receivers, marks);
	});
}

/** All candidates, ours first. @param last last node of each workflow */
async function receiversOf(
	environment: TestEnvironment,
	last: Partial<INode>,
): Promise<Receiver[]> {
	const { genuine: parts } = await publishTrigger(environment, last);
	const genuine = (count: number) => Array.from({ length: count }, () => signedDelivery(parts));
	const plainUrl = await publishWebhook(environment, 'Plain', {}, [last]);
	const { id, name } = await environment.client.createCredential(
		'Header',
		'httpHeaderAuth',
		HEADER,
	);
	const withCredential = {
		credentials: { httpHeaderAuth: { id, name } },
		parameters: { authentication: 'headerAuth' },
	};
	const headerUrl = await publishWebhook(environment, 'With Credential', withCredential, [last]);
	const byHandUrl = await publishByHand(environment, parts.secret, last);
	const byGithub = await publishGithubTrigger(environment, last);
	const sentTo = (url: string) => (count: number) =>
		genuine(count).map((sending) => ({
			...sending,
			url,
			headers: { ...sending.headers, [HEADER.name]: HEADER.value },
		}));
	return [
		{ name: 'this trigger', sendings: genuine, perSecond: [] },
		{ name: 'Webhook node', sendings: sentTo(plainUrl), perSecond: [] },
		{
			name: 'Webhook node that has a credential',
			sendings: sentTo(headerUrl),
			perSecond: [],
			throughput: 1,
			p99: 1.1,
		},
		{
			name: 'GitHub trigger',
			sendings: (count) => genuine(count).map(({ body }) => byGithub(JSON.parse(body) as object)),
			perSecond: [],
			throughput: 1,
			p99: 1.1,
		},
		{
			name: 'Webhook, Crypto and If nodes',
			sendings: sentTo(byHandUrl),
			perSecond: [],
			throughput: 1.5,
			p99: 1.1,
		},
	];
}

/** Checks the signature as users do without this package: Crypto computes it over the raw body, If compares. */
async function publishByHand(
	environment: TestEnvironment,
	secret: string,
	last: Partial<INode>,
): Promise<string> {
	const crypto: Partial<INode> = {
		name: 'Crypto',
		type: 'n8n-nodes-base.crypto',
		parameters: {
			action: 'hmac',
			binaryData: true,
			binaryPropertyName: 'data',
			type: 'SHA256',
			secret,
			dataPropertyName: 'computed',
		},
	};
	const compare: Partial<INode> = {
		name: 'If',
		type: 'n8n-nodes-base.if',
		parameters: {
			conditions: {
				string: [
					{
						value1: '={{ $json.computed }}',
						value2: "={{ $json.headers['x-shop-signature'] }}",
					},
				],
			},
		},
	};
	const rawBody = { parameters: { options: { rawBody: true } } };
	return await publishWebhook(environment, 'By Hand', rawBody, [crypto, compare, last]);
}

/** A round ends with its last execution: n8n answers earlier, while work remains. */
async function saturate(receivers: Receiver[], marks: string): Promise<void> {
	for (let round = 0; round <= ROUNDS; round++) {
		for (const receiver of round % 2 === 0 ? receivers : [...receivers].reverse()) {
			const sendings = receiver.sendings(A_ROUND);
			writeFileSync(marks, '');
			const startedMs = performance.now();
			allTaken(receiver, await sendAll(sendings, AT_ONCE));
			await allExecuted(receiver, marks, A_ROUND);
			const seconds = (performance.now() - startedMs) / 1000;
			if (round > 0) receiver.perSecond.push(A_ROUND / seconds);
		}
	}
	const [ours, ...peers] = receivers;
	const { N8N_EXPRESSION_ENGINE: engine } = EXPRESSION_ENGINE;
	const sandboxes = engine === 'legacy' ? '' : ', sandboxes when needed';
	heading(
		`Deliveries executed a second, ${AT_ONCE} at a time, expression engine ${engine}${sandboxes}`,
	);
	for (const { name, perSecond } of receivers) figure(`${name}, a second`, perSecond);
	for (const { name, perSecond, throughput } of peers) {
		const rounds = ours.perSecond.map((value, round) => value / perSecond[round]);
		const what = `throughput, ours / ${name}, median of ${ROUNDS} rounds`;
		if (throughput === undefined) figure(what, rounds);
		else atLeast(what, rounds, throughput);
	}
}

/**
 * The candidates take turns here too: n8n tidies up every few seconds, and chance decides which deliveries wait for
 * that.
 */
async function sendAtARate(receivers: Receiver[], marks: string): Promise<void> {
	const slowest = receivers.map((): number[] => []);
	const medians = receivers.map((): number[] => []);
	for (let round = 0; round < STEADY_ROUNDS; round++) {
		for (const [at, receiver] of receivers.entries()) {
			writeFileSync(marks, '');
			const result = await sendSteadily(receiver.sendings(STEADY), STEADY_PER_SECOND);
			await allExecuted(receiver, marks, STEADY);
			const times = allTaken(receiver, result).answers.map(({ ms }) => ms);
			slowest[at].push(percentile(times, 0.99));
			medians[at].push(percentile(times, 0.5));
		}
	}
	heading(`Answer time at ${STEADY_PER_SECOND} deliveries a second, ms`);
	for (const [at, { name, p99 }] of receivers.entries()) {
		figure(`${name}, median`, medians[at]);
		figure(`${name}, 99 of 100`, slowest[at]);
		const ratios = slowest[0].map((ms, round) => ms / slowest[at][round]);
		const what = `99 of 100, ours / ${name}, median of ${STEADY_ROUNDS} rounds`;
		if (p99 !== undefined) atMost(what, ratios, p99);
	}
}

async function allExecuted({ name }: Receiver, marks: string, count: number): Promise<void> {
	const executed = () => Promise.resolve(marksIn(marks).length === count || undefined);
	await until(`${name} to execute all`, ROUND_TIMEOUT_MS, executed, LOOK_EVERY_MS);
}

function allTaken({ name }: Receiver, result: LoadResult): LoadResult {
	const taken = result.answers.every(({ status, executed }) => status === 200 && executed);
	if (!taken) throw new Error(`${name} did not take all deliveries, so its figures mean nothing.`);
	return result;
}
