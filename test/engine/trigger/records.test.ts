import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { verifyDelivery } from '../../../nodes/CommercePlatformTrigger/delivery/verifyDelivery';
import { startPlatform, type Platform } from '../../platform';
import { send, signedDelivery } from '../../support/delivery';
import { freePort, LOOPBACK } from '../../support/ports';
import { N8nLike } from './n8nLike';

describe('a trigger that reads records', () => {
	let platform: Platform;
	const open: Array<{ close: () => unknown }> = [];
	let count = 0;

	beforeAll(async () => {
		platform = await startPlatform();
	});
	beforeEach(async () => {
		await platform.control.reset();
		await platform.control.setFaults([]);
	});
	afterEach(async () => {
		for (const one of open.splice(0)) await one.close();
	});
	afterAll(async () => await platform.close());

	async function trigger(
		options: object,
		events = ['order.paid'],
		getFullRecord = false,
	): Promise<N8nLike> {
		const port = await freePort();
		const n8n = new N8nLike({
			credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
			webhookId: `records-${++count}`,
			webhookBaseUrl: `http://${LOOPBACK}:${port}/webhook`,
			parameters: { events, getFullRecord, options },
		});
		await n8n.serve(port);
		open.push(n8n);
		return n8n;
	}

	const newestOrder = async () => (await get('/orders?limit=1&sort=updated_at:desc')).data[0];
	async function get(path: string) {
		const headers = { authorization: `Bearer ${platform.apiKey}` };
		const response = await fetch(`${platform.baseUrl}${path}`, { headers });
		return (await response.json()) as { data: Array<{ id: string; total: object }> };
	}
	async function secretOf(address: string): Promise<string> {
		const endpoint = (await platform.control.endpoints()).find(({ url }) => url === address);
		return await platform.control.endpointSecret(endpoint?.id ?? '');
	}
	const requestsTo = async (start: string) =>
		(await platform.control.requests()).filter(({ target }) => target.startsWith(start)).length;

	describe('Get Full Record', () => {
		async function delivered(payload: object, event?: string) {
			const n8n = await trigger({}, [event ?? 'order.paid'], true);
			await n8n.publish();
			const secret = await secretOf(n8n.address);
			const sent = signedDelivery({ url: n8n.address, secret, payload, event });
			return { n8n, sent, status: await send(sent) };
		}

		it('adds the order that the event is about, with one request', async () => {
			const { id } = await newestOrder();
			const { n8n, sent, status } = await delivered({ id });
			expect(status).toBe(200);
			expect(n8n.executions).toEqual([
				expect.objectContaining({ payload: { id }, record: expect.objectContaining({ id }) }),
			]);
			await send(sent);
			expect(n8n.executions).toHaveLength(1);
			expect(await requestsTo(`/v1/orders/${id}`)).toBe(1);
		});

		it.each([
			['an order that is not there', { id: 'ord_gone' }, /404/],
			['a payload without an id', { number: 7 }, /no id/],
		])('executes the delivery all the same: %s', async (_case, payload, reason) => {
			const { n8n, status } = await delivered(payload);
			expect(status).toBe(200);
			expect(n8n.executions).toEqual([expect.objectContaining({ payload })]);
			expect(JSON.stringify(n8n.executions[0].recordError)).toMatch(reason);
		});

		it('asks for nothing where the record is gone', async () => {
			const { n8n } = await delivered({ id: 'prod_1' }, 'product.deleted');
			expect(n8n.executions).toHaveLength(1);
			expect(await requestsTo('/v1/products')).toBe(0);
		});

		it('executes the delivery when the platform answers no request', async () => {
			const n8n = await trigger({}, ['order.paid'], true);
			await n8n.publish();
			await platform.control.setFaults([{ method: 'GET', fault: 'status', status: 503 }]);
			const secret = await secretOf(n8n.address);
			const payload = { id: 'ord_1' };
			expect(await send(signedDelivery({ url: n8n.address, secret, payload }))).toBe(200);
			expect(n8n.executions[0]).toMatchObject({ payload, recordError: { status: 503 } });
		});
	});

	describe('Sample Event', () => {
		/** What comes in at the test address. */
		async function sampled(events: string[]) {
			const bodies: Array<{ body: Buffer; headers: Record<string, unknown> }> = [];
			const server: Server = createServer((request, response) => {
				const chunks: Buffer[] = [];
				request.on('data', (chunk: Buffer) => chunks.push(chunk));
				request.on('end', () => {
					bodies.push({ body: Buffer.concat(chunks), headers: request.headers });
					response.end('{}');
				});
			});
			await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
			open.push({ close: () => server.close() });
			const n8n = new N8nLike({
				credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
				webhookId: `sampled-${++count}`,
				webhookBaseUrl: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/webhook`,
				parameters: { events, options: { sampleEvent: true } },
			});
			const listening = await n8n.listen();
			const secret = await secretOf(listening.address);
			for (let waits = 0; bodies.length === 0 && waits < 100; waits++)
				await new Promise((resolve) => setTimeout(resolve, 20));
			await listening.stop();
			const [{ body, headers }] = bodies;
			return verifyDelivery({
				body,
				headers: headers as Record<string, string>,
				secrets: [secret],
				events,
				repeatsByContent: 'automatic',
				nowMs: Date.now(),
			});
		}

		it('sends a genuine order.paid, made from an order of the shop, while one listens', async () => {
			const verdict = await sampled(['order.paid']);
			expect(verdict).toMatchObject({
				event: 'order.paid',
				payload: { id: expect.any(String) as string },
			});
			const { payload } = verdict as { payload: { id: string; total: object } };
			expect(Object.keys(payload).sort()).toEqual(['id', 'status', 'total']);
			const { data } = (await get(`/orders/${payload.id}`)) as unknown as {
				data: { total: object };
			};
			expect(payload.total).toEqual(data.total);
		});

		it.each([['customer.updated'], ['inventory.changed'], ['product.deleted']])(
			'sends a genuine %s',
			async (event) => {
				expect(await sampled([event])).toMatchObject({ event });
			},
		);

		it('says before anything is registered that no sample can be made', async () => {
			const n8n = await trigger({ sampleEvent: true, otherEvents: 'shop.closed' }, []);
			await expect(n8n.listen()).rejects.toThrow('No sample can be made of “shop.closed”');
			expect(await platform.control.endpoints()).toEqual([]);
		});

		it('is not sent when the workflow is published', async () => {
			const n8n = await trigger({ sampleEvent: true });
			await n8n.publish();
			expect(await requestsTo('/v1/orders')).toBe(0);
		});
	});
});
