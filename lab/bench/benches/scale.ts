import { signedDelivery } from '../../../platform/support/delivery';
import {
	publishTrigger,
	type PublishedTrigger,
} from '../../../test/support/environment/publishedTrigger';
import {
	SANDBOXES_WHEN_NEEDED,
	startTestEnvironment,
} from '../../../test/support/environment/testEnvironment';
import { sendAll } from '../../../test/support/load';
import { Progress } from '../../../test/support/progress';
import { until } from '../../../platform/support/until';
import { figure, heading } from '../report';
import { inSmall, whileOpen } from '../shop';

const ROUNDS = inSmall(5, 1);
const A_ROUND = inSmall(100, 20);
const AT_ONCE = 50;
const SETTLE_MS = 300_000;
const OPEN = "SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting')";

const ENGINES = {
	'as n8n comes': {},
	'sandboxes when needed': SANDBOXES_WHEN_NEEDED,
	'engine legacy': { N8N_EXPRESSION_ENGINE: 'legacy' },
};

/** The figures of docs/scaling.md: deliveries per second by expression engine, and by webhook processors. */
export async function scale(): Promise<void> {
	heading(`Deliveries a second, ${AT_ONCE} at a time, by how n8n is set up`);
	for (const [engine, environment] of Object.entries(ENGINES)) {
		const started = startTestEnvironment(new Progress(), { n8n: { environment } });
		await whileOpen(started, async (one) => {
			await measure(`one process, SQLite, ${engine}`, await publishTrigger(one));
		});
	}
	const started = startTestEnvironment(new Progress(), {
		mode: 'queue',
		n8n: { environment: SANDBOXES_WHEN_NEEDED },
	});
	await whileOpen(started, async (queue) => {
		const { processors, postgres } = queue;
		const published = await publishTrigger(queue);
		const { url } = published.genuine;
		const atOne = {
			...published.genuine,
			url: url.replace(new URL(url).origin, processors[0].url),
		};
		await measure('queue mode, PostgreSQL, one webhook processor', {
			...published,
			genuine: atOne,
		});
		const emptied = async () =>
			await until(
				'the queue to be empty',
				SETTLE_MS,
				async () => postgres.query(OPEN).length === 0,
			);
		await emptied();
		const startedMs = performance.now();
		await measure('the same, two webhook processors', published);
		await emptied();
		const seconds = (performance.now() - startedMs) / 1000;
		const ended = (ROUNDS + 1) * A_ROUND;
		figure(
			'executions a second that one worker ended, all processes on one machine',
			ended / seconds,
		);
	});
}

async function measure(what: string, { genuine }: PublishedTrigger): Promise<void> {
	const perSecond: number[] = [];
	// The first round does not count: n8n loads and compiles its code.
	for (let round = 0; round <= ROUNDS; round++) {
		const sendings = Array.from({ length: A_ROUND }, () => signedDelivery(genuine));
		const result = await sendAll(sendings, AT_ONCE);
		if (!result.answers.every(({ executed }) => executed))
			throw new Error(`${what}: a delivery was not executed`);
		if (round > 0) perSecond.push(result.perSecond);
	}
	figure(what, perSecond);
}
