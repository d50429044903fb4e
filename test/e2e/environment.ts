import { after, before } from 'node:test';

import {
	startTestEnvironment,
	type QueueEnvironment,
	type TestEnvironment,
	type TestEnvironmentOptions,
} from '../support/environment/testEnvironment';
import { Progress } from '../support/progress';

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
	after(async () => await environment.close?.());
	return environment as TestEnvironment;
}

/** The same in queue mode. */
export const queueOfSuite = (options: TestEnvironmentOptions): QueueEnvironment =>
	environmentOfSuite({ ...options, mode: 'queue' } as TestEnvironmentOptions) as QueueEnvironment;
