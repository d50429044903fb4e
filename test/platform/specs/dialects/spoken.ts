import {
	apiClient,
	type ApiAnswer,
	type ApiClient,
	type ApiRequest,
} from '../../../support/apiClient';
import { startPlatform, type Platform } from '../../index';
import type { DialectChange } from '../../settings';

/** Switches and values as plain text, so that a table of cases can name them. */
export type Switches = Readonly<Record<string, string>>;

/** A small platform whose dialect the tests of a file change. */
export interface Spoken {
	platform: Platform;
	api: ApiClient;
	/** One request in a dialect: the default one with these switches turned. */
	in(dialect: Switches, path: string, request?: ApiRequest): Promise<ApiAnswer>;
	/** The parsed body of the same. */
	json<T = Record<string, unknown>>(
		dialect: Switches,
		path: string,
		request?: ApiRequest,
	): Promise<T>;
}

/** Starts it before the tests of the file that calls this, and ends it after them. */
export function spokenPlatform(): Spoken {
	const spoken = {} as Spoken;
	beforeAll(async () => {
		spoken.platform = await startPlatform({
			products: 30,
			orders: 30,
			customers: 10,
			categories: 4,
		});
		spoken.api = apiClient(spoken.platform);
	});
	beforeEach(async () => await spoken.platform.control.reset());
	afterAll(async () => await spoken.platform.close());
	spoken.in = async (dialect, path, request) => {
		await spoken.platform.control.configure({ dialect: 'default' });
		await spoken.platform.control.configure({ dialect: dialect as DialectChange });
		return await spoken.api.send(path, request);
	};
	spoken.json = async <T>(dialect: Switches, path: string, request?: ApiRequest) =>
		(await spoken.in(dialect, path, request)).json as T;
	return spoken;
}
