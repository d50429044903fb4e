import { randomBytes } from 'node:crypto';

import type { N8nOptions, N8nProcess } from '../n8n/n8n-process';
import { LOOPBACK, freePort } from '../../../platform/support/ports';
import { startBalancer, type Balancer } from '../queue/balancer';
import {
	postgresEnvironment,
	startPostgres,
	startRedis,
	type Postgres,
	type Service,
} from '../queue/services';

/** Webhook processors. */
export const PROCESSORS = 2;

/** The processes of one n8n in queue mode. */
export interface QueueMode {
	/** Main. */
	n8n: N8nProcess;
	/** Runs the executions. */
	worker: N8nProcess;
	/** They receive production deliveries, in turn, behind the balancer. */
	processors: N8nProcess[];
	balancer: Balancer;
	redis: Service;
	postgres: Postgres;
	stop(): Promise<void>;
}

/**
 * Starts main, which sets up the database, then the others.
 *
 * @param start starts one process of n8n on the common folder
 * @param common environment variables of all processes
 */
export async function startQueueMode(
	start: (options: Partial<N8nOptions>) => Promise<N8nProcess>,
	common: Record<string, string> = {},
): Promise<QueueMode> {
	const redis = await startRedis();
	const postgres = await startPostgres();
	const balancerPort = await freePort();
	const encryptionKey = randomBytes(16).toString('hex');
	const environment = { ...common, ...queueEnvironment(redis, postgres, balancerPort) };
	const n8n = await start({ encryptionKey, environment });
	/** A process beside main, which serves no editor. */
	const startBeside = async (...command: string[]) => {
		const port = await freePort();
		return await start({
			encryptionKey,
			command,
			port,
			environment: { ...environment, QUEUE_HEALTH_CHECK_PORT: String(port) },
			readyPaths: ['/healthz/readiness'],
		});
	};
	const [worker, ...processors] = await Promise.all([
		startBeside('worker', '--concurrency=20'),
		...Array.from({ length: PROCESSORS }, async () => await startBeside('webhook')),
	]);
	const ports = processors.map(({ port }) => port);
	const balancer = await startBalancer(ports, balancerPort);
	const stop = async () => {
		await balancer.close();
		await Promise.all([...processors, worker].map(async (process) => await process.stop()));
		await n8n.stop();
		await redis.stop();
		await postgres.stop();
	};
	return { n8n, worker, processors, balancer, redis, postgres, stop };
}

/** The environment of every process of n8n. */
export function queueEnvironment(
	redis: Service,
	postgres: Postgres,
	balancerPort: number,
): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		N8N_WEBHOOK_URL: `http://${LOOPBACK}:${balancerPort}/`,
		...postgresEnvironment(postgres),
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// Otherwise n8n ends itself after ten seconds without Redis, and a service manager would start it again.
		QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '60000',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	};
}
