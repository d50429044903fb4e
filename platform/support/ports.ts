import getPort from 'get-port';

export const LOOPBACK = '127.0.0.1';

/**
 * A loopback port that was free a moment ago; `first` if that one is free. The same port is not returned again soon.
 */
export const freePort = async (first?: number): Promise<number> =>
	await getPort({ host: LOOPBACK, port: first });
