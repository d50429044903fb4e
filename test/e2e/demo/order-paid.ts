import type { DeliveryRecord } from '../../../platform';
import { DEMO_EXAMPLES, ORDER_PAID_EXAMPLE, example } from '../../support/n8n/examples';
import type { Execution, Workflow } from '../../support/n8n/types';
import type { Progress } from '../../support/progress';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { until } from '../../../platform/support/until';

const DELIVERY_TIMEOUT_MS = 120_000;
const PAID = 'order.paid';

/** Everything that one paid order caused, on both sides. */
export type PaidOrder = Awaited<ReturnType<typeof payOneOrder>>;

/** The demo's workflows in n8n, by the name of their example file. */
export async function importExamples(
	environment: TestEnvironment,
	progress: Progress,
): Promise<Map<string, Workflow>> {
	const workflows = new Map<string, Workflow>();
	for (const file of DEMO_EXAMPLES) {
		const workflow = await environment.client.createWorkflow(
			await example(file, environment.credential),
		);
		workflows.set(file, workflow);
		progress.say(
			`Workflow "${workflow.name}" imported: ${environment.n8n.url}/workflow/${workflow.id}`,
		);
	}
	return workflows;
}

/** Activates the workflow of {@link ORDER_PAID_EXAMPLE}, pays an order and waits until its execution ends. */
export async function payOneOrder(
	environment: TestEnvironment,
	workflows: Map<string, Workflow>,
	progress: Progress,
) {
	const { client, platform } = environment;
	const workflow = workflows.get(ORDER_PAID_EXAMPLE);
	if (workflow === undefined) throw new Error(`${ORDER_PAID_EXAMPLE} was not imported.`);
	await client.activate(workflow.id);
	const [endpoint] = await platform.control.endpoints();
	if (endpoint === undefined) throw new Error('Activation registered no endpoint on the platform.');
	progress.say(`"${workflow.name}" activated; the platform has endpoint ${endpoint.id}`);
	progress.detail(`→ ${endpoint.url} for ${endpoint.events.join(', ')}`);

	const { order, deliveryIds } = await platform.control.payOrder();
	const orderId = String(order.id);
	progress.say(
		`Order ${orderId} paid on the platform; delivery ${deliveryIds.join(', ')} goes out`,
	);
	const delivery = await delivered(environment);
	const answer = delivery.attempts.at(-1);
	progress.say(
		`n8n answered delivery ${delivery.id} with ${answer?.status} after ${answer?.durationMs} ms`,
	);

	const [execution] = await client.finishedExecutions(workflow.id, 1);
	progress.say(`Execution ${execution.id} ended: ${execution.status}, ${duration(execution)} ms`);
	progress.detail(`${environment.n8n.url}/workflow/${workflow.id}/executions/${execution.id}`);
	return { orderId, endpointId: endpoint.id, delivery, execution };
}

async function delivered({ platform }: TestEnvironment): Promise<DeliveryRecord> {
	return await until('the delivery to be answered', DELIVERY_TIMEOUT_MS, async () => {
		const [delivery] = await platform.control.deliveries({ event: PAID });
		return delivery?.attempts.length ? delivery : undefined;
	});
}

const duration = ({ startedAt, stoppedAt }: Execution): number =>
	stoppedAt === null ? 0 : Date.parse(stoppedAt) - Date.parse(startedAt);
