import { demoOptions, USAGE, USUAL_N8N_PORT, type DemoOptions } from './demo/options';
import { findings } from './demo/findings';
import { importExamples, payOneOrder } from './demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../support/n8n/examples';
import { choosePort } from '../support/ports';
import { untilInterrupted } from '../support/processes';
import { describeFailure } from '../support/userError';
import { Progress } from '../support/progress';
import { startTestEnvironment, type TestEnvironment } from '../support/environment/testEnvironment';

/**
 * From nothing to a real n8n that saw a paid order, told step by step.
 *
 * @returns whether all of it really happened
 */
async function demo(options: DemoOptions): Promise<boolean> {
	const progress = new Progress();
	// Chosen first, since a taken port is better told before minutes of installing.
	const n8nPort = await choosePort(options.n8nPort, 'n8n', USUAL_N8N_PORT);
	const platformPort = await choosePort(options.platformPort, 'the local platform');
	const environment = await startTestEnvironment(progress, {
		platform: { port: platformPort, inDevelopment: { batch: true } },
		n8n: { port: n8nPort, environment: { GENERIC_TIMEZONE: timeZone() } },
	});
	await ordersOfTheseDays(environment);
	progress.say(`Back office of the platform: ${environment.platform.controlUrl}`);
	const { status, message } = await environment.client.testCredential(environment.credential, {
		baseUrl: environment.platform.baseUrl,
		apiKey: environment.platform.apiKey,
	});
	progress.say(`Credential tested: ${status}${message ? ` (${message})` : ''}`);
	const workflows = await importExamples(environment, progress);
	const paid = await payOneOrder(environment, workflows, progress);
	const found = await findings(environment, paid);
	progress.say('What the platform saw:');
	for (const { what, seen, holds } of found) {
		progress.detail(`${holds ? '✔' : '✘'} ${what}: ${seen}`);
	}
	const happened = status === 'OK' && found.every(({ holds }) => holds);
	progress.say(happened ? 'All of it happened.' : 'Not all of it happened.');
	if (options.once) {
		const workflow = workflows.get(ORDER_PAID_EXAMPLE);
		return (workflow ? await takeBack(environment, workflow.id, progress) : false) && happened;
	}
	await stayOpen(environment);
	return happened;
}

/** This machine's, so that times in the editor are those of the clock on the wall. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const HOUR_MS = 3_600_000;
/** When the demo's newest orders were placed, in hours before now. The last one waits to be paid. */
const NEWEST_ORDERS = [30, 26, 5, 2, 1];

/** A shop in which something was sold yesterday and today. */
async function ordersOfTheseDays({ platform: { control } }: TestEnvironment): Promise<void> {
	for (const [at, hours] of NEWEST_ORDERS.entries()) {
		const created_at = new Date(Date.now() - hours * HOUR_MS).toISOString();
		const fields = { created_at };
		const { id } = await control.writeRecord('orders', { updatedAt: created_at, fields });
		if (at < NEWEST_ORDERS.length - 1) await control.payOrder(id);
	}
}

/** Deactivates the workflow and stops everything; whether no endpoint was left on the platform. */
async function takeBack(
	environment: TestEnvironment,
	workflowId: string,
	progress: Progress,
): Promise<boolean> {
	await environment.client.deactivate(workflowId);
	const left = (await environment.platform.control.endpoints()).length;
	progress.say(`Workflow deactivated; endpoints left on the platform: ${left}`);
	await environment.close();
	progress.say('n8n and the platform stopped');
	return left === 0;
}

async function stayOpen({ n8n, owner, platform, close }: TestEnvironment): Promise<void> {
	console.log(`
  back office  ${platform.controlUrl}   click "Pay" on an order, and watch n8n work
  n8n          ${n8n.url}
  login        ${owner.email}
  password     ${owner.password}
  platform     ${platform.baseUrl}   API key ${platform.apiKey}

  Ctrl-C ends n8n and the platform; nothing is kept.
`);
	await untilInterrupted();
	console.log('\nStopping n8n and the platform …');
	await close();
}

async function main(): Promise<void> {
	try {
		const options = demoOptions(process.argv.slice(2));
		if (options.help) {
			console.log(USAGE);
			return;
		}
		process.exit((await demo(options)) ? 0 : 1);
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
