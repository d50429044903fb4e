/** One project a test level, so that each can run alone: `jest --selectProjects unit`. */
const project = (name, options = {}, folder = `test/${name}`) => ({
	displayName: name,
	rootDir: __dirname,
	testMatch: [`<rootDir>/${folder}/**/*.test.ts`],
	testEnvironment: '<rootDir>/test/support/nodeEnvironment.cjs',
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/.demo/',
		'<rootDir>/.engine/',
		'<rootDir>/.mutation/',
	],
	transform: {
		// Types are checked once, by `npm run typecheck`; here files are only transpiled.
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json' }],
	},
	...options,
});

/** What takes long to load: each worker loads it once, not anew for every file. */
const LOADED_ONCE = [
	'n8n-core',
	'n8n-workflow',
	'fastify',
	'openapi-backend',
	'@faker-js/faker/locale/(?:de|en)',
	'fast-check',
	'yaml',
];

const loadedOnce = {
	testEnvironment: '<rootDir>/test/support/sharedEnvironment.cjs',
	moduleNameMapper: {
		[`^(${LOADED_ONCE.join('|')})$`]: '<rootDir>/test/support/loadedOnce/$1.cjs',
	},
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit', loadedOnce),
		project('engine', loadedOnce),
		project('platform', loadedOnce, 'platform'),
		project('package'),
	],
	testSequencer: '<rootDir>/test/support/slowestFirst.cjs',
	maxWorkers: 2,
	// No test waits long, but shared machines can be ten times slower than usual.
	testTimeout: 60_000,
	// A worker has nothing open at its end, but to free its memory takes longer than jest's half second on a busy machine.
	workerGracefulExitTimeout: 20_000,
};
