import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	headers: http.IncomingHttpHeaders;
	/** Exact bytes. */
	body: Buffer;
	socket: number;
}

export interface Receiver {
	url: string;
	received: Received[];
	/** Statuses to answer with, one a delivery; 200 when used up. `0` = never answer. */
	script: number[];
	close(): Promise<void>;
}

/** A webhook receiver that writes down what comes. */
export async function startReceiver(): Promise<Receiver> {
	const sockets: unknown[] = [];
	const receiver: Omit<Receiver, 'url' | 'close'> = { received: [], script: [] };
	const server = http.createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (!sockets.includes(request.socket)) sockets.push(request.socket);
			receiver.received.push({
				headers: request.headers,
				body: Buffer.concat(chunks),
				socket: sockets.indexOf(request.socket),
			});
			const status = receiver.script.shift() ?? 200;
			if (status === 0) return;
			response.statusCode = status;
			response.end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return Object.assign(receiver, {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
}
