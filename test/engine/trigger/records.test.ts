import { usePlatform } from '../../../platform/specs/usePlatform';
import { signedDelivery } from '../../../platform/support/delivery';
import { sendOne } from '../../support/load';
import { until } from '../../../platform/support/until';
import { served } from './n8nLike';

const { platform, control, api } = usePlatform();

beforeEach(async () => await control.reset());

const requestsTo = async (start: string) =>
	(await control.requests()).filter(({ target }) => target.startsWith(start)).length;

describe('Get Full Record', () => {
	/** @param meanwhile runs between publishing and the delivery */
	async function delivered(payload: object, event = 'order.paid', meanwhile = async () => {}) {
		const n8n = await served(platform, { events: [event], getFullRecord: true });
		await n8n.publish();
		const [{ id }] = await control.endpoints();
		const secret = await control.endpointSecret(id);
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

	it('asks once, although the platform fails: n8n’s answer must not wait', async () => {
		const { n8n } = await delivered({ id: 'ord_1' }, undefined, async () => {
			await control.resetCounters();
			await control.setFaults([{ method: 'GET', fault: 'status', status: 503, times: 1 }]);
		});
		expect(await requestsTo('/v1/orders/ord_1')).toBe(1);
		expect(n8n.executions[0]).not.toHaveProperty('record');
	});

	it('does not ask for a deleted record', async () => {
		await delivered({ id: 'prod_1' }, 'product.deleted');
		expect(await requestsTo('/v1/products')).toBe(0);
	});
});

describe('Sample Event', () => {
	const sampling = async (events: string[], otherEvents?: string) =>
		await served(platform, { events, options: { sampleEvent: true, otherEvents } });

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
		expect(payload).toEqual({ id, status, total });
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

	it('is not sent when the workflow is published', async () => {
		await (await sampling(['order.paid'])).publish();
		expect(await requestsTo('/v1/orders')).toBe(0);
	});
});
