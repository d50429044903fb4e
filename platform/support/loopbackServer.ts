import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from './ports';

/** A server of a test's own, on any free port unless one is given. */
export async function loopbackServer(answer: RequestListener, port = 0) {
	const server = createServer(answer);
	await once(server.listen(port, LOOPBACK), 'listening');
	return {
		/** Host and port. */
		address: `${LOOPBACK}:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
