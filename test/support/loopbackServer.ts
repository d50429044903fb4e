import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from './ports';

/** A server of a test's own, on a port that was free. */
export async function loopbackServer(answer: RequestListener) {
	const server = createServer(answer);
	await once(server.listen(0, LOOPBACK), 'listening');
	return {
		/** Host and port. */
		address: `${LOOPBACK}:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
