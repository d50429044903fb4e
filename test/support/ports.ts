import getPort from 'get-port';

import { UserError } from './userError';

export const LOOPBACK = '127.0.0.1';

/** A loopback port that was free a moment ago and is not handed out again soon; `first` where that is free. */
export const freePort = async (first?: number): Promise<number> =>
	await getPort({ host: LOOPBACK, port: first });

/**
 * The port to use: the wanted one, which must then be free, or any free one.
 *
 * @param wanted port that the user asked for, or undefined
 * @param purpose what will listen there, for the message
 * @param usual port to take where the user asked for none and it is free
 * @throws UserError when the wanted port is taken
 */
export async function choosePort(
	wanted: number | undefined,
	purpose: string,
	usual?: number,
): Promise<number> {
	const port = await freePort(wanted ?? usual);
	if (wanted === undefined || port === wanted) return port;
	throw new UserError(
		`Port ${wanted}, wanted for ${purpose}, is taken by another program.`,
		'End that program, give another port, or leave the choice of the port out.',
	);
}
