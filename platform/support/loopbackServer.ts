import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from './ports';

/** A test's own server, on `port` or on any free one. */
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
