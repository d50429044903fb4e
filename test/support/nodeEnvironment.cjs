const http = require('node:http');
const https = require('node:https');
const nodeTimers = require('node:timers');

/** A dependency of jest, resolved from jest. */
const { TestEnvironment } = require(
	require.resolve('jest-environment-node', { paths: [require.resolve('jest')] }),
);

/** Copies the original's properties to its replacement, e.g. how it is promisified. */
const like = (original, replacement) =>
	Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));

/**
 * Replaces the timers of these globals by ones that can be released after the tests of a file, so that they keep no
 * process alive. The nodes leave timers behind, since shipped code must not clear timers; jest waits for its workers, and
 * then says that a test leaks.
 *
 * A wait of 0 ms ends on the next turn of the event loop. In node it takes a millisecond, and n8n and nock have several
 * for each item and request.
 *
 * @returns releases the timers
 */
function followTimers(global) {
	const { setTimeout, clearTimeout } = global;
	const timers = new Set();
	let areTestsOver = false;
	const set = (callback, ms, ...args) => {
		if (!(ms > 0)) return setImmediate(callback, ...args);
		const timer = setTimeout(
			(...given) => {
				timers.delete(timer);
				callback(...given);
			},
			ms,
			...args,
		);
		timers.add(timer);
		// Work that continues after the tests, such as a wait between two attempts, may start further timers.
		if (areTestsOver) timer.unref();
		return timer;
	};
	const clear = (timer) => {
		timers.delete(timer);
		clearImmediate(timer);
		clearTimeout(timer);
	};
	const own = nodeTimers.setTimeout;
	global.setTimeout = nodeTimers.setTimeout = like(setTimeout, set);
	global.clearTimeout = like(clearTimeout, clear);
	return () => {
		nodeTimers.setTimeout = own;
		areTestsOver = true;
		timers.forEach((timer) => timer.unref());
	};
}

/** All files of a worker share Node's own modules. */
const MODULES = [http, https].map((own) => [own, { ...own }]);

/** If nock stayed active after a file, it would answer the requests of later files, or let them hang. */
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
