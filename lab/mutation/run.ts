import type { Stryker as StrykerClass } from '@stryker-mutator/core';

import { RULES, type Rule } from './rules';

type Options = ConstructorParameters<typeof StrykerClass>[0];

/** The share of changes to a rule that its tests must notice, percent. */
const WANTED = 95;
const FIRST_ARGUMENT = 2;

/** The rules that the command line names, or all. */
function chosenRules(): Rule[] {
	const names = process.argv.slice(FIRST_ARGUMENT);
	const unknown = names.find((name) => !(name in RULES));
	if (unknown !== undefined)
		throw new Error(`There is no rule “${unknown}”. Choose from: ${Object.keys(RULES).join(', ')}`);
	return names.length === 0 ? Object.values(RULES) : names.map((name) => RULES[name]);
}

const options = ({ files }: Rule): Options => ({
	mutate: files,
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
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: WANTED, low: WANTED, break: WANTED },
	tempDirName: '.mutation',
	timeoutMS: 10_000,
	logLevel: 'warn' as Options['logLevel'],
});

/** Each rule with its own tests; Stryker lets the process fail if they notice too little. */
async function main(): Promise<void> {
	const { Stryker } = await import('@stryker-mutator/core');
	for (const rule of chosenRules()) {
		const { tests, engine = [] } = rule;
		process.env.MUTATION_TESTS = [
			...tests.map((pattern) => `unit/${pattern}`),
			...engine.map((pattern) => `engine/${pattern}`),
		].join('\n');
		await new Stryker(options(rule)).runMutationTest();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
