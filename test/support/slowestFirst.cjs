/** Jest's own dependency, found from jest. */
const TestSequencer = require(
	require.resolve('@jest/test-sequencer', {
		paths: [require.resolve('@jest/core', { paths: [require.resolve('jest')] })],
	}),
).default;

/** Files that take five seconds and more: were one begun last, a worker would stand idle meanwhile. */
const SLOWEST = [
	'engine/dialects/operations',
	'engine/dialects/changes',
	'unit/CommercePlatformChangesTrigger/lists',
	'engine/hostile/products',
	'engine/hostile/others',
	'engine/trigger/simulated',
	'engine/transport/faults',
];

const rank = ({ path }) => {
	const place = SLOWEST.findIndex((slow) => path.endsWith(`/test/${slow}.test.ts`));
	return place === -1 ? SLOWEST.length : place;
};

/** Jest's order, which begins with what took longest last time; a fresh clone knows no last time. */
module.exports = class extends TestSequencer {
	async sort(tests) {
		const sorted = await super.sort(tests);
		return [...sorted].sort((one, other) => rank(one) - rank(other));
	}
};
