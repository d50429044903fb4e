import { apiClient, type ApiClient } from '../../support/apiClient';
import { startPlatform, type Platform, type PlatformOptions } from '../index';

/** A platform for all tests of a file, and a client of its API. Both can be used once the tests run. */
export function usePlatform(options?: PlatformOptions): { platform: Platform; api: ApiClient } {
	const platform = {} as Platform;
	const api = {} as ApiClient;
	beforeAll(async () => {
		Object.assign(platform, await startPlatform(options));
		Object.assign(api, apiClient(platform));
	});
	afterAll(async () => await platform.close());
	return { platform, api };
}
