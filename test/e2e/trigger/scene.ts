import type { IDataObject } from 'n8n-workflow';

import type { DeliveryParts } from '../deliveries';
import type { Workflow } from '../n8n/types';
import { Progress } from '../progress';
import { setStage, type Stage, type StageOptions } from '../stage';
import { chain, noOperation, shopTrigger } from '../workflows';
import { ExecutionCounts } from './executions';

/**
 * n8n's default way to evaluate expressions makes each delivery five times as costly, to every kind of
 * trigger. `COMMERCE_PLATFORM_EXPRESSION_ENGINE=vm` measures with it.
 */
export const ENGINE = {
	N8N_EXPRESSION_ENGINE: process.env.COMMERCE_PLATFORM_EXPRESSION_ENGINE ?? 'legacy',
};

/** A real n8n with one published workflow that our trigger starts. */
export interface TriggerScene {
	stage: Stage;
	workflow: Workflow;
	/** What a sender of genuine deliveries needs. */
	genuine: DeliveryParts;
	counts: ExecutionCounts;
}

/** Sets everything up and publishes `Order Paid → Done`. */
export async function setTriggerScene(
	parameters: IDataObject = {},
	options: StageOptions = {},
): Promise<TriggerScene> {
	const n8n = { ...options.n8n, environment: { ...ENGINE, ...options.n8n?.environment } };
	const stage = await setStage(new Progress(), { ...options, n8n });
	const workflow = await stage.client.createWorkflow(
		chain('Deliveries', stage.credential, [
			shopTrigger('Order Paid', { events: ['order.paid'], ...parameters } as never),
			noOperation('Done'),
		]),
	);
	await stage.client.activate(workflow.id);
	const [{ id, url }] = await stage.platform.control.endpoints();
	const secret = await stage.platform.control.endpointSecret(id);
	return { stage, workflow, genuine: { url, secret }, counts: new ExecutionCounts(stage.n8n) };
}
