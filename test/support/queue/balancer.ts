import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from '../ports';

/** A delivery that a processor answered with 200. */
export interface Passed {
	/** Index of the processor. */
	to: number;
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** A load balancer in front of webhook processors: in turn, nobody is asked for health. */
export interface Balancer {
	url: string;
	/** Called for every delivery that was answered with 200. */
	onPassed: (passed: Passed) => void;
	close(): Promise<void>;
}

/** Starts it; requests go to these ports in turn. A processor that is gone gives the sender a 502. */
export async function startBalancer(ports: number[], port: number): Promise<Balancer> {
	const agent = new Agent({ keepAlive: true });
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		const to = turn++ % ports.length;
		void readAll(incoming).then((body) => {
			const { method, url: path = '/', headers } = incoming;
			const options = { host: LOOPBACK, port: ports[to], method, path, headers, agent };
			const onward = httpRequest(options, (answer) => {
				void readAll(answer).then(
					(text) => {
						outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
						if (answer.statusCode !== 200) return;
						balancer.onPassed({ to, path, headers: headers as Record<string, string>, body });
					},
					() => outgoing.writeHead(502).end(),
				);
			});
			onward.once('error', () => {
				if (!outgoing.headersSent) outgoing.writeHead(502).end();
			});
			// As nginx and others do: a sender that leaves takes its request along.
			outgoing.once('close', () => {
				if (!outgoing.writableFinished) onward.destroy();
			});
			onward.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));
	const balancer: Balancer = {
		url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
		onPassed: () => undefined,
		close: async () => {
			agent.destroy();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return balancer;
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
