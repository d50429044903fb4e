import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { startPlatform, type Platform } from '../../platform';
import { N8nLike, type TriggerSetup } from './n8nLike';

/** ms; retries after a fault wait for half a second and more. */
const WITH_RETRIES_MS = 60_000;

describe('the endpoint of an active trigger', () => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform();
	});
	afterAll(async () => await platform.close());
	beforeEach(async () => {
		await platform.control.reset();
		await platform.control.setFaults([]);
	});

	let count = 0;
	/** A trigger at an address that no other test has used. */
	const trigger = (setup: Partial<TriggerSetup> = {}) =>
		new N8nLike({
			credentials: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
			webhookId: `hook-${++count}`,
			...setup,
		});

	const endpoints = async () => await platform.control.endpoints();
	const register = async (url: string, description = 'ERP') => {
		const response = await fetch(`${platform.baseUrl}/webhooks`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${platform.apiKey}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ url, events: ['order.paid'], description }),
		});
		return ((await response.json()) as { data: { id: string } }).data.id;
	};
	/** n8n is started again: what the process remembered is gone. */
	const restartOf = (n8n: N8nLike) => forgetAddress(n8n.address);

	it('is made by publishing, with address, events and owner', async () => {
		const n8n = trigger({ parameters: { events: ['order.paid', 'order.created'] } });
		await n8n.publish();
		expect(await endpoints()).toEqual([
			expect.objectContaining({
				url: n8n.address,
				events: ['order.created', 'order.paid'],
				description: 'n8n workflow workflow-1: Orders',
			}),
		]);
	});

	it('is left alone when it is published again, also after a restart', async () => {
		const n8n = trigger();
		await n8n.publish();
		const before = await endpoints();
		await n8n.publish();
		restartOf(n8n);
		await n8n.publish();
		expect(await endpoints()).toEqual(before);
	});

	it('ends with the publication, and nothing is left', async () => {
		const n8n = trigger();
		await n8n.publish();
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
		await n8n.delete();
		expect(n8n.warnings).toEqual([]);
	});

	it('is removed after a restart as well', async () => {
		const n8n = trigger();
		await n8n.publish();
		restartOf(n8n);
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
	});

	it('is made anew when it was deleted behind the back of n8n', async () => {
		const n8n = trigger();
		await n8n.publish();
		const [{ id }] = await endpoints();
		await fetch(`${platform.baseUrl}/webhooks/${id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${platform.apiKey}` },
		});
		await n8n.publish();
		expect(await endpoints()).toHaveLength(1);
	});

	it('is made anew when it was disabled', async () => {
		const n8n = trigger();
		await n8n.publish();
		const [{ id }] = await endpoints();
		await platform.control.setEndpointStatus(id, 'disabled');
		await n8n.publish();
		const after = await endpoints();
		expect(after).toHaveLength(1);
		expect(after[0].id).not.toBe(id);
	});

	it('is made anew for other events', async () => {
		const n8n = trigger();
		await n8n.publish();
		const [{ id }] = await endpoints();
		await n8n.changed({ parameters: { events: ['order.created'] } }).publish();
		expect(await endpoints()).toEqual([expect.objectContaining({ events: ['order.created'] })]);
		expect((await endpoints())[0].id).not.toBe(id);
	});

	it('is made anew where its secret was lost between creation and saving', async () => {
		const n8n = trigger();
		await n8n.publish();
		n8n.database.staticData = '{}';
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(false);
		await n8n.publish();
		expect(await endpoints()).toHaveLength(1);
		expect(await n8n.checkExists()).toBe(true);
	});

	it('outlives an export that is imported over its workflow: what is known replaces the older state', async () => {
		const n8n = trigger();
		await n8n.publish();
		const exported = n8n.database.staticData;
		await n8n.delete();
		await n8n.publish();
		const [{ id }] = await endpoints();
		n8n.database.staticData = exported;
		await n8n.publish();
		restartOf(n8n);
		expect(await n8n.checkExists()).toBe(true);
		expect(await endpoints()).toEqual([expect.objectContaining({ id })]);
	});

	it('is removed by the next deactivation where its record was lost', async () => {
		const n8n = trigger();
		await n8n.publish();
		n8n.database.staticData = '{}';
		restartOf(n8n);
		await n8n.delete();
		expect(await endpoints()).toEqual([]);
	});

	it('stays one when the node is renamed', async () => {
		const n8n = trigger();
		await n8n.publish();
		const renamed = n8n.changed({ nodeName: 'Paid Orders' });
		await n8n.delete();
		await renamed.publish();
		expect(await endpoints()).toHaveLength(1);
		expect(await renamed.checkExists()).toBe(true);
	});

	it('moves to the account of another credential', async () => {
		const other = await startPlatform();
		try {
			const n8n = trigger();
			await n8n.publish();
			await n8n.delete();
			const credentials = { baseUrl: other.baseUrl, apiKey: other.apiKey };
			await n8n.changed({ credentials }).publish();
			expect(await endpoints()).toEqual([]);
			expect(await other.control.endpoints()).toHaveLength(1);
		} finally {
			await other.close();
		}
	});

	it('leaves foreign endpoints alone, whatever happens', async () => {
		const n8n = trigger();
		const foreign = [
			await register('https://erp.example/hook'),
			await register(`${n8n.address}/other`),
			await register(n8n.address.replace('/webhook/', '/webhook2/')),
		];
		const ids = async () => (await endpoints()).map(({ id }) => id);
		await n8n.publish();
		expect(await ids()).toEqual(expect.arrayContaining(foreign));
		await n8n.changed({ parameters: { events: ['order.created'] } }).publish();
		await n8n.delete();
		expect((await ids()).sort()).toEqual([...foreign].sort());
	});

	it('takes the place of what a lost workflow left at its address', async () => {
		const n8n = trigger();
		const stale = [await register(n8n.address, ''), await register(n8n.address, 'old')];
		await n8n.publish();
		const after = await endpoints();
		expect(after).toHaveLength(1);
		expect(stale).not.toContain(after[0].id);
	});

	describe('a duplicated workflow', () => {
		it('has its own endpoint, and the original keeps its own', async () => {
			const original = trigger();
			await original.publish();
			const copy = original.changed({
				workflowId: 'workflow-2',
				webhookId: `hook-${++count}`,
				database: { staticData: original.database.staticData },
			});
			expect(await copy.checkExists()).toBe(false);
			await copy.publish();
			expect(await endpoints()).toHaveLength(2);
			await copy.delete();
			expect(await endpoints()).toEqual([expect.objectContaining({ url: original.address })]);
			expect(await original.checkExists()).toBe(true);
		});

		it('with the same address cannot take the endpoint away from the original', async () => {
			const original = trigger();
			await original.publish();
			const copy = original.changed({
				workflowId: 'workflow-2',
				database: { staticData: original.database.staticData },
			});
			await copy.delete();
			expect(await endpoints()).toHaveLength(1);
		});
	});

	describe('when the platform fails', () => {
		it(
			'publishing again and again, as n8n does, ends in one endpoint after answers were lost',
			async () => {
				const n8n = trigger();
				await platform.control.setFaults([
					{ method: 'POST', path: '/webhooks', fault: 'lostAnswer', times: 6 },
				]);
				for (let attempt = 0; attempt < 5; attempt++) {
					try {
						await n8n.publish();
						break;
					} catch {
						await n8n.delete();
					}
				}
				expect(await endpoints()).toHaveLength(1);
				expect(await n8n.checkExists()).toBe(true);
			},
			WITH_RETRIES_MS,
		);

		it(
			'deactivation goes on, names what it left, and the next activation removes it',
			async () => {
				const n8n = trigger();
				await n8n.publish();
				const [{ id }] = await endpoints();
				await platform.control.setFaults([
					{ method: 'DELETE', path: '/webhooks', fault: 'status', status: 503 },
				]);
				await n8n.delete();
				expect(n8n.warnings.join()).toContain(id);
				expect(await endpoints()).toHaveLength(1);
				await platform.control.setFaults([]);
				const moved = n8n.changed({ webhookId: `hook-${++count}` });
				restartOf(n8n);
				await moved.publish();
				expect(await endpoints()).toEqual([expect.objectContaining({ url: moved.address })]);
			},
			WITH_RETRIES_MS,
		);

		it(
			'a stranded endpoint is not taken up again, it is replaced',
			async () => {
				const n8n = trigger();
				await n8n.publish();
				const [{ id }] = await endpoints();
				await platform.control.setFaults([{ method: 'DELETE', fault: 'status', status: 500 }]);
				await n8n.delete();
				await platform.control.setFaults([]);
				expect(await n8n.checkExists()).toBe(false);
				await n8n.publish();
				const after = await endpoints();
				expect(after).toHaveLength(1);
				expect(after[0].id).not.toBe(id);
			},
			WITH_RETRIES_MS,
		);

		it('deactivation with a revoked key goes on, too', async () => {
			const { apiKey } = await platform.control.createKey();
			const n8n = trigger({ credentials: { baseUrl: platform.baseUrl, apiKey } });
			await n8n.publish();
			const [{ id }] = await endpoints();
			await platform.control.revokeKey(apiKey);
			await n8n.delete();
			expect(n8n.warnings.join()).toContain(id);
			expect(n8n.warnings.join()).not.toContain(apiKey);
		});

		it('checkExists does not take an error for "not there"', async () => {
			const n8n = trigger();
			await n8n.publish();
			await platform.control.setFaults([{ method: 'GET', fault: 'status', status: 403 }]);
			await expect(n8n.checkExists()).rejects.toMatchObject({ httpCode: '403' });
		});
	});

	describe('"Listen for test event"', () => {
		it('has an endpoint of its own beside the active one, for as long as it listens', async () => {
			const n8n = trigger();
			await n8n.publish();
			const saved = n8n.database.staticData;
			const listening = await n8n.listen();
			expect((await endpoints()).map(({ url }) => url).sort()).toEqual(
				[n8n.address, listening.address].sort(),
			);
			await listening.stop();
			expect((await endpoints()).map(({ url }) => url)).toEqual([n8n.address]);
			expect(n8n.database.staticData).toBe(saved);
			expect(await n8n.checkExists()).toBe(true);
		});

		it('is cleaned up by the next activation where n8n was killed while it listened', async () => {
			const n8n = trigger();
			const { address } = await n8n.listen();
			forgetAddress(address);
			await n8n.publish();
			expect((await endpoints()).map(({ url }) => url)).toEqual([n8n.address]);
		});

		it('goes on while the workflow is published', async () => {
			const n8n = trigger();
			const listening = await n8n.listen();
			await n8n.publish();
			expect(await endpoints()).toHaveLength(2);
			await listening.stop();
			expect(await endpoints()).toHaveLength(1);
		});
	});

	describe('what makes activation impossible', () => {
		it('an address that the platform cannot reach: nothing is registered', async () => {
			const n8n = trigger({ webhookBaseUrl: 'http://n8n.example/webhook' });
			await expect(n8n.publish()).rejects.toMatchObject({
				description: expect.stringMatching(/WEBHOOK_URL.*tunnel/s),
			});
			expect(await endpoints()).toEqual([]);
		});

		it('no event, or a name that cannot be one', async () => {
			await expect(trigger({ parameters: { events: [] } }).publish()).rejects.toThrow('Events');
			const options = { otherEvents: 'order.paid, order.*' };
			await expect(trigger({ parameters: { options } }).publish()).rejects.toThrow('“order.*”');
			expect(await endpoints()).toEqual([]);
		});

		it.each([0, 337, 'long', null])('deliveries remembered for %p hours', async (rememberHours) => {
			const n8n = trigger({ parameters: { options: { rememberHours } } });
			await expect(n8n.publish()).rejects.toThrow('“Remember Deliveries (Hours)” must be');
			expect(await endpoints()).toEqual([]);
		});

		it.each([
			[{ repeatsByContent: 'sometimes' }, '“Repeats by Content” cannot be "sometimes"'],
			[{ acceptPreviousSecret: 'no' }, '“Accept Previous Secret” must be true or false'],
			[{ includeHeaders: 1 }, '“Include Headers” must be true or false'],
			[{ payloadOnly: {} }, '“Payload Only” must be true or false'],
		])('the options %j', async (options, message) => {
			await expect(trigger({ parameters: { options } }).publish()).rejects.toThrow(message);
			expect(await endpoints()).toEqual([]);
		});

		it('a key without the right', async () => {
			const { apiKey } = await platform.control.createKey({ scopes: ['orders.read'] });
			const n8n = trigger({ credentials: { baseUrl: platform.baseUrl, apiKey } });
			await expect(n8n.publish()).rejects.toMatchObject({
				description: expect.stringContaining('webhooks.manage'),
			});
		});
	});

	it('has a secret that stands nowhere in plain text', async () => {
		const n8n = trigger();
		await n8n.publish();
		const [{ id }] = await endpoints();
		const secret = await platform.control.endpointSecret(id);
		expect(n8n.database.staticData).not.toContain(secret);
		expect(n8n.warnings.join()).not.toContain(secret);
	});

	it('makes the platform stray from its contract nowhere', async () => {
		const n8n = trigger();
		await n8n.publish();
		await n8n.delete();
		expect((await platform.control.counters()).violations).toEqual([]);
	});
});
