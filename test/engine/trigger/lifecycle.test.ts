import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { startPlatform, type Platform } from '../../platform';
import { apiClient } from '../../support/apiClient';
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
const withEvents = (...events: string[]) => ({ parameters: { events } });
const withOptions = (options: object) => ({
	parameters: { options } as TriggerSetup['parameters'],
});

const endpoints = async () => await platform.control.endpoints();
const urls = async () => (await endpoints()).map(({ url }) => url).sort();
const onlyId = async () => {
	const [one, ...others] = await endpoints();
	expect(others).toEqual([]);
	return one.id;
};
const register = async (url: string, description = 'ERP') => {
	const body = { url, events: ['order.paid'], description };
	const { id } = await apiClient(platform).data('/webhooks', { method: 'POST', body });
	return String(id);
};
/** n8n is started again: what the process remembered is gone. */
const restartOf = (n8n: N8nLike) => forgetAddress(n8n.address);

describe('the endpoint of an active trigger', () => {
	it('is made by publishing, with address, events and owner', async () => {
		const { address: url } = await published(withEvents('order.paid', 'order.created'));
		const events = ['order.created', 'order.paid'];
		const description = 'n8n workflow workflow-1: Orders';
		expect(await endpoints()).toMatchObject([{ url, events, description }]);
	});

	it('is left alone when it is published again, also after a restart', async () => {
		const n8n = await published();
		const before = await endpoints();
		await n8n.publish();
		restartOf(n8n);
		await n8n.publish();
		expect(await endpoints()).toEqual(before);
	});

	it.each([
		['at once', () => {}],
		['after a restart', restartOf],
		[
			'where its record was lost',
			(n8n: N8nLike) => {
				n8n.database.staticData = '{}';
				restartOf(n8n);
			},
		],
	])('ends with the publication, and nothing is left: %s', async (_when, meanwhile) => {
		const n8n = await published();
		meanwhile(n8n);
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
		await n8n.delete();
		expect(n8n.warnings).toEqual([]);
	});

	it.each<[string, (n8n: N8nLike, id: string) => unknown]>([
		[
			'it was deleted behind the back of n8n',
			async (_n8n, id) => await apiClient(platform).send(`/webhooks/${id}`, { method: 'DELETE' }),
		],
		[
			'it was disabled',
			async (_n8n, id) => await platform.control.setEndpointStatus(id, 'disabled'),
		],
		[
			'its secret was lost between creation and saving',
			(n8n) => {
				n8n.database.staticData = '{}';
				restartOf(n8n);
			},
		],
	])('is made anew where %s', async (_what, happens) => {
		const n8n = await published();
		const id = await onlyId();
		await happens(n8n, id);
		expect(await n8n.checkExists()).toBe(false);
		await n8n.publish();
		expect(await onlyId()).not.toBe(id);
		expect(await n8n.checkExists()).toBe(true);
	});

	it('is made anew for other events', async () => {
		const n8n = await published();
		const id = await onlyId();
		await n8n.changed(withEvents('order.created')).publish();
		expect(await endpoints()).toMatchObject([{ events: ['order.created'] }]);
		expect(await onlyId()).not.toBe(id);
	});

	it('outlives an export that is imported over its workflow: what is known replaces the older state', async () => {
		const n8n = await published();
		const exported = n8n.database.staticData;
		await n8n.delete();
		await n8n.publish();
		const id = await onlyId();
		n8n.database.staticData = exported;
		await n8n.publish();
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(true);
		expect(await onlyId()).toBe(id);
	});

	it('stays one when the node is renamed', async () => {
		const n8n = await published();
		const renamed = n8n.changed({ nodeName: 'Paid Orders' });
		await n8n.delete();
		await renamed.publish();
		expect(await endpoints()).toHaveLength(1);
		expect(await renamed.checkExists()).toBe(true);
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

	it('leaves foreign endpoints alone, whatever happens', async () => {
		const n8n = trigger();
		const foreign = [
			'https://erp.example/hook',
			`${n8n.address}/other`,
			n8n.address.replace('/webhook/', '/webhook2/'),
		].sort();
		for (const url of foreign) await register(url);
		await n8n.publish();
		expect(await urls()).toEqual([...foreign, n8n.address].sort());
		await n8n.changed(withEvents('order.created')).publish();
		await n8n.delete();
		expect(await urls()).toEqual(foreign);
	});

	it('takes the place of what a lost workflow left at its address', async () => {
		const n8n = trigger();
		const stale = [await register(n8n.address, ''), await register(n8n.address, 'old')];
		await n8n.publish();
		expect(stale).not.toContain(await onlyId());
	});

	it('has a secret that stands nowhere in plain text', async () => {
		const n8n = await published();
		const secret = await platform.control.endpointSecret(await onlyId());
		expect(n8n.database.staticData).not.toContain(secret);
		expect(n8n.warnings.join()).not.toContain(secret);
	});

	it('makes the platform stray from its contract nowhere', async () => {
		await (await published()).delete();
		expect((await platform.control.counters()).violations).toEqual([]);
	});
});

describe('a duplicated workflow', () => {
	const copyOf = (original: N8nLike, setup: Partial<TriggerSetup> = {}) =>
		original.changed({ workflowId: 'workflow-2', database: { ...original.database }, ...setup });

	it('has its own endpoint, and the original keeps its own', async () => {
		const original = await published();
		const copy = copyOf(original, another());
		expect(await copy.checkExists()).toBe(false);
		await copy.publish();
		expect(await endpoints()).toHaveLength(2);
		await copy.delete();
		expect(await urls()).toEqual([original.address]);
		expect(await original.checkExists()).toBe(true);
	});

	it('with the same address cannot take the endpoint away from the original', async () => {
		await copyOf(await published()).delete();
		expect(await endpoints()).toHaveLength(1);
	});
});

describe('when the platform fails', () => {
	it('publishing again and again, as n8n does, ends in one endpoint after answers were lost', async () => {
		const n8n = trigger();
		await platform.control.setFaults([
			{ method: 'POST', path: '/webhooks', fault: 'lostAnswer', times: 6 },
		]);
		for (let isDone = false; !isDone;) {
			isDone = await n8n.publish().then(
				() => true,
				() => false,
			);
			if (!isDone) await n8n.delete();
		}
		expect(await endpoints()).toHaveLength(1);
		expect(await n8n.checkExists()).toBe(true);
	});

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

	it('a stranded endpoint is not taken up again, it is replaced', async () => {
		const n8n = await published();
		const id = await onlyId();
		await platform.control.setFaults([{ method: 'DELETE', fault: 'status', status: 500 }]);
		await n8n.delete();
		await platform.control.setFaults([]);
		expect(await n8n.checkExists()).toBe(false);
		await n8n.publish();
		expect(await onlyId()).not.toBe(id);
	});

	it('deactivation with a revoked key goes on, too', async () => {
		const { apiKey } = await platform.control.createKey();
		const n8n = await published({ credentials: { baseUrl: platform.baseUrl, apiKey } });
		await platform.control.revokeKey(apiKey);
		await n8n.delete();
		expect(n8n.warnings.join()).toContain(await onlyId());
		expect(n8n.warnings.join()).not.toContain(apiKey);
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
		await expect(published({ webhookBaseUrl: 'http://n8n.example/webhook' })).rejects.toMatchObject(
			{
				description: expect.stringMatching(/WEBHOOK_URL.*tunnel/s),
			},
		);
	});

	it('with a key without the right', async () => {
		const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
		const refused = published({ credentials: { baseUrl: platform.baseUrl, apiKey } });
		const description = expect.stringContaining('webhooks.manage') as string;
		await expect(refused).rejects.toMatchObject({ description });
	});

	it.each<[Partial<TriggerSetup>, string]>([
		[withEvents(), 'Events'],
		[withOptions({ otherEvents: 'order.paid, order.*' }), '“order.*”'],
		...[0, 337, 'long', null].map((rememberHours): [Partial<TriggerSetup>, string] => [
			withOptions({ rememberHours }),
			'“Remember Deliveries (Hours)” must be',
		]),
		[withOptions({ repeatsByContent: 'sometimes' }), '“Repeats by Content” cannot be "sometimes"'],
		[withOptions({ acceptPreviousSecret: 'no' }), '“Accept Previous Secret” must be true or false'],
		[withOptions({ includeHeaders: 1 }), '“Include Headers” must be true or false'],
		[withOptions({ payloadOnly: {} }), '“Payload Only” must be true or false'],
	])('with %j', async (setup, message) => {
		await expect(published(setup)).rejects.toThrow(message);
	});
});
