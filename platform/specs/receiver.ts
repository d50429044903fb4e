import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { loopbackServer } from '../support/loopbackServer';

export interface Received {
	headers: IncomingHttpHeaders;
	/** Exact bytes. */
	body: Buffer;
	/** The sender's port: another one for each connection. */
	port?: number;
}

/** A webhook receiver that writes down what comes. */
export async function startReceiver() {
	const received: Received[] = [];
	/** Statuses to answer with, one a delivery; 200 when used up. `0` = never answer. */
	const script: number[] = [];
	const server = await loopbackServer(async (request, response) => {
		const { headers, socket } = request;
		received.push({ headers, body: await buffer(request), port: socket.remotePort });
		const status = script.shift() ?? 200;
		if (status > 0) response.writeHead(status).end();
	});
	return {
		url: `http://${server.address}/hook`,
		received,
		script,
		close: server.close,
	};
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
