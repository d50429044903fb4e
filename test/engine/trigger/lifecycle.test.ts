import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { startPlatform, type Platform } from '../../platform';
import { N8nLike, type TriggerSetup } from './n8nLike';

let platform: Platform;
beforeAll(async () => {
	platform = await startPlatform();
});
beforeEach(async () => {
	await platform.control.reset();
	await platform.control.setFaults([]);
});
afterAll(async () => await platform.close());

let count = 0;
const another = () => ({ webhookId: `hook-${++count}` });

/** A trigger at an address that no other test has used. */
const trigger = (setup: Partial<TriggerSetup> = {}) => {
	const { baseUrl, apiKey } = platform;
	return new N8nLike({ credentials: { baseUrl, apiKey }, ...another(), ...setup });
};
const published = async (setup: Partial<TriggerSetup> = {}) => {
	const n8n = trigger(setup);
	await n8n.publish();
	return n8n;
};

const endpoints = async () => await platform.control.endpoints();
const urls = async () => (await endpoints()).map(({ url }) => url).sort();
const onlyId = async () => {
	const [one, ...others] = await endpoints();
	expect(others).toEqual([]);
	return one.id;
};
/** n8n is started again: what the process remembered is gone. */
const restartOf = (n8n: N8nLike) => forgetAddress(n8n.address);

describe('the endpoint of an active trigger', () => {
	it('ends with the publication where its record was lost, and nothing is left', async () => {
		const n8n = await published();
		n8n.database.staticData = '{}';
		restartOf(n8n);
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
		expect(n8n.warnings).toEqual([]);
	});

	it('is made anew where its secret cannot be opened', async () => {
		const n8n = await published();
		const { database } = n8n;
		database.staticData = database.staticData.replace(/"secret":"[^"]*"/, '"secret":"foreign"');
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(false);
	});

	it('moves to the account of another credential', async () => {
		const other = await startPlatform();
		const n8n = await published();
		await n8n.delete();
		const { baseUrl, apiKey } = other;
		await n8n.changed({ credentials: { baseUrl, apiKey } }).publish();
		expect(await endpoints()).toEqual([]);
		expect(await other.control.endpoints()).toHaveLength(1);
		await other.close();
	});
});

describe('when the platform fails', () => {
	it('deactivation goes on, names what it left, and the next activation removes it', async () => {
		const n8n = await published();
		const id = await onlyId();
		await platform.control.setFaults([{ method: 'DELETE', fault: 'status', status: 503 }]);
		await n8n.delete();
		expect(n8n.warnings.join()).toContain(id);
		expect(await onlyId()).toBe(id);
		await platform.control.setFaults([]);
		const moved = n8n.changed(another());
		restartOf(n8n);
		await moved.publish();
		expect(await urls()).toEqual([moved.address]);
	});

	it('checkExists does not take an error for "not there"', async () => {
		const n8n = await published();
		await platform.control.setFaults([{ method: 'GET', fault: 'status', status: 403 }]);
		await expect(n8n.checkExists()).rejects.toMatchObject({ httpCode: '403' });
	});
});

describe('"Listen for test event"', () => {
	it('has an endpoint of its own beside the active one, for as long as it listens', async () => {
		const n8n = await published();
		const saved = n8n.database.staticData;
		const listening = await n8n.listen();
		expect(await urls()).toEqual([n8n.address, listening.address].sort());
		await listening.stop();
		expect(await urls()).toEqual([n8n.address]);
		expect(n8n.database.staticData).toBe(saved);
		expect(await n8n.checkExists()).toBe(true);
	});

	it('is cleaned up by the next activation where n8n was killed while it listened', async () => {
		const n8n = trigger();
		forgetAddress((await n8n.listen()).address);
		await n8n.publish();
		expect(await urls()).toEqual([n8n.address]);
	});

	it('goes on while the workflow is published', async () => {
		const n8n = trigger();
		const listening = await n8n.listen();
		await n8n.publish();
		expect(await endpoints()).toHaveLength(2);
		await listening.stop();
		expect(await urls()).toEqual([n8n.address]);
	});
});

describe('nothing is registered', () => {
	afterEach(async () => expect(await endpoints()).toEqual([]));

	it('at an address that the platform cannot reach', async () => {
		const refused = published({ webhookBaseUrl: 'http://n8n.example/webhook' });
		const description = expect.stringMatching(/WEBHOOK_URL.*tunnel/s) as string;
		await expect(refused).rejects.toMatchObject({ description });
	});

	it('with a key without the right', async () => {
		const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
		const refused = published({ credentials: { baseUrl: platform.baseUrl, apiKey } });
		const description = expect.stringContaining('webhooks.manage') as string;
		await expect(refused).rejects.toMatchObject({ description });
	});

	it.each([
		[{ events: [] }, 'Events'],
		[{ options: { rememberHours: 337 } }, '“Remember Deliveries (Hours)” must be'],
	])('with parameters that cannot be used: %j', async (parameters, message) => {
		await expect(published({ parameters })).rejects.toThrow(message);
	});
});
