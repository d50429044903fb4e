/** A dependency of jest, resolved from jest. */
const TestSequencer = require(
	require.resolve('@jest/test-sequencer', {
		paths: [require.resolve('@jest/core', { paths: [require.resolve('jest')] })],
	}),
).default;

/** Files that take five seconds and more. If one began last, the other workers would wait for it. */
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

/** Jest's order begins with the files that took longest last time; a fresh clone has no last time. */
module.exports = class extends TestSequencer {
	async sort(tests) {
		const sorted = await super.sort(tests);
		return [...sorted].sort((one, other) => rank(one) - rank(other));
	}
};
