import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packPackage, TARBALL_VARIABLE } from '../../test/support/n8n/community-package';
import { ExecutionCounts } from '../../test/support/n8n/executionCounts';
import { startTestEnvironment } from '../../test/support/environment/testEnvironment';
import { Progress } from '../../test/support/progress';
import { REPOSITORY, textOf } from '../../test/support/repository';
import { describeFailure } from '../../test/support/userError';
import { FLOOR, tryFloor } from './floor';
import type { TrialContext } from './repeats';
import { COMPATIBILITY_FILE, matrixTable, withMatrix, type Outcome } from './table';
import { TRIALS } from './trials';
import { VERSIONS, hostOf } from './versions';

/** Git-ignored. It keeps the outcomes, so that one version can be tried again without the others. */
const OUTCOMES = '.demo/matrix.json';
const FIRST_ARGUMENT = 2;
const SHOP = { products: 40, orders: 40, customers: 10, categories: 3 };

/** Tries everything in one version. */
async function tryVersion(version: string, progress: Progress): Promise<Outcome> {
	const host = await hostOf(version, progress);
	const environment = await startTestEnvironment(progress, {
		host,
		platform: { ...SHOP, inDevelopment: { batch: true } },
	});
	const context: TrialContext = { environment, counts: new ExecutionCounts(environment.n8n) };
	const kept: Outcome['kept'] = {};
	try {
		for (const [promise, trial] of Object.entries(TRIALS)) {
			kept[promise] = await trial(context).then(
				(figure) => ({ kept: true, text: figure ?? '' }),
				(error: Error) => ({ kept: false, text: error.message }),
			);
			const { kept: yes, text } = kept[promise];
			progress.say(`${version}  ${yes ? '✔' : '✖'} ${promise}${text === '' ? '' : `: ${text}`}`);
		}
	} finally {
		await environment.close();
	}
	const { failedReads } = environment.client;
	for (const answer of failedReads) progress.detail(answer);
	const date = new Date().toISOString().slice(0, 10);
	return { date, node: process.version, kept, failedReads: failedReads.length };
}

const notKept = ({ kept }: Outcome): number =>
	Object.values(kept).filter((one) => !one.kept).length;

const savedOutcomes = (): Record<string, Outcome> =>
	existsSync(join(REPOSITORY, OUTCOMES))
		? (JSON.parse(textOf(OUTCOMES)) as Record<string, Outcome>)
		: {};

/** Writes the table into its page if all versions have been tried; otherwise the table would lose columns. */
function writePage(table: string): void {
	const missing = VERSIONS.filter((version) => !(version in savedOutcomes()));
	if (missing.length > 0) {
		console.log(`${COMPATIBILITY_FILE} is as it was: ${missing.join(', ')} not tried here yet.`);
		return;
	}
	const page = withMatrix(textOf(COMPATIBILITY_FILE), table);
	writeFileSync(join(REPOSITORY, COMPATIBILITY_FILE), page);
}

/**
 * `npm run test:matrix`: all versions. `npm run test:matrix -- 2.8.4`: some. `-- floor`: only how the oldest n8n reads
 * the nodes. Writes the table anew if all versions have been tried, today or before.
 */
async function main(): Promise<void> {
	const progress = new Progress();
	const chosen = process.argv.slice(FIRST_ARGUMENT);
	const versions = chosen.length > 0 ? chosen.filter((word) => word !== FLOOR) : VERSIONS;
	const tarball = await packPackage();
	process.env[TARBALL_VARIABLE] = tarball;
	let failed = 0;
	if (chosen.length === 0 || chosen.includes(FLOOR)) await tryFloor(tarball, progress);
	for (const version of versions) {
		const outcome = await tryVersion(version, progress).catch((error: unknown) => {
			progress.say(`${version} could not be tried: ${describeFailure(error)}`);
			return undefined;
		});
		failed += outcome === undefined ? 1 : notKept(outcome);
		if (outcome === undefined) continue;
		const outcomes = JSON.stringify({ ...savedOutcomes(), [version]: outcome }, null, 2);
		writeFileSync(join(REPOSITORY, OUTCOMES), outcomes);
	}
	if (versions.length > 0) {
		const table = matrixTable(savedOutcomes());
		console.log(`\n${table}\n\n${failed} promises not kept`);
		writePage(table);
	}
	process.exit(failed === 0 ? 0 : 1);
}

main().catch((error: unknown) => {
	console.error(`\n${describeFailure(error)}`);
	process.exit(1);
});
