/** One project a test level, so that each can run alone: `jest --selectProjects unit`. */
const project = (name) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	testEnvironment: '<rootDir>/test/support/nodeEnvironment.cjs',
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.demo/', '<rootDir>/.mutation/'],
	transform: {
		// Types are checked once, by `npm run typecheck`; here files are only transpiled.
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json' }],
	},
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [project('unit'), project('engine'), project('platform'), project('package')],
	maxWorkers: 2,
	// No test waits long, but shared machines can be ten times slower than usual.
	testTimeout: 60_000,
};
