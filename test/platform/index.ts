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
export { createControlClient, type ControlClient } from './control/client';

const HOST = '127.0.0.1';
const FIRST_KEY = 'First key';

/**
 * Starts a platform on loopback. Nothing is persisted.
 *
 * @throws Error with code EADDRINUSE if a port is taken; RangeError for windows that are not whole
 * seconds.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
	const { port = 0, controlPort = 0, apiKey, validate = true, log = false, ...rest } = options;
	const { products, orders, customers, categories, seed, ...settings } = rest;
	const size = { products, orders, customers, categories, seed };
	const running = new Running(changeSettings(DEFAULT_SETTINGS, settings), size);
	const { secret } = running.keys.create({ name: FIRST_KEY, secret: apiKey });
	const api = apiServer(running, await loadContract(), { validate, log });
	let baseUrl = '';
	const control = controlServer(running, () => baseUrl);
	const close = async () => {
		running.close();
		await Promise.all([api.close(), control.close()]);
	};
	try {
		baseUrl = `${await api.listen({ port, host: HOST })}/v1`;
		const controlUrl = await control.listen({ port: controlPort, host: HOST });
		return { baseUrl, controlUrl, apiKey: secret, control: createControlClient(controlUrl), close };
	} catch (error) {
		await close();
		throw error;
	}
}
