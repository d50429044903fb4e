import getPort from 'get-port';

export const LOOPBACK = '127.0.0.1';

/** A loopback port that was free a moment ago and is not handed out again soon; `first` where that is free. */
export const freePort = async (first?: number): Promise<number> =>
	await getPort({ host: LOOPBACK, port: first });
