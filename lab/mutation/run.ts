import type { Stryker as StrykerClass } from '@stryker-mutator/core';

import { RULES, type Rule } from './rules';

type Options = ConstructorParameters<typeof StrykerClass>[0];
type MutantResult = Awaited<ReturnType<StrykerClass['runMutationTest']>>[number];

/** The share of changes to a file that its tests must notice, percent. */
const WANTED = 95;
const FIRST_ARGUMENT = 2;

const NOTICED = new Set(['Killed', 'Timeout']);
const UNNOTICED = new Set(['Survived', 'NoCoverage']);

/** The rules that the command line names, or all. */
function chosenRules(): Rule[] {
	const names = process.argv.slice(FIRST_ARGUMENT);
	const unknown = names.find((name) => !(name in RULES));
	if (unknown !== undefined)
		throw new Error(`There is no rule “${unknown}”. Choose from: ${Object.keys(RULES).join(', ')}`);
	return names.length === 0 ? Object.values(RULES) : names.map((name) => RULES[name]);
}

const options = (rules: Rule[]): Options => ({
	mutate: rules.flatMap(({ files }) => files),
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: { configFile: 'lab/mutation/jest.config.cjs' },
	coverageAnalysis: 'perTest',
	// Stryker copies only what the tests of these rules read.
	ignorePatterns: [
		'/*',
		'!nodes',
		'!credentials',
		'!test',
		'!platform',
		'!lab',
		'test/e2e',
		'!*.json',
		'!jest.config.cjs',
	],
	concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
	reporters: ['clear-text'],
	clearTextReporter: {
		allowColor: false,
		logTests: false,
		reportTests: false,
		reportScoreTable: false,
	},
	tempDirName: '.mutation',
	timeoutMS: 10_000,
	logLevel: 'warn' as Options['logLevel'],
});

/** Prints a file's figures. @returns whether they suffice */
function report(file: string, results: MutantResult[]): boolean {
	const countOf = (statuses: Set<string>) =>
		results.filter((result) => result.fileName.endsWith(file) && statuses.has(result.status))
			.length;
	const noticed = countOf(NOTICED);
	const judged = noticed + countOf(UNNOTICED);
	const share = judged === 0 ? 0 : (noticed / judged) * 100;
	const verdict = share >= WANTED ? '' : `  BELOW ${WANTED} %`;
	console.log(`${file.padEnd(60)} ${noticed} of ${judged}  ${share.toFixed(1)} %${verdict}`);
	return share >= WANTED;
}

async function main(): Promise<void> {
	const rules = chosenRules();
	process.env.MUTATION_TESTS = [...new Set(rules.flatMap(({ tests }) => tests))].join('\n');
	const { Stryker } = await import('@stryker-mutator/core');
	const results = await new Stryker(options(rules)).runMutationTest();
	const files = rules.flatMap((rule) => rule.files);
	const verdicts = files.map((file) => report(file, results));
	process.exitCode = verdicts.every(Boolean) ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
