import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { runOperation } from '../../support/engine/runNode';

/** Two shops. Each shop fails at every write, so nobody knows whether it was applied. */
const shops: Server[] = [];
beforeEach(async () => {
	for (let n = 0; n < 2; n++) {
		const shop = createServer((_request, response) => response.writeHead(500).end('{}'));
		shops.push(shop);
		await once(shop.listen(0, '127.0.0.1'), 'listening');
	}
});
afterEach(() => shops.splice(0).forEach((shop) => shop.close()));

it('names each item of several merchants once whose write may have been applied', async () => {
	const [north, south] = shops.map((shop) => (shop.address() as AddressInfo).port);
	const { error } = await runOperation(
		'order.update',
		{
			orderId: { __rl: true, mode: 'id', value: 'ord_1' },
			updateFields: { merchant_note: 'x' },
			requestOptions: { maxRetryWait: 0 },
		},
		{
			items: [north, south].map((port) => ({ port })),
			credentials: {
				baseUrl: '={{ "http://127.0.0.1:" + $json.port + "/v1" }}',
				apiKey: '={{ "cpk_test_" + $json.port }}',
			},
		},
	);
	expect(error?.description).toContain('Item 1 may have been done as well: its answer was lost.');
});
