const base = require('../../jest.config.cjs');

const [unit] = base.projects;

/** Runs only the tests that MUTATION_TESTS names (patterns below test, one per line). */
module.exports = {
	...unit,
	rootDir: `${__dirname}/../..`,
	testEnvironment: `${__dirname}/environment.cjs`,
	testMatch: (process.env.MUTATION_TESTS ?? 'unit/**')
		.split('\n')
		.map((pattern) => `<rootDir>/test/${pattern}.test.ts`),
	testTimeout: base.testTimeout,
};
