import { copyFileSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, afterEach, before, type SuiteContext, type TestContext } from 'node:test';

import {
	startTestEnvironment,
	type QueueEnvironment,
	type TestEnvironment,
	type TestEnvironmentOptions,
} from '../support/environment/testEnvironment';
import { Progress } from '../support/progress';
import { demoFolder } from '../support/repository';

export { EXPRESSION_ENGINE } from '../support/environment/testEnvironment';

type Options = TestEnvironmentOptions | (() => Promise<TestEnvironmentOptions>);

/**
 * Starts the platform and n8n before the tests of the enclosing suite, and stops them after these.
 *
 * @returns the environment; it is empty until then
 */
export function environmentOfSuite(options?: Options): TestEnvironment {
	const environment: Partial<TestEnvironment> = {};
	before(async () => {
		const chosen = typeof options === 'function' ? await options() : options;
		Object.assign(environment, await startTestEnvironment(new Progress(), chosen));
	});
	afterEach((test) => {
		if (hasFailed(test) && environment.n8n) keepLogs(environment.n8n.userFolder, test.name);
	});
	after(async () => await environment.close?.());
	return environment as TestEnvironment;
}

/** What failed tests leave: what n8n logged, and pictures of the browser. */
export const failuresFolder = (): string => {
	const folder = join(demoFolder(), 'failures');
	mkdirSync(folder, { recursive: true });
	return folder;
};

export const hasFailed = (test: TestContext | SuiteContext): boolean =>
	'passed' in test && !test.passed;

/** Keeps what n8n's processes have logged, since their folder goes with the suite. */
function keepLogs(userFolder: string, testName: string): void {
	const name = testName.replace(/[^\w]+/g, '-').slice(0, 60);
	for (const log of globSync(join(userFolder, 'n8n-*.log'))) {
		const file = join(failuresFolder(), `${name}-${basename(log)}`);
		copyFileSync(log, file);
		console.log(`What n8n logged: ${file}`);
	}
}

/** The same in queue mode. */
export const queueOfSuite = (options: TestEnvironmentOptions): QueueEnvironment =>
	environmentOfSuite({ ...options, mode: 'queue' } as TestEnvironmentOptions) as QueueEnvironment;
