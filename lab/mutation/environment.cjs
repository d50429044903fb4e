const { mixinJestEnvironment } = require('@stryker-mutator/jest-runner');

/** The environment of the tests, in which Stryker says which change counts. What takes long to load is loaded once. */
module.exports = mixinJestEnvironment(require('../../test/support/sharedEnvironment.cjs'));
