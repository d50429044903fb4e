const http = require('node:http');
const https = require('node:https');

/** Jest's own dependency, found from jest. */
const { TestEnvironment } = require(
	require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }),
);

/** With all that hangs on the original, e.g. how it is made a promise. */
const like = (original, replacement) =>
	Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));

/**
 * Gives these globals timers that can be let go once the tests of a file have ended, so that they keep no process
 * alive. What the nodes have begun leaves a timer behind for up to a second, since shipped code must not clear
 * timers; jest waits half a second for its workers, and then says that a test leaks.
 * @returns Lets go of the timers.
 */
function followTimers(global) {
	const { setTimeout, clearTimeout } = global;
	const timers = new Set();
	let areTestsOver = false;
	const set = (callback, ms, ...args) => {
		const timer = setTimeout(
			(...given) => {
				timers.delete(timer);
				callback(...given);
			},
			ms,
			...args,
		);
		timers.add(timer);
		// What goes on after the tests, as a wait between two attempts, may begin a further one.
		if (areTestsOver) timer.unref();
		return timer;
	};
	const clear = (timer) => {
		timers.delete(timer);
		clearTimeout(timer);
	};
	global.setTimeout = like(setTimeout, set);
	global.clearTimeout = like(clearTimeout, clear);
	return () => {
		areTestsOver = true;
		timers.forEach((timer) => timer.unref());
	};
}

/** Node's own modules are the same for all files of a worker. */
const MODULES = [http, https].map((own) => [own, { ...own }]);

/** A file whose nock stayed in the place of Node's requests would have those of the next files answered, or hang. */
function giveBackRequests() {
	for (const [own, original] of MODULES) {
		for (const name of ['ClientRequest', 'get', 'request'])
			if (name in original) own[name] = original[name];
	}
}

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.letTimersGo = followTimers(this.global);
	}

	async teardown() {
		this.letTimersGo();
		giveBackRequests();
		await super.teardown();
	}
};
module.exports.followTimers = followTimers;
module.exports.giveBackRequests = giveBackRequests;
module.exports.TestEnvironment = TestEnvironment;
