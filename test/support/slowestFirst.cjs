/** Jest's own dependency, found from jest. */
const TestSequencer = require(
	require.resolve('@jest/test-sequencer', {
		paths: [require.resolve('@jest/core', { paths: [require.resolve('jest')] })],
	}),
).default;

/** Files that take half a minute and more: were one begun last, a worker would stand idle meanwhile. */
const SLOWEST = [
	'engine/hostile/hostile',
	'engine/dialects/operations',
	'engine/bulk/refusedBatches',
];

const rank = ({ path }) => {
	const at = SLOWEST.findIndex((one) => path.endsWith(`/test/${one}.test.ts`));
	return at === -1 ? SLOWEST.length : at;
};

/** Jest's order, which begins with what took longest last time; a fresh clone knows no last time. */
module.exports = class extends TestSequencer {
	async sort(tests) {
		const sorted = await super.sort(tests);
		return [...sorted].sort((one, other) => rank(one) - rank(other));
	}
};
