import { randomBytes } from 'node:crypto';

import { startPlatform, type Platform } from '../../platform';
import { removeFolder, temporaryFolder } from '../leftovers';
import { N8nClient } from '../n8n/client';
import { installPackage, packPackage } from '../n8n/community-package';
import { ensureHost } from '../n8n/host';
import { N8nProcess } from '../n8n/n8n-process';
import { LOOPBACK, freePort } from '../n8n/ports';
import type { Credential } from '../n8n/types';
import type { Progress } from '../progress';
import { CREDENTIAL_TYPE } from '../stage';
import { startBalancer, type Balancer } from './balancer';
import { ENGINE } from './scene';
import { startPostgres, startRedis, type Postgres, type Service } from './services';

const PROCESSORS = 2;

/** The platform's retries, 1 min to 24 h, shrunk: 1 s, 5 s, 30 s and so on. */
const RETRY_DELAY_FACTOR = 1 / 60;

/** Few enough for a slow machine to answer each in time. */
const AT_ONCE = 20;

/** n8n in queue mode: main, one worker, two webhook processors behind a balancer, PostgreSQL and Redis. */
export interface QueueStage {
	platform: Platform;
	client: N8nClient;
	credential: Credential;
	redis: Service;
	postgres: Postgres;
	balancer: Balancer;
	processors: N8nProcess[];
	close(): Promise<void>;
}

/** Starts all of it on loopback. */
export async function setQueueStage(progress: Progress): Promise<QueueStage> {
	const host = await ensureHost(progress);
	const userFolder = temporaryFolder('n8n-queue');
	await installPackage((await packPackage()).tarball, userFolder);
	const platform = await startPlatform({ retryDelayFactor: RETRY_DELAY_FACTOR, validate: false });
	await platform.control.configure({ deliveryConcurrency: AT_ONCE });
	const redis = await startRedis();
	const postgres = await startPostgres();
	progress.say(`Redis on port ${redis.port}, PostgreSQL on port ${postgres.port}`);
	const balancerPort = await freePort();
	const encryptionKey = randomBytes(16).toString('hex');
	const environment = queueEnvironment(redis, postgres, balancerPort);
	const start = async (command: string[], extra: Record<string, string> = {}, port?: number) =>
		await N8nProcess.start({
			host,
			userFolder,
			encryptionKey,
			command,
			port,
			environment: { ...environment, ...extra },
			...(command[0] === 'start' ? {} : { readyPaths: ['/healthz'] }),
		});
	const main = await start(['start']);
	progress.say(`Main at ${main.url}`);
	const workerPort = await freePort();
	const worker = await start(
		['worker', '--concurrency=20'],
		{ QUEUE_HEALTH_CHECK_PORT: String(workerPort) },
		workerPort,
	);
	const processors: N8nProcess[] = [];
	for (let i = 0; i < PROCESSORS; i++) processors.push(await start(['webhook']));
	progress.say(`Worker and ${PROCESSORS} webhook processors are up`);
	const balancer = await startBalancer(
		processors.map(({ port }) => port),
		balancerPort,
	);
	const client = new N8nClient(main.url);
	await client.setUpOwner({ email: 'queue@commerce-platform.example', password: 'Queue-mode1' });
	const credential = await client.createCredential('Commerce Platform (local)', CREDENTIAL_TYPE, {
		baseUrl: platform.baseUrl,
		apiKey: platform.apiKey,
	});
	const close = async () => {
		await balancer.close();
		for (const process of [...processors, worker, main]) await process.stop();
		await platform.close();
		await redis.stop();
		await postgres.stop();
		removeFolder(userFolder);
	};
	return { platform, client, credential, redis, postgres, balancer, processors, close };
}

function queueEnvironment(
	redis: Service,
	postgres: Postgres,
	balancerPort: number,
): Record<string, string> {
	return {
		...ENGINE,
		EXECUTIONS_MODE: 'queue',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		N8N_WEBHOOK_URL: `http://${LOOPBACK}:${balancerPort}/`,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: 'trusted',
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// Otherwise n8n ends itself when Redis is away for ten seconds, and a service manager starts it again.
		QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: '60000',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	};
}
