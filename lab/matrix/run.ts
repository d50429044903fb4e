import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { table, withPart } from '../../platform/support/markdown';
import { packPackage, TARBALL_VARIABLE } from '../../test/support/n8n/community-package';
import { ExecutionCounts } from '../../test/support/n8n/executionCounts';
import { startTestEnvironment } from '../../test/support/environment/testEnvironment';
import { Progress } from '../../test/support/progress';
import { REPOSITORY, textOf } from '../../test/support/repository';
import { describeFailure } from '../../test/support/userError';
import { FLOOR, tryFloor } from './floor';
import { TRIALS, type TrialContext } from './trials';
import { VERSIONS, hostOf } from './versions';

/** Git-ignored. It keeps the outcomes, so that one version can be tried again without the others. */
const OUTCOMES = '.demo/matrix.json';
/** The page with the table, from the root of the repository. */
const PAGE = 'docs/compatibility.md';
const FAILED_READS = 'Reads from n8n itself that it answered with a 5xx, asked again';
const FIRST_ARGUMENT = 2;
const SHOP = { products: 40, orders: 40, customers: 10, categories: 3 };

/** The outcome of the trials in one version of n8n. */
interface Outcome {
	/** ISO 8601, the day. */
	date: string;
	kept: Record<string, { kept: boolean; text: string }>;
	/** How often n8n answered a read by its editor with a 5xx and was asked again. */
	failedReads: number;
}

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
	return { date, kept, failedReads: failedReads.length };
}

const notKept = ({ kept }: Outcome): number =>
	Object.values(kept).filter((one) => !one.kept).length;

const savedOutcomes = (): Record<string, Outcome> =>
	existsSync(join(REPOSITORY, OUTCOMES))
		? (JSON.parse(textOf(OUTCOMES)) as Record<string, Outcome>)
		: {};

/** The table of versions and promises, in Markdown. Versions without an outcome are left out. */
function matrixTable(outcomes: Record<string, Outcome>): string {
	const versions = VERSIONS.filter((version) => version in outcomes);
	const cell = (promise: string, version: string) => {
		const { kept, text } = outcomes[version].kept[promise] ?? { kept: false, text: 'not tried' };
		return kept ? text || 'yes' : '**no**';
	};
	const rows = Object.keys(TRIALS).map((promise) => [
		promise,
		...versions.map((version) => cell(promise, version)),
	]);
	rows.push([FAILED_READS, ...versions.map((version) => String(outcomes[version].failedReads))]);
	rows.push(['Tried on', ...versions.map((version) => outcomes[version].date)]);
	return table(['Promise', ...versions], rows);
}

/** Writes the table into its page if all versions have been tried; otherwise the table would lose columns. */
function writePage(matrix: string): void {
	const missing = VERSIONS.filter((version) => !(version in savedOutcomes()));
	if (missing.length > 0)
		return console.log(`${PAGE} is as it was: ${missing.join(', ')} not tried here yet.`);
	const page = withPart(textOf(PAGE), 'matrix', matrix, 'npm run test:matrix');
	writeFileSync(join(REPOSITORY, PAGE), page);
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
		const matrix = matrixTable(savedOutcomes());
		console.log(`\n${matrix}\n\n${failed} promises not kept`);
		writePage(matrix);
	}
	process.exit(failed === 0 ? 0 : 1);
}

main().catch((error: unknown) => {
	console.error(`\n${describeFailure(error)}`);
	process.exit(1);
});
