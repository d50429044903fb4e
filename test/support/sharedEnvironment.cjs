const vm = require('node:vm');

const { followTimers, giveBackRequests, TestEnvironment } = require('./nodeEnvironment.cjs');

const { compileFunction } = vm;
const contexts = new WeakSet();

/** What this worker has compiled, by the code. Each call of such a function makes a module of its own. */
const compiled = new Map();

/**
 * Jest compiles a file's modules anew for each test file, for the context of its environment. Here they run in node's
 * own, so a worker compiles a text once, and what it has optimized stays optimized. A module that imports others when
 * it runs is bound to its test file.
 */
vm.compileFunction = (code, parameters, options = {}) => {
	const { parsingContext, ...others } = options;
	if (!contexts.has(parsingContext)) return compileFunction(code, parameters, options);
	if (/\bimport\(/.test(code)) return compileFunction(code, parameters, others);
	const key = `${others.filename}\n${code}`;
	if (!compiled.has(key)) compiled.set(key, compileFunction(code, parameters, others));
	return compiled.get(key);
};

/**
 * Uses Node's own globals instead of a copy for each file, as n8n does. Each of jest's workers can then load n8n's
 * engine once (`loadedOnce/`), which takes more than a second. After a file, globals and environment variables are
 * restored.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		contexts.add(this.context);
		this.globals = Object.getOwnPropertyDescriptors(globalThis);
		this.variables = { ...process.env };
		this.exit = process.exit;
		this.global = globalThis;
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
		this.fakeTimersModern = new this.fakeTimersModern.constructor({
			config: config.projectConfig,
			global: globalThis,
		});
		this.letTimersGo = followTimers(globalThis);
		globalThis[Symbol.for('loaded once')] = require;
	}

	async teardown() {
		this.letTimersGo();
		giveBackRequests();
		await super.teardown();
		for (const key of Reflect.ownKeys(globalThis))
			if (!(key in this.globals)) Reflect.deleteProperty(globalThis, key);
		for (const key of Reflect.ownKeys(this.globals))
			if (this.globals[key].configurable) Object.defineProperty(globalThis, key, this.globals[key]);
		for (const name of Object.keys(process.env))
			if (!(name in this.variables)) delete process.env[name];
		Object.assign(process.env, this.variables);
		process.exit = this.exit;
	}
};
