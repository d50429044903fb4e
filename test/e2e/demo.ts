import { demoOptions, USAGE, type DemoOptions } from './demo/options';
import { findings } from './demo/findings';
import { KEPT_FOLDER, keepDemo, keptDemo, newDemo, type KeptDemo, type NewDemo } from './demo/kept';
import { importExamples, payOneOrder } from './demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../support/n8n/examples';
import { freePort } from '../../platform/support/ports';
import { untilInterrupted } from '../support/processes';
import { describeFailure, UserError } from '../support/userError';
import { Progress } from '../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
	type TestEnvironmentOptions,
} from '../support/environment/testEnvironment';

/**
 * Sets everything up, up to a real n8n that processed a paid order, and tells each step; or resumes an earlier demo.
 *
 * @returns whether everything really happened
 */
async function demo(options: DemoOptions): Promise<boolean> {
	const progress = new Progress();
	if (options.once || options.queue) return await showAlone(options, progress);
	const kept = options.fresh ? undefined : keptDemo();
	const begun = kept ?? newDemo();
	const environment = await start(options, progress, begun, kept);
	const happened = kept
		? await takeUp(environment, progress)
		: (await show(environment, progress)).happened;
	const { owner, credential } = environment;
	const platformPort = Number(new URL(environment.platform.baseUrl).port);
	keepDemo({ ...begun, platformPort, owner, credential });
	await stayOpen(environment, KEPT);
	return happened;
}

/** The port that n8n users know; the demo takes it if it is free. */
const USUAL_N8N_PORT = 5678;

const KEPT = `Your workflows are kept for the next time; the shop is reset.
  npm run demo -- --fresh   forgets them`;

async function start(
	{ queue }: DemoOptions,
	progress: Progress,
	begun?: NewDemo,
	known?: KeptDemo,
): Promise<TestEnvironment> {
	const port = await freePort(known?.platformPort);
	if (known && port !== known.platformPort)
		throw new UserError(
			`Port ${known.platformPort}, at which the kept demo has its platform, is taken by another program.`,
			'End that program, or forget the kept demo with --fresh.',
		);
	const options = {
		platform: { port, apiKey: begun?.apiKey, inDevelopment: { batch: true } },
		n8n: {
			port: await freePort(USUAL_N8N_PORT),
			// Internal runners, so that Code nodes work.
			environment: { GENERIC_TIMEZONE: timeZone(), N8N_RUNNERS_MODE: 'internal' },
			encryptionKey: begun?.encryptionKey,
		},
		keptFolder: begun && KEPT_FOLDER,
		known,
	};
	const environment = queue
		? await startInQueueMode(options, progress)
		: await startTestEnvironment(progress, options);
	await ordersOfTheseDays(environment);
	progress.say(`Back office of the platform: ${environment.platform.controlUrl}`);
	return environment;
}

/** n8n as larger shops run it: PostgreSQL, Redis, main, a worker, two webhook processors, a balancer. */
async function startInQueueMode(
	options: TestEnvironmentOptions,
	progress: Progress,
): Promise<TestEnvironment> {
	const environment = await startTestEnvironment(progress, { ...options, mode: 'queue' });
	const { worker, processors, balancer, redis, postgres } = environment;
	progress.detail(`worker: process ${worker.pid}`);
	for (const { pid, url } of processors)
		progress.detail(`webhook processor: ${url} (process ${pid})`);
	progress.detail(`balancer, which takes the deliveries: ${balancer.url}`);
	progress.detail(`Redis: port ${redis.port}; PostgreSQL: port ${postgres.port}`);
	return environment;
}

/** Publishes the kept workflows again: the new shop has no endpoints, and n8n registers none at its start. */
async function takeUp({ client }: TestEnvironment, progress: Progress): Promise<true> {
	progress.say('Workflows and executions of the last demo are kept; the shop is new.');
	for (const { id, name } of await client.publishedWorkflows()) {
		await client.deactivate(id);
		await client.activate(id);
		progress.say(`"${name}" published again`);
	}
	return true;
}

/** Imports the workflows, pays an order, and checks on the platform that everything happened. */
async function show(environment: TestEnvironment, progress: Progress) {
	const { client, credential, platform } = environment;
	const { status, message } = await client.testCredential(credential, {
		baseUrl: platform.baseUrl,
		apiKey: platform.apiKey,
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
	return { happened, workflow: workflows.get(ORDER_PAID_EXAMPLE) };
}

/** A demo that leaves nothing behind. */
async function showAlone(options: DemoOptions, progress: Progress): Promise<boolean> {
	const environment = await start(options, progress);
	const { happened, workflow } = await show(environment, progress);
	if (!options.once) {
		await stayOpen(environment, 'Nothing of this is kept.');
		return happened;
	}
	return (workflow ? await takeBack(environment, workflow.id, progress) : false) && happened;
}

/** This machine's time zone, so that the editor shows local times. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Orders of the last four days, so that yesterday and today have some at any time of day. */
const NEWEST_ORDERS = 20;
const HOURS_BETWEEN_ORDERS = 5;
/** Minutes from an order to its payment. */
const MINUTES_TO_PAY = 10;

const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** The order that waits to be paid: one pair of boots. */
const WAITING = {
	total: eur(12_900),
	totals: { subtotal: eur(12_410), shipping: eur(490), total: eur(12_900) },
	line_items: [
		{
			...{ line_item_id: 'li_boots1', sku: 'BOOTS-41', title: 'Walking boots' },
			...{ quantity: 1, fulfilled_quantity: 0, price: eur(12_410) },
		},
	],
	payment_summary: { status: 'unpaid', paid: eur(0), refunded: eur(0) },
	fulfillment_state: { status: 'unfulfilled', fulfilled_quantity: 0, open_quantity: 1 },
};

/** Places orders over the last days and pays them soon after. The newest one is an hour old and unpaid. */
async function ordersOfTheseDays({ platform: { control } }: TestEnvironment): Promise<void> {
	const newestAt = Date.now() - HOUR_MS;
	for (let older = NEWEST_ORDERS - 1; older >= 0; older--) {
		const placedAt = newestAt - older * HOURS_BETWEEN_ORDERS * HOUR_MS;
		const { id } = await control.writeRecord('orders', {
			updatedAt: isoTime(placedAt),
			fields: older === 0 ? WAITING : {},
		});
		if (older === 0) return;
		await control.payOrder(id);
		const updatedAt = isoTime(placedAt + MINUTES_TO_PAY * MINUTE_MS);
		await control.writeRecord('orders', { id, updatedAt });
	}
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Deactivates the workflow and stops everything. @returns whether the platform has no endpoint left */
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

async function stayOpen(environment: TestEnvironment, afterwards: string): Promise<void> {
	const { n8n, owner, platform, close } = environment;
	console.log(`
  back office  ${platform.controlUrl}   click "Pay" on an order, and watch n8n work
  n8n          ${n8n.url}
  login        ${owner.email}
  password     ${owner.password}
  platform     ${platform.baseUrl}   API key ${platform.apiKey}

  Ctrl-C ends n8n and the platform. ${afterwards}
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
