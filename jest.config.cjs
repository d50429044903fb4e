/** One project a test level, so that each can run alone: `jest --selectProjects unit`. */
const project = (name, options = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	testEnvironment: '<rootDir>/test/support/nodeEnvironment.cjs',
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.demo/', '<rootDir>/.mutation/'],
	transform: {
		// Types are checked once, by `npm run typecheck`; here files are only transpiled.
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json' }],
	},
	...options,
});

/** n8n's engine takes more than a second to load: each worker does so once, not for every file anew. */
const loadedOnce = {
	testEnvironment: '<rootDir>/test/support/engineEnvironment.cjs',
	moduleNameMapper: { '^(n8n-core|n8n-workflow)$': '<rootDir>/test/support/loadedOnce/$1.cjs' },
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit'),
		project('engine', loadedOnce),
		project('platform'),
		project('package'),
	],
	maxWorkers: 2,
	// No test waits long, but shared machines can be ten times slower than usual.
	testTimeout: 60_000,
};
