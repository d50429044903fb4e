import { existsSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

import { findChromium } from './browser/chromium';
import { packPackage, TARBALL_VARIABLE } from '../support/n8n/community-package';
import { ensureHost, type N8nHost } from '../support/n8n/host';
import { N8nProcess } from '../support/n8n/n8n-process';
import { describeFailure } from '../support/userError';
import { Progress } from '../support/progress';
import { hasQueueServices } from '../support/queue/services';

/** The longest time for one suite, including n8n's start. */
const SUITE_TIMEOUT_MS = 30 * 60_000;
const FIRST_ARGUMENT = 2;

/** What some suites need on this machine. If it is missing, they are left out, with a message. */
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
		suites: /^(trigger[\\/]queue|changes|bulk|operating[\\/]queue)/,
		isMet: hasQueueServices,
		otherwise:
			'No Redis and PostgreSQL found, so the suites of queue mode and of the changes trigger are left out.',
	},
];

/** Suites that take minutes each; they run only by name. */
const BY_NAME =
	/^(agents|install|operating|changes[\\/]queue|browser[\\/](everyOperation|exports|firstMonth|merchant))/;

/** Suites that run at once. They mostly wait, for n8n to start or for the next poll. */
const AT_ONCE = Number(process.env.COMMERCE_PLATFORM_SUITES_AT_ONCE ?? 4);

/** The longest begin first, so that none runs alone at the end. */
const LONGEST = [
	/^trigger[\\/]stories/,
	/^changes[\\/]noLostOrders/,
	/^trigger[\\/]queue/,
	/^changes/,
	/^browser[\\/]editor/,
	/^trigger/,
	/^bulk/,
	/^suites[\\/]oneN8n/,
	/^suites[\\/]spreadsheets/,
];

/** Only installs n8n, so that the installation can run beside other work. */
const INSTALL_ONLY = '--install-only';

/** Suites whose path contains a word of the command line; without words, all but those in {@link BY_NAME}. */
function suites(): string[] {
	const wanted = process.argv.slice(FIRST_ARGUMENT);
	const unmet = NEEDS.filter(({ isMet }) => !isMet());
	for (const { otherwise } of unmet) console.log(otherwise);
	return globSync('**/*.test.ts', { cwd: __dirname, exclude: ['host/**'] })
		.filter((file) =>
			wanted.length === 0 ? !BY_NAME.test(file) : wanted.some((word) => file.includes(word)),
		)
		.filter((file) => !unmet.some((need) => need.suites.test(file)))
		.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
		.map((file) => join(__dirname, file));
}

function rank(file: string): number {
	const at = LONGEST.findIndex((suite) => suite.test(file));
	return at < 0 ? LONGEST.length : at;
}

/** Runs the suites. @returns how many tests passed and failed */
async function runSuites(files: string[]): Promise<{ passed: number; failed: number }> {
	const count = { passed: 0, failed: 0 };
	const stream = run({
		files,
		concurrency: AT_ONCE,
		timeout: SUITE_TIMEOUT_MS,
		execArgv: ['--import', 'tsx'],
	});
	stream.on('test:pass', ({ details, skip }) => {
		if (details.type !== 'suite' && skip === undefined) count.passed += 1;
	});
	stream.on('test:fail', ({ details }) => {
		if (failedByItself(details.error)) count.failed += 1;
	});
	const seconds: string[] = [];
	stream.on('test:summary', ({ file, duration_ms }) => {
		if (file !== undefined)
			seconds.push(
				`${(duration_ms / 1000).toFixed(0).padStart(5)} s  ${relative(__dirname, file)}`,
			);
	});
	const report = stream.compose(new spec());
	for await (const chunk of report) process.stdout.write(chunk as string);
	console.log(`\n${seconds.join('\n')}`);
	return count;
}

/** Whether the test itself failed: a suite or file also fails if one of its tests does. */
const failedByItself = (error: Error): boolean =>
	!('failureType' in error && error.failureType === 'subtestsFailed');

/**
 * Lets every n8n read its compiled code from a folder beside it, so that a start takes a third less processor time. Node
 * writes it when a process ends in good order.
 */
async function useCompiled(host: N8nHost, progress: Progress): Promise<void> {
	const folder = join(host.folder, 'compiled');
	process.env.NODE_COMPILE_CACHE = folder;
	if (existsSync(folder)) return;
	await progress.during('Compiling n8n (once)', async () => {
		const n8n = await N8nProcess.start({ host });
		await n8n.stop();
	});
}

async function main(): Promise<void> {
	try {
		const progress = new Progress();
		await useCompiled(await ensureHost(progress), progress);
		if (process.argv.includes(INSTALL_ONLY)) process.exit(0);
		process.env[TARBALL_VARIABLE] = await progress.during('Packing this package', packPackage);
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
