import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface Received {
	headers: http.IncomingHttpHeaders;
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
	const server = http.createServer(async (request, response) => {
		const { headers, socket } = request;
		received.push({ headers, body: await buffer(request), port: socket.remotePort });
		const status = script.shift() ?? 200;
		if (status > 0) response.writeHead(status).end();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		script,
		close: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
