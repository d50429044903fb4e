const base = require('../../jest.config.cjs');

const [unit] = base.projects;

/** Of the unit tests, those that MUTATION_TESTS names (patterns below test/unit, one a line). */
module.exports = {
	...unit,
	rootDir: `${__dirname}/../..`,
	// Stryker puts its own in the place of this one only.
	testEnvironment: 'node',
	testMatch: (process.env.MUTATION_TESTS ?? '**')
		.split('\n')
		.map((pattern) => `<rootDir>/test/unit/${pattern}.test.ts`),
	testTimeout: base.testTimeout,
};
