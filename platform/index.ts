import { apiServer } from './api/server';
import { loadContract } from './api/contract';
import { controlServer } from './control/server';
import { controlOf, operations } from './control/operations';
import { changeSettings, DEFAULT_SETTINGS } from './settings';
import { Running } from './running';
import type { Platform, PlatformOptions } from './options';

export type { Platform, PlatformOptions } from './options';
export type { RecordKind } from './control/view';
export type { DeliveryRecord } from './deliveries/delivery';
export type { Counters, RecordedRequest } from './api/journal';
export type { FaultRule } from './faults/types';
export type { DialectChange } from './settings';
export type { Control } from './control/operations';

const HOST = '127.0.0.1';
const FIRST_KEY = 'First key';

/**
 * Starts a platform on loopback. Nothing is persisted.
 *
 * @throws Error with code EADDRINUSE if a port is taken; RangeError for windows that are not whole seconds
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
	const { port = 0, controlPort = 0, apiKey, validate = true, ...rest } = options;
	const { products, orders, customers, categories, seed, ...settings } = rest;
	const size = { products, orders, customers, categories, seed };
	const running = new Running(changeSettings(DEFAULT_SETTINGS, settings), size);
	const { secret } = running.keys.create({ name: FIRST_KEY, secret: apiKey });
	const api = apiServer(running, await loadContract(), validate);
	let baseUrl = '';
	const control = operations(running, () => baseUrl);
	const controlApi = controlServer(control);
	const close = async () => {
		running.close();
		await Promise.all([api.close(), controlApi.close()]);
	};
	try {
		baseUrl = `${await api.listen({ port, host: HOST })}/v1`;
		const controlUrl = await controlApi.listen({ port: controlPort, host: HOST });
		return { baseUrl, controlUrl, apiKey: secret, control: controlOf(control), close };
	} catch (error) {
		await close();
		throw error;
	}
}
