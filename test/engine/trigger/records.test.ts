import type { IDataObject } from 'n8n-workflow';

import { usePlatform } from '../../../platform/specs/usePlatform';
import { signedDelivery } from '../../../platform/support/delivery';
import { sendOne } from '../../support/load';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { until } from '../../../platform/support/until';
import { N8nLike, served } from './n8nLike';

const { platform, control, api } = usePlatform();

beforeEach(async () => await control.reset());

const requestsTo = async (start: string) =>
	(await control.requests()).filter(({ target }) => target.startsWith(start)).length;

describe('Get Full Record', () => {
	/** @param meanwhile runs between publishing and the delivery */
	async function delivered(
		payload: object,
		event = 'order.paid',
		meanwhile = async () => {},
		options: IDataObject = {},
	) {
		const n8n = await served(platform, { events: [event], getFullRecord: true, options });
		await n8n.publish();
		const [{ id }] = await control.endpoints();
		const secret = await control.endpointSecret(id);
		await control.resetCounters();
		await meanwhile();
		const sent = signedDelivery({ url: n8n.address, secret, payload, event });
		const { status } = await sendOne(sent);
		return { n8n, sent, status };
	}
	const failing = (status: number) => async () =>
		await control.setFaults([{ method: 'GET', fault: 'status', status }]);
	const orderId = async () => (await api.data<Array<{ id: string }>>('/orders?limit=1'))[0].id;

	it('adds the order that the event is about, with one request, and its amounts with decimals', async () => {
		const id = await orderId();
		const { n8n, sent } = await delivered({ id, total: { amount: 1999, currency: 'EUR' } });
		const decimal = expect.any(Number) as number;
		expect(n8n.executions).toMatchObject([
			{ payload: { total: { decimal: 19.99 } }, record: { id, total: { decimal } } },
		]);
		await sendOne(sent);
		expect(n8n.executions).toHaveLength(1);
		expect(await requestsTo(`/v1/orders/${id}`)).toBe(1);
	});

	it.each([503, 429, 401])(
		'lets the platform send again if it answers %d, and executes nothing without the record',
		async (code) => {
			const id = await orderId();
			const { n8n, status } = await delivered({ id }, undefined, failing(code));
			expect([status, n8n.executions]).toEqual([503, []]);
			expect(n8n.warnings.join()).toContain('the record could not be read: ');
			expect(await requestsTo(`/v1/orders/${id}`)).toBeLessThanOrEqual(1);
		},
	);

	it('executes the repeat of what it had not executed, with its record', async () => {
		const id = await orderId();
		const { n8n, sent, status } = await delivered({ id }, undefined, failing(503));
		expect([status, n8n.executions]).toEqual([503, []]);
		await control.setFaults([]);
		expect((await sendOne(sent)).status).toBe(200);
		expect(n8n.executions).toMatchObject([{ record: { id } }]);
	});

	it('starts without it if the user says so, and tells why', async () => {
		const without = { ifRecordNotRead: 'startWithout' };
		const { n8n } = await delivered({ id: 'ord_1' }, undefined, failing(503), without);
		expect(JSON.stringify(n8n.executions[0].recordError)).toMatch(/503/);
	});

	it.each([
		['an order that was deleted meanwhile', { id: 'ord_gone' }, 'order.paid', 1],
		['a deleted product', { id: 'prod_1' }, 'product.deleted', 0],
		['a stock level, which has no ID', { sku: 'A' }, 'inventory.changed', 0],
	])('starts as it is where there is no record: %s', async (_what, payload, event, requests) => {
		const { n8n, status } = await delivered(payload, event);
		expect(status).toBe(200);
		expect(n8n.executions).toEqual([
			{ event, payload, deliveryId: expect.any(String), timestamp: expect.any(String) },
		]);
		expect((await requestsTo('/v1/orders')) + (await requestsTo('/v1/products'))).toBe(requests);
	});

	it('says why there is none if the payload has no ID, which no repeat would have', async () => {
		const { n8n, status } = await delivered({ order_id: 'ord_1' });
		expect([status, await requestsTo('/v1/orders')]).toEqual([200, 0]);
		const message = 'The payload names no order by its id';
		expect(n8n.executions).toMatchObject([{ recordError: { message } }]);
	});
});

describe('Sample Event', () => {
	const sampling = async (events: string[], otherEvents?: string) =>
		await served(platform, { events, sampleEvent: true, options: { otherEvents } });

	/** The items that are executed at the test address. */
	async function sampled(event: string) {
		const n8n = await sampling([event]);
		const listening = await n8n.listen();
		const sample = await until('the sample', 5_000, async () => n8n.executions.at(0));
		await listening.stop();
		return sample;
	}

	it('sends a genuine order.paid, made from an order of the shop, while the user listens', async () => {
		const { event, payload } = (await sampled('order.paid')) as {
			event: string;
			payload: { id: string };
		};
		expect(event).toBe('order.paid');
		const { id, status, total } = await api.data<Record<string, unknown>>(`/orders/${payload.id}`);
		expect(payload).toMatchObject({ id, status, total });
	});

	it.each(['customer.updated', 'inventory.changed', 'product.deleted'])(
		'sends a genuine %s',
		async (event) => expect(await sampled(event)).toMatchObject({ event }),
	);

	it('says before anything is registered that no sample can be made', async () => {
		const listening = (await sampling([], 'shop.closed')).listen();
		await expect(listening).rejects.toThrow('No sample can be made of “shop.closed”');
		expect(await control.endpoints()).toEqual([]);
	});

	it('follows no redirect: its body is signed for the test address only', async () => {
		const paths = { here: 0, elsewhere: 0 };
		const elsewhere = await loopbackServer((_request, response) => {
			paths.elsewhere++;
			response.end('{}');
		});
		const here = await loopbackServer((_request, response) => {
			paths.here++;
			response.writeHead(307, { location: `http://${elsewhere.address}/steal` }).end();
		});
		const n8n = new N8nLike({
			credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
			webhookBaseUrl: `http://${here.address}/webhook`,
			parameters: { events: ['order.paid'], sampleEvent: true },
		});
		try {
			await n8n.listen();
			await until('two tries', 10_000, async () => paths.here + paths.elsewhere > 1 || undefined);
			expect(paths.elsewhere).toBe(0);
		} finally {
			await Promise.all([here.close(), elsewhere.close()]);
		}
	});

	it('is not sent when the workflow is published', async () => {
		await (await sampling(['order.paid'])).publish();
		expect(await requestsTo('/v1/orders')).toBe(0);
	});
});
