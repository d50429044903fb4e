import type { IDataObject } from 'n8n-workflow';

import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory';
import { startPlatform, type Platform } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import { served } from '../trigger/n8nLike';
import { inEachDialect } from './chosen';

const FOREIGN = 'https://erp.example/hook';

inEachDialect('the webhook trigger', (dialect) => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform({ products: 5, orders: 40, dialect, retryDelayFactor: 0.002 });
	});
	beforeEach(async () => await platform.control.reset());
	afterAll(async () => await platform.close());

	async function published(parameters?: IDataObject) {
		const n8n = await served(platform, parameters);
		await n8n.publish();
		return n8n;
	}

	const endpoints = async () => await platform.control.endpoints();

	async function pay(): Promise<string> {
		const { order } = await platform.control.payOrder();
		expect(await platform.control.settled()).toEqual({ pending: 0 });
		return String(order.id);
	}

	it('registers one endpoint with its events, and keeps it over publications and restarts', async () => {
		const n8n = await published({ events: ['order.paid', 'order.created'] });
		const before = await endpoints();
		expect(before).toMatchObject([{ url: n8n.address, events: ['order.created', 'order.paid'] }]);
		await n8n.publish();
		forgetAddress(n8n.address);
		await n8n.publish();
		expect(await endpoints()).toEqual(before);
	});

	it('executes a delivery once, with its payload', async () => {
		const n8n = await published();
		const id = await pay();
		expect(n8n.executions).toMatchObject([
			{ event: 'order.paid', deliveryId: expect.stringMatching(/^del_/), payload: { id } },
		]);
		const [delivery] = await platform.control.deliveries();
		expect(delivery).toMatchObject({ state: 'delivered', attempts: { length: 1 } });
	});

	it('executes a delivery of any other event with its payload as it was sent', async () => {
		const n8n = await published({ events: ['product.updated'] });
		await platform.control.emit('product.updated', { id: 'prod_1', title: 'New' });
		await platform.control.settled();
		const [{ body }] = await platform.control.deliveries();
		const { payload, timestamp } = JSON.parse(body) as { payload: object; timestamp: string };
		expect(n8n.executions).toMatchObject([{ event: 'product.updated', timestamp, payload }]);
	});

	it('executes a replay again only if neither its id nor its signed time is known', async () => {
		const n8n = await published();
		await pay();
		const [{ id, body }] = await platform.control.deliveries();
		await platform.control.replay(id);
		const { timestamp } = JSON.parse(body) as { timestamp: string };
		const isTold = dialect.replayId === 'same' || /\.\d*[1-9]/.test(timestamp);
		expect(n8n.executions).toHaveLength(isTold ? 1 : 2);
	});

	it('registers again after its endpoint was disabled, if the platform shows that', async () => {
		const n8n = await published();
		const [{ id }] = await endpoints();
		await platform.control.setEndpointStatus(id, 'disabled');
		await n8n.publish();
		const [after, ...others] = await endpoints();
		expect(others).toEqual([]);
		// If later answers show no status, nobody can see it.
		expect(after.id === id).toBe(dialect.endpointFields === 'sparse');
	});

	it.each(['deleted behind its back', 'left by a lost workflow'])(
		'registers again where its endpoint was %s',
		async (what) => {
			const n8n = await published();
			const [{ id }] = await endpoints();
			if (what === 'left by a lost workflow') n8n.database.staticData = '{}';
			else await apiClient(platform).send(`/webhooks/${id}`, { method: 'DELETE' });
			forgetAddress(n8n.address);
			await n8n.publish();
			expect(await endpoints()).toHaveLength(1);
			await pay();
			expect(n8n.executions).toHaveLength(1);
		},
	);

	it('removes its endpoint, twice without a fault, and leaves foreign ones alone', async () => {
		const body = { url: FOREIGN, events: ['order.paid'] };
		await apiClient(platform).send('/webhooks', { method: 'POST', body });
		const n8n = await published();
		expect(await endpoints()).toHaveLength(2);
		await n8n.delete();
		await n8n.delete();
		expect(await endpoints()).toMatchObject([{ url: FOREIGN }]);
	});
});
