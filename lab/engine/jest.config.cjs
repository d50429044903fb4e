const base = require('../../jest.config.cjs');

const engine = base.projects.find(({ displayName }) => displayName === 'engine');

/** The tries share one shop, so they run one after the other. */
module.exports = {
	...engine,
	displayName: undefined,
	rootDir: `${__dirname}/../..`,
	testMatch: ['<rootDir>/lab/engine/tries/*.test.ts'],
	maxWorkers: 1,
	testTimeout: base.testTimeout,
};
