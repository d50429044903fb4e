import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();

describe('the changes trigger in n8n’s engine, in trouble', () => {
	it('says at publishing which scope the key lacks, with the request ID', async () => {
		const { baseUrl } = shop.platform;
		const { apiKey } = await shop.control.createKey({ scopes: ['products.read'] });
		await expect(shop.published({}, { credentials: { baseUrl, apiKey } })).rejects.toMatchObject({
			description: expect.stringMatching(/orders\.read.*Request ID: \w+/s) as string,
		});
	});

	it('fails a poll that can read nothing', async () => {
		const n8n = await shop.published();
		await shop.control.setFaults([{ path: '/orders', fault: 'status', status: 403 }]);
		await expect(n8n.poll()).rejects.toThrow();
		await shop.control.setFaults([]);
		await shop.newOrder();
		expect((await poll(n8n)).items).toHaveLength(1);
	});

	it('lets nobody wait for a test event until a long pause of the platform is over', async () => {
		const { baseUrl } = shop.platform;
		// The pause counts for the key, and other tests have the shop's own.
		const { apiKey } = await shop.control.createKey({ scopes: ['orders.read'] });
		const n8n = await shop.published({}, { credentials: { baseUrl, apiKey } });
		const pause = { fault: 'status', status: 429, retryAfter: 30 } as const;
		await shop.control.setFaults([{ path: '/orders', ...pause }]);
		await expect(n8n.fetchSample()).rejects.toThrow(/limit/i);
		await shop.control.setFaults([]);
	}, 20_000);

	it.each([undefined, true])(
		'shows a failed execution if the platform is away when n8n starts, and goes on: durable %s',
		async (durable) => {
			const n8n = await shop.published({}, { durable });
			// With durable cursors, n8n stores nothing of the poll at publishing.
			await n8n.poll();
			const before = await shop.newOrder();
			await shop.control.setFaults([{ path: '/orders', fault: 'status', status: 403 }]);
			await n8n.restart();
			expect(n8n.failures).toEqual([expect.stringContaining('The API key is not allowed')]);
			await expect(n8n.poll()).rejects.toThrow();
			expect(n8n.failures).toHaveLength(1);
			await shop.control.setFaults([]);
			const after = await shop.newOrder();
			expect(idsOf(await poll(n8n)).sort()).toEqual([before, after].sort());
		},
	);

	it.each([
		['another workflow', { workflowId: 'workflow-2' }],
		// The state may belong to another shop at the same address.
		['another credential', { credentialId: 'credential-2' }],
		['another choice in Watch', { parameters: { watch: 'product' } }],
	])('does not use the state of %s, and says so', async (what, change) => {
		const n8n = await shop.published();
		const updatedAt = new Date(Date.now() - 30_000).toISOString();
		await shop.control.writeRecord('orders', { updatedAt });
		await n8n.poll();
		const other = n8n.changed(change);
		await other.publish();
		expect(other.items).toEqual([]);
		expect(other.warnings.join()).toContain(`because it belongs to ${what}`);
	});

	it('begins anew if its state cannot be read, and says so', async () => {
		const staticData = JSON.stringify({ 'node:Trigger': { changes: { version: 99 } } });
		const n8n = await shop.published({}, { database: { staticData } });
		expect(n8n.warnings.join()).toContain('because it cannot be read');
		await shop.newOrder();
		expect((await poll(n8n)).items).toHaveLength(1);
	});

	it.each([
		[{ overlap: 5 }, "'Overlap (Seconds)'"],
		[{ maxPages: 0 }, "'Max Pages per Poll'"],
		[{ startFrom: 'yesterday' }, "'Start From'"],
	])('names the option of %j that cannot work', async (options, field) => {
		await expect(shop.published({ options })).rejects.toThrow(field);
	});

	describe('while the day’s budget is nearly spent', () => {
		const HOUR_MS = 3_600_000;
		const later = (ms: number) => {
			const wallMs = Date.now() + ms;
			// After a sleep of the machine: its monotonic clock stood still.
			return jest.spyOn(Date, 'now').mockReturnValue(wallMs);
		};

		it('keeps nothing of it unless it is told to', async () => {
			await shop.control.configure({ dayBudget: 8 });
			const n8n = await shop.published();
			const failures: string[] = [];
			for (let polls = 0; polls < 10; polls++)
				await n8n.poll().catch((error: Error) => failures.push(error.message));
			expect(new Set(failures)).toEqual(
				new Set(['The request budget of this API key is spent for today']),
			);
		});

		it('looks again an hour later, in case capacity was bought', async () => {
			await shop.control.configure({ dayBudget: 8 });
			const n8n = await shop.published({ options: { keepDailyBudget: 50 } });
			for (let polls = 0; polls < 6; polls++) await n8n.poll().catch(() => undefined);
			const id = await shop.newOrder();
			await shop.control.configure({ dayBudget: 800 });
			await expect(n8n.poll()).rejects.toThrow('Stopped to keep the daily budget');
			const clock = later(HOUR_MS);
			expect(idsOf(await poll(n8n))).toEqual([id]);
			clock.mockRestore();
		});

		// Last, since the platform's clock does not go back.
		it('sends nothing more, says so at each poll, and goes on the next day, even if the machine was asleep', async () => {
			await shop.control.configure({ dayBudget: 8 });
			const n8n = await shop.published({ options: { keepDailyBudget: 50 } });
			await shop.newOrder();
			const failures: string[] = [];
			for (let polls = 0; polls < 6; polls++)
				await n8n.poll().catch((error: Error) => failures.push(error.message));
			expect(new Set(failures)).toEqual(new Set(['Stopped to keep the daily budget']));
			expect(await shop.requests()).toBeLessThanOrEqual(5);
			const added = await shop.newOrder();
			const clock = later(24 * HOUR_MS);
			expect(idsOf(await poll(n8n))).toContain(added);
			clock.mockRestore();
		});
	});
});
