/** Jest's own dependency, found from jest. */
const { TestEnvironment } = require(
	require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }),
);

/**
 * Node, with timers that keep no process alive once the tests of a file have ended. What the nodes have begun leaves
 * a timer behind for up to a second, since shipped code must not clear timers; jest waits half a second for its
 * workers, and then says that a test leaks.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		const { setTimeout, clearTimeout } = this.global;
		this.timers = new Set();
		const set = (callback, ms, ...args) => {
			const timer = setTimeout(
				(...given) => {
					this.timers.delete(timer);
					callback(...given);
				},
				ms,
				...args,
			);
			this.timers.add(timer);
			return timer;
		};
		const clear = (timer) => {
			this.timers.delete(timer);
			clearTimeout(timer);
		};
		this.global.setTimeout = like(setTimeout, set);
		this.global.clearTimeout = like(clearTimeout, clear);
	}

	async teardown() {
		for (const timer of this.timers) timer.unref();
		await super.teardown();
	}
};

/** With all that hangs on the original, e.g. how it is made a promise. */
function like(original, replacement) {
	return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}
