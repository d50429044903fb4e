import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { signedDelivery } from '../deliveries';
import { chain, noOperation } from '../workflows';
import { percentile, sendAll, sendSteadily, type LoadResult, type Sending } from './load';
import { setTriggerScene, type TriggerScene } from './scene';

/** Many short rounds in turn, so that whatever else the machine does strikes both alike. */
const ROUNDS = 12;
const A_ROUND = 150;
const AT_ONCE = 50;
const STEADY_PER_SECOND = 50;
const STEADY = 500;
/** The aim on a machine that does nothing else. */
const AIM = 0.9;
/** What must hold wherever this runs: below, something is wrong with the node, not with the machine. */
const SHARE_OF_PLAIN = 0.8;

describe("beside n8n's own Webhook node, which verifies nothing", () => {
	let scene: TriggerScene;
	let plainUrl: string;

	before(async () => {
		scene = await setTriggerScene();
		const path = randomUUID();
		const { client, credential, n8n } = scene.stage;
		const { id } = await client.createWorkflow(
			chain('Plain', credential, [
				{
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					webhookId: path,
					parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
				},
				noOperation('Done'),
			]),
		);
		await client.activate(id);
		plainUrl = `${n8n.url}/webhook/${path}`;
	});
	after(async () => await scene?.stage.close());

	const verified = (count: number): Sending[] =>
		Array.from({ length: count }, () => signedDelivery(scene.genuine));
	/** The same requests, to the other node. */
	const plain = (count: number): Sending[] =>
		verified(count).map((sending) => ({ ...sending, url: plainUrl }));

	const allTaken = ({ answers }: LoadResult) =>
		assert.ok(answers.every(({ status, executed }) => status === 200 && executed));

	const median = (values: number[]) => percentile(values, 0.5);

	it(`takes at least ${SHARE_OF_PLAIN} of its deliveries a second, at saturation`, async () => {
		await sendAll(verified(A_ROUND), AT_ONCE);
		await sendAll(plain(A_ROUND), AT_ONCE);
		const ours: number[] = [];
		const theirs: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const order = round % 2 === 0 ? [verified, plain] : [plain, verified];
			for (const kind of order) {
				const result = await sendAll(kind(A_ROUND), AT_ONCE);
				allTaken(result);
				(kind === verified ? ours : theirs).push(result.perSecond);
			}
		}
		const share = median(ours.map((perSecond, round) => perSecond / theirs[round]));
		console.log(
			`  saturated: ${median(ours).toFixed(0)} deliveries a second, Webhook node ${median(theirs).toFixed(0)}; median share ${share.toFixed(2)} (aim ${AIM}) over ${ROUNDS} rounds of ${A_ROUND}`,
		);
		assert.ok(share >= SHARE_OF_PLAIN, `only ${share.toFixed(2)}`);
	});

	it(`answers ${STEADY_PER_SECOND} a second as fast`, async () => {
		const times = async (sendings: Sending[]) => {
			const result = await sendSteadily(sendings, STEADY_PER_SECOND);
			allTaken(result);
			return result.answers.map(({ ms }) => ms);
		};
		const [theirs, ours] = [await times(plain(STEADY)), await times(verified(STEADY))];
		const show = (values: number[]) =>
			[0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(0)).join(' / ');
		console.log(
			`  ${STEADY_PER_SECOND} a second, median / 95 % / 99 % in ms: ${show(ours)}, Webhook node ${show(theirs)}`,
		);
		assert.ok(percentile(ours, 0.99) < 10_000, 'the platform would have given up');
	});
});
