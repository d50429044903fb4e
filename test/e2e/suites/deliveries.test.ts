import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { send, signedDelivery, without, type DeliveryParts } from '../../support/delivery';
import type { Workflow } from '../../support/n8n/types';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { publishTrigger } from '../../support/environment/publishedTrigger';

const SIX_MINUTES_S = 360;

describe('deliveries to the trigger in a real n8n', () => {
	let environment: TestEnvironment;
	let workflow: Workflow;
	let genuine: DeliveryParts;
	/** Genuine deliveries sent so far; each must have given one execution, everything else none. */
	let accepted = 0;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent());
		({ workflow, genuine } = await publishTrigger(environment));
	});
	after(async () => await environment?.close());

	/** Sends a genuine delivery and waits for its execution: nothing sent before can still be on its way. */
	async function executionsAfterOneMore(): Promise<number> {
		assert.equal(await send(signedDelivery(genuine)), 200);
		accepted += 1;
		return (await environment.client.finishedExecutions(workflow.id, accepted)).length;
	}

	const refused = (status: number) =>
		assert.ok(status >= 400 && status < 500, `answered ${status}, expected 4xx`);

	it('executes a genuine delivery', async () => {
		assert.equal(await executionsAfterOneMore(), accepted);
	});

	it('refuses a forged delivery with 4xx and executes nothing', async () => {
		refused(await send(signedDelivery({ ...genuine, secret: 'not the secret' })));
		const changed = signedDelivery(genuine);
		refused(await send({ ...changed, body: changed.body.replace('1999', '1') }));
		assert.equal(await executionsAfterOneMore(), accepted);
	});

	it('refuses an unsigned delivery with 4xx and executes nothing', async () => {
		refused(await send(without(signedDelivery(genuine), 'x-shop-signature')));
		refused(await send(without(signedDelivery(genuine), 'x-shop-timestamp')));
		assert.equal(await executionsAfterOneMore(), accepted);
	});

	it('refuses a six-minute-old delivery with 4xx and executes nothing', async () => {
		refused(await send(signedDelivery({ ...genuine, ageSeconds: SIX_MINUTES_S })));
		refused(await send(signedDelivery({ ...genuine, ageSeconds: -SIX_MINUTES_S })));
		assert.equal(await executionsAfterOneMore(), accepted);
	});

	it('executes the same delivery once, however often it comes', async () => {
		const delivery = signedDelivery(genuine);
		assert.equal(await send(delivery), 200);
		accepted += 1;
		assert.equal(await send(delivery), 200);
		assert.equal(await send(delivery), 200);
		assert.equal(await executionsAfterOneMore(), accepted);
	});

	it('executes a delivery once that the platform replays', async () => {
		const { deliveryIds } = await environment.platform.control.payOrder();
		accepted += 1;
		await environment.platform.control.settled();
		await environment.platform.control.replay(deliveryIds[0]);
		await environment.platform.control.settled();
		assert.equal(await executionsAfterOneMore(), accepted);
	});
});
