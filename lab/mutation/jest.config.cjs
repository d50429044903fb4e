const base = require('../../jest.config.cjs');

const [unit] = base.projects;

/** Runs only the unit tests that MUTATION_TESTS names (patterns below test/unit, one per line). */
module.exports = {
	...unit,
	rootDir: `${__dirname}/../..`,
	// Stryker replaces only this environment with its own.
	testEnvironment: 'node',
	// It has nothing that was loaded once for all files.
	moduleNameMapper: {},
	testMatch: (process.env.MUTATION_TESTS ?? '**')
		.split('\n')
		.map((pattern) => `<rootDir>/test/unit/${pattern}.test.ts`),
	testTimeout: base.testTimeout,
};
