import { apiClient, type ApiClient } from '../support/apiClient';
import { startPlatform, type Control, type Platform, type PlatformOptions } from '../index';

/** What a request says beside its path, by its method. */
export const asks = (method: string) => (body?: unknown, headers?: Record<string, string>) => ({
	method,
	body,
	headers,
});
export const [post, put, patch, remove] = ['POST', 'PUT', 'PATCH', 'DELETE'].map(asks);

type Used = { platform: Platform; control: Control; api: ApiClient };

/**
 * A platform for all tests of a file, with clients of its two APIs. All can be used once the tests run. In the end,
 * none of its answers may have strayed from openapi.yaml.
 */
export function usePlatform(options?: PlatformOptions): Used {
	const used = { platform: {}, control: {}, api: {} } as Used;
	beforeAll(async () => {
		Object.assign(used.platform, await startPlatform(options));
		Object.assign(used.control, used.platform.control);
		Object.assign(used.api, apiClient(used.platform));
	});
	afterAll(async () => {
		const { violations } = await used.control.counters();
		await used.platform.close();
		expect(violations).toEqual([]);
	});
	return used;
}
