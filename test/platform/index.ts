import type { FastifyInstance } from 'fastify';
import { apiServer } from './api/server';
import { loadContract } from './api/contract';
import { controlServer } from './control/server';
import { createControlClient } from './control/client';
import { changeSettings, DEFAULT_SETTINGS } from './settings';
import { Running } from './running';
import type { Platform, PlatformOptions } from './options';

export type { Platform, PlatformOptions, ShopSize } from './options';
export type * from './control/types';
export type { Fault, FaultRule } from './faults/types';
export type { DialectChange, Settings, SettingsChange } from './settings';
export { dialectText, type Dialect } from './dialects/dialect';
export { createControlClient } from './control/client';

const HOST = '127.0.0.1';
const FIRST_KEY = 'First key';

/**
 * Starts a platform on loopback. Nothing is persisted.
 *
 * @throws Error with code EADDRINUSE if a port is taken; RangeError for windows that are not whole
 * seconds.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
	const { port = 0, controlPort = 0, validate = true, log = false } = options;
	const running = new Running(settingsOf(options), sizeOf(options));
	const { secret: apiKey } = running.keys.create({ name: FIRST_KEY, secret: options.apiKey });
	const api = apiServer(
		{
			contract: await loadContract(),
			keys: running.keys,
			limiter: running.limiter,
			memory: running.memory,
			faults: running.requestFaults,
			journal: running.journal,
			world: () => running.world,
			validate,
		},
		log,
	);
	let apiUrl = '';
	const control = controlServer(running, () => apiUrl);
	const close = async () => {
		running.close();
		await Promise.all([api.close(), control.close()]);
	};
	try {
		const baseUrl = `${await listen(api, port)}/v1`;
		apiUrl = baseUrl;
		const controlUrl = await listen(control, controlPort);
		return { baseUrl, controlUrl, apiKey, control: createControlClient(controlUrl), close };
	} catch (error) {
		await close();
		throw error;
	}
}

const listen = async (server: FastifyInstance, port: number): Promise<string> =>
	await server.listen({ port, host: HOST });

const settingsOf = (options: PlatformOptions) =>
	changeSettings(DEFAULT_SETTINGS, {
		plan: options.plan,
		minuteBudget: options.minuteBudget,
		dayBudget: options.dayBudget,
		minuteWindowMs: options.minuteWindowMs,
		dayWindowMs: options.dayWindowMs,
		retryDelayFactor: options.retryDelayFactor,
		deliveryTimeoutMs: options.deliveryTimeoutMs,
		dialect: options.dialect,
		inDevelopment: options.inDevelopment,
	});

const sizeOf = ({ products, orders, customers, categories, seed }: PlatformOptions) => ({
	products,
	orders,
	customers,
	categories,
	seed,
});
