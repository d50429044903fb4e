import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { LOOPBACK } from '../../../platform/support/ports';

/** A delivery that the trigger at a processor answered with 200. */
export interface Passed {
	/** Index of the processor. */
	to: number;
	path: string;
	headers: Record<string, string>;
	body: Buffer;
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/**
 * A load balancer in front of webhook processors. It sends requests to these ports in turn. For a processor that is down
 * or still starting, the sender gets a 502: the text with which n8n answers 200 meanwhile is what a readiness check is for.
 */
export async function startBalancer(ports: number[], port: number) {
	const agent = new Agent({ keepAlive: true });
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		const to = turn++ % ports.length;
		void buffer(incoming).then((body) => {
			const { method, url: path = '/', headers } = incoming;
			const options = { host: LOOPBACK, port: ports[to], method, path, headers, agent };
			const onward = httpRequest(options, (answer) => {
				void buffer(answer).then(
					(text) => {
						const isReady = (answer.headers['content-type'] ?? '').includes('json');
						if (!isReady) {
							outgoing.writeHead(502).end();
							return;
						}
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
			// As nginx and others do: if the sender disconnects, its request to the processor ends too.
			outgoing.once('close', () => {
				if (!outgoing.writableFinished) onward.destroy();
			});
			onward.end(body);
		});
	});
	await once(server.listen(port, LOOPBACK), 'listening');
	const balancer = {
		url: `http://${LOOPBACK}:${port}`,
		/** Called for every delivery that the trigger answered with 200. */
		onPassed: (_passed: Passed): void => undefined,
		close: async () => {
			agent.destroy();
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
	return balancer;
}
