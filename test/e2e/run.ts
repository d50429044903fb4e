import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

import { findChromium } from './browser/chromium';
import { packPackage, TARBALL_VARIABLE } from '../support/n8n/community-package';
import { ensureHost } from '../support/n8n/host';
import { describeFailure } from '../support/userError';
import { Progress } from '../support/progress';
import { hasQueueServices } from '../support/queue/services';

/** Longest that one suite may take, n8n's start included. */
const SUITE_TIMEOUT_MS = 30 * 60_000;
const FIRST_ARGUMENT = 2;

/** What some suites need of the machine; they are left out, and that is said, where it is missing. */
interface Need {
	suites: RegExp;
	isMet: () => boolean;
	otherwise: string;
}

const NEEDS: Need[] = [
	{
		suites: /^(browser|install)/,
		isMet: () => findChromium() !== undefined,
		otherwise: 'No Chromium found, so the browser suites are left out.',
	},
	{
		suites: /^(trigger[\\/]queue|changes|bulk)/,
		isMet: hasQueueServices,
		otherwise:
			'No Redis and PostgreSQL found, so the suites of queue mode and of the changes trigger are left out.',
	},
];

/** Suites that take minutes each and are run by their names, so that a run of all stays under three quarters of an hour. */
const BY_NAME = /^(agents|install|changes[\\/]queue|browser[\\/](everyOperation|merchant))/;

/** Suites whose path holds one of the words given on the command line; without any, all but those {@link BY_NAME}. */
function suites(): string[] {
	const wanted = process.argv.slice(FIRST_ARGUMENT);
	const unmet = NEEDS.filter(({ isMet }) => !isMet());
	for (const { otherwise } of unmet) console.log(otherwise);
	return globSync('**/*.test.ts', { cwd: __dirname, exclude: ['host/**'] })
		.filter((file) =>
			wanted.length === 0 ? !BY_NAME.test(file) : wanted.some((word) => file.includes(word)),
		)
		.filter((file) => !unmet.some((need) => need.suites.test(file)))
		.sort()
		.map((file) => join(__dirname, file));
}

/** Runs the suites one after the other; gives how many tests passed and failed. */
async function runSuites(files: string[]): Promise<{ passed: number; failed: number }> {
	const count = { passed: 0, failed: 0 };
	const stream = run({
		files,
		concurrency: 1,
		timeout: SUITE_TIMEOUT_MS,
		execArgv: ['--import', 'tsx'],
	});
	stream.on('test:pass', ({ details, skip }) => {
		if (details.type !== 'suite' && skip === undefined) count.passed += 1;
	});
	stream.on('test:fail', ({ details }) => {
		if (failedByItself(details.error)) count.failed += 1;
	});
	const report = stream.compose(new spec());
	for await (const chunk of report) process.stdout.write(chunk as string);
	return count;
}

/** Whether it failed itself, rather than being a suite or file of which some test did. */
const failedByItself = (error: Error): boolean =>
	!('failureType' in error && error.failureType === 'subtestsFailed');

async function main(): Promise<void> {
	try {
		const progress = new Progress();
		await ensureHost(progress);
		const { tarball } = await progress.during('Building and packing this package', packPackage);
		process.env[TARBALL_VARIABLE] = tarball;
		const { passed, failed } = await runSuites(suites());
		console.log(`\n${passed} passed, ${failed} failed`);
		process.exit(failed === 0 && passed > 0 ? 0 : 1);
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		console.log('\n0 passed, 1 failed');
		process.exit(1);
	}
}

void main();
