import { existingMemory, forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory';
import { usePlatform } from '../../../platform/specs/usePlatform';
import { WORKFLOW_ID } from '../../support/engine/workflow';
import { N8nLike, type TriggerSetup } from './n8nLike';

const { platform, control } = usePlatform();
beforeEach(async () => await control.reset());

const trigger = (setup: TriggerSetup = {}) => {
	const { baseUrl, apiKey } = platform;
	return new N8nLike({ credentials: { baseUrl, apiKey }, ...setup });
};
const published = async (setup?: TriggerSetup) => {
	const n8n = trigger(setup);
	await n8n.publish();
	return n8n;
};

const endpoints = async () => await control.endpoints();
const urls = async () => (await endpoints()).map(({ url }) => url).sort();
const onlyId = async () => {
	const [one, ...others] = await endpoints();
	expect(others).toEqual([]);
	return one.id;
};
/** n8n restarts: the memory of the process is gone. */
const restartOf = (n8n: N8nLike) => forgetAddress(n8n.address);

describe('the endpoint of an active trigger', () => {
	it('is removed at unpublishing even if its record was lost', async () => {
		const n8n = await published();
		n8n.database.staticData = '{}';
		restartOf(n8n);
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
		expect(n8n.warnings).toEqual([]);
	});

	it('is created anew if its secret cannot be opened', async () => {
		const n8n = await published();
		const { database } = n8n;
		database.staticData = database.staticData.replace(/"secret":"[^"]*"/, '"secret":"foreign"');
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(false);
	});
});

describe('when the platform fails', () => {
	it('deactivation goes on, names what it left, and the next activation removes it', async () => {
		const n8n = await published();
		const id = await onlyId();
		await control.setFaults([{ method: 'DELETE', fault: 'status', status: 503 }]);
		await n8n.delete();
		expect(n8n.warnings.join()).toContain(id);
		expect(await onlyId()).toBe(id);
		await control.setFaults([]);
		restartOf(n8n);
		await n8n.publish();
		expect(await onlyId()).not.toBe(id);
	});

	it('an endpoint that is gone by then counts as removed', async () => {
		const n8n = await published();
		await control.setFaults([{ method: 'DELETE', fault: 'status', status: 404 }]);
		await n8n.delete();
		expect(n8n.warnings).toEqual([]);
		expect(n8n.database.staticData).toContain('"endpoint":null');
	});

	it('an endpoint that was left and comes back with an export counts more than what others know', async () => {
		const n8n = await published();
		const exported = n8n.database.staticData;
		await platform.control.setFaults([{ method: 'DELETE', fault: 'status', status: 503 }]);
		await n8n.delete();
		const revision = () => Number(/"revision":(\d+)/.exec(n8n.database.staticData)?.[1]);
		const known = revision();
		n8n.database.staticData = exported;
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(true);
		expect(revision()).toBeGreaterThan(known);
	});

	it('checkExists does not take an error for "not there"', async () => {
		const n8n = await published();
		await control.setFaults([{ method: 'GET', fault: 'status', status: 403 }]);
		await expect(n8n.checkExists()).rejects.toMatchObject({ httpCode: '403' });
	});
});

describe('"Listen for test event"', () => {
	it('has its own endpoint while it listens, beside the active one and beside a new one', async () => {
		const n8n = await published();
		const listening = await n8n.listen();
		const both = [n8n.address, listening.address].sort();
		expect(await urls()).toEqual(both);
		await n8n.create();
		expect(await urls()).toEqual(both);
		const saved = n8n.database.staticData;
		await listening.stop();
		expect(await urls()).toEqual([n8n.address]);
		expect(n8n.database.staticData).toBe(saved);
		expect(existingMemory(listening.address, WORKFLOW_ID)).toBeUndefined();
		expect(await n8n.checkExists()).toBe(true);
	});

	it('is cleaned up by the next activation if n8n was killed while it listened', async () => {
		const n8n = trigger();
		forgetAddress((await n8n.listen()).address);
		await n8n.publish();
		expect(await urls()).toEqual([n8n.address]);
	});
});

it('nothing is registered at an address that the platform cannot reach, nor without events', async () => {
	const refused = published({ webhookBaseUrl: 'http://n8n.example/webhook' });
	const description = expect.stringMatching(/tunnel.*WEBHOOK_URL/s) as string;
	await expect(refused).rejects.toMatchObject({ description });
	await expect(published({ parameters: { events: [] } })).rejects.toThrow('Trigger On');
	expect(await endpoints()).toEqual([]);
});
