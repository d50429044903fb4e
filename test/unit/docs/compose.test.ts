import { statSync } from 'node:fs';

import { parse } from 'yaml';

import { queueEnvironment, PROCESSORS } from '../../support/environment/queueMode';
import { DURABLE_CURSORS, SANDBOXES_WHEN_NEEDED } from '../../support/environment/testEnvironment';
import { demoFolder, textOf } from '../../support/repository';

const SERVICE = { port: 1, start: async () => undefined, stop: async () => undefined };
/** The environment that the tests of queue mode give n8n, without the ports of this machine. */
const tried = {
	...queueEnvironment(SERVICE, { ...SERVICE, user: 'n8n', database: 'n8n', query: () => [] }, 1),
	...SANDBOXES_WHEN_NEEDED,
	...DURABLE_CURSORS,
};

const { services } = parse(textOf('examples/queue-mode/compose.yaml'), { merge: true }) as {
	services: Record<
		string,
		{ command?: string; environment?: Record<string, string>; ports?: string[] }
	>;
};

/** Variables that differ between a test's machine and a server. */
const OF_THE_MACHINE = /HOST|PORT|PASSWORD|URL/;

describe('the compose file for queue mode', () => {
	it.each(['main', 'worker', 'webhook'])('%s has each variable that the tests set', (name) => {
		const { environment } = services[name];
		for (const [variable, value] of Object.entries(tried)) {
			expect(environment).toHaveProperty(variable);
			if (!OF_THE_MACHINE.test(variable)) expect(environment?.[variable]).toBe(value);
		}
	});

	it('starts the processes that the tests start', () => {
		expect(services.main.command).toBe('start');
		expect(services.worker.command).toBe('worker --concurrency=20');
		const deploy = { replicas: PROCESSORS };
		expect(services.webhook).toMatchObject({ command: 'webhook', deploy });
	});

	it('listens on this machine only', () => {
		const ports = Object.values(services).flatMap((service) => service.ports ?? []);
		expect(ports).toEqual(['127.0.0.1:8080:80']);
	});

	it('is the n8n that the tests run', () => {
		const recipe = textOf('test/e2e/host/package.json');
		const { dependencies } = JSON.parse(recipe) as { dependencies: { n8n: string } };
		expect(services.main).toHaveProperty('image', `docker.n8n.io/n8nio/n8n:${dependencies.n8n}`);
	});
});

it('only this user may look into the folder of the demo, which holds logins and keys', () => {
	expect(statSync(demoFolder()).mode & 0o777).toBe(0o700);
});
