import { verifyDelivery } from '../../../nodes/CommercePlatformTrigger/delivery/verifyDelivery';
import { startReceiver } from '../../platform/specs/receiver';
import { usePlatform } from '../../platform/specs/usePlatform';
import { signedDelivery } from '../../support/delivery';
import { sendOne } from '../../support/load';
import { freePort, LOOPBACK } from '../../support/ports';
import { until } from '../../support/until';
import { N8nLike } from './n8nLike';

const { platform, control, api } = usePlatform();
const open: Array<{ close: () => unknown }> = [];

beforeEach(async () => await control.reset());
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

const trigger = (port: number, events: string[], more: object) =>
	new N8nLike({
		credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
		webhookBaseUrl: `http://${LOOPBACK}:${port}/webhook`,
		parameters: { events, ...more },
	});

const secretOf = async (address: string) => {
	const endpoint = (await control.endpoints()).find(({ url }) => url === address);
	return await control.endpointSecret(endpoint?.id ?? '');
};
const requestsTo = async (start: string) =>
	(await control.requests()).filter(({ target }) => target.startsWith(start)).length;

describe('Get Full Record', () => {
	/** @param meanwhile happens between publishing and the delivery */
	async function delivered(payload: object, event = 'order.paid', meanwhile = async () => {}) {
		const port = await freePort();
		const n8n = trigger(port, [event], { getFullRecord: true });
		await n8n.serve(port);
		open.push(n8n);
		await n8n.publish();
		const secret = await secretOf(n8n.address);
		await meanwhile();
		const sent = signedDelivery({ url: n8n.address, secret, payload, event });
		expect((await sendOne(sent)).status).toBe(200);
		expect(n8n.executions).toMatchObject([{ payload }]);
		return { n8n, sent };
	}

	it('adds the order that the event is about, with one request', async () => {
		const [{ id }] = await api.data<Array<{ id: string }>>('/orders?limit=1');
		await control.resetCounters();
		const { n8n, sent } = await delivered({ id });
		expect(n8n.executions).toMatchObject([{ record: { id } }]);
		await sendOne(sent);
		expect(n8n.executions).toHaveLength(1);
		expect(await requestsTo(`/v1/orders/${id}`)).toBe(1);
	});

	it.each([
		['an order that is not there', { id: 'ord_gone' }, /404/, undefined],
		['a payload without an id', { number: 7 }, /no id/, undefined],
		['a platform that answers no request', { id: 'ord_1' }, /503/, 503],
	])('executes the delivery all the same: %s', async (_case, payload, reason, status) => {
		const { n8n } = await delivered(payload, undefined, async () => {
			if (status === undefined) return;
			await control.setFaults([{ method: 'GET', fault: 'status', status }]);
		});
		expect(JSON.stringify(n8n.executions[0].recordError)).toMatch(reason);
	});

	it('asks for nothing where the record is gone', async () => {
		await delivered({ id: 'prod_1' }, 'product.deleted');
		expect(await requestsTo('/v1/products')).toBe(0);
	});
});

describe('Sample Event', () => {
	/** What comes in at the test address, once it is verified. */
	async function sampled(events: string[]) {
		const receiver = await startReceiver();
		open.push(receiver);
		const port = Number(new URL(receiver.url).port);
		const listening = await trigger(port, events, { options: { sampleEvent: true } }).listen();
		const secret = await secretOf(listening.address);
		const sample = async () => receiver.received.at(0);
		const { body, headers } = await until('the sample', 5_000, sample);
		await listening.stop();
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
		const { event, payload } = verdict as { event: string; payload: { id: string } };
		expect(event).toBe('order.paid');
		const { id, status, total } = await api.data<Record<string, unknown>>(`/orders/${payload.id}`);
		expect(payload).toEqual({ id, status, total });
	});

	it.each(['customer.updated', 'inventory.changed', 'product.deleted'])(
		'sends a genuine %s',
		async (event) => expect(await sampled([event])).toMatchObject({ event }),
	);

	it('says before anything is registered that no sample can be made', async () => {
		const options = { sampleEvent: true, otherEvents: 'shop.closed' };
		const listening = trigger(await freePort(), [], { options }).listen();
		await expect(listening).rejects.toThrow('No sample can be made of “shop.closed”');
		expect(await control.endpoints()).toEqual([]);
	});

	it('is not sent when the workflow is published', async () => {
		await trigger(await freePort(), ['order.paid'], { options: { sampleEvent: true } }).publish();
		expect(await requestsTo('/v1/orders')).toBe(0);
	});
});
