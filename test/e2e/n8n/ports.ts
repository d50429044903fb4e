import { createServer } from 'node:net';

import { Obstacle } from '../obstacle';

export const LOOPBACK = '127.0.0.1';

/** Whether nothing listens on this loopback port. */
export async function isFree(port: number): Promise<boolean> {
	return (await listenOnce(port)) !== undefined;
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
	const port = await listenOnce(0);
	if (port === undefined) {
		throw new Obstacle(
			'No free port could be found on 127.0.0.1.',
			'Close programs that hold many ports, or allow listening on the loopback address.',
		);
	}
	return port;
}

/**
 * The port to use: the wanted one, which must then be free, or any free one.
 *
 * @param wanted port that the user asked for, or undefined
 * @param purpose what will listen there, for the message
 * @throws Obstacle when the wanted port is taken
 */
export async function choosePort(wanted: number | undefined, purpose: string): Promise<number> {
	if (wanted === undefined) return await freePort();
	if (await isFree(wanted)) return wanted;
	throw new Obstacle(
		`Port ${wanted}, wanted for ${purpose}, is taken by another program.`,
		'End that program, give another port, or leave the choice of the port out.',
	);
}

async function listenOnce(port: number): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			const bound = typeof address === 'object' ? address?.port : undefined;
			server.close(() => resolve(bound));
		});
	});
}
