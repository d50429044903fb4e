import { startPlatform, type Platform } from '../../platform';
import { PollingN8n, type PollingSetup } from './pollingN8n';

describe('what the changes trigger has handed over', () => {
	let platform: Platform;

	beforeAll(async () => {
		platform = await startPlatform({ products: 10, orders: 30, customers: 5, categories: 2 });
	});

	afterAll(async () => await platform.close());

	beforeEach(async () => await platform.control.reset());

	const n8nWith = (more: Partial<PollingSetup> = {}): PollingN8n => {
		const { baseUrl, apiKey } = platform;
		return new PollingN8n({ credentials: { baseUrl, apiKey }, ...more });
	};

	const idsOf = (n8n: PollingN8n) => n8n.items.map(({ id }) => id);

	const newOrder = async () => (await platform.control.createOrder()).order.id;

	test('is given once over a restart where Go On is chosen', async () => {
		const n8n = n8nWith({ parameters: { options: { afterRestart: 'goOn' } } });
		await n8n.publish();
		const first = await newOrder();
		await n8n.poll();
		await n8n.restart();
		const last = await newOrder();
		await n8n.poll();
		expect(idsOf(n8n)).toEqual([first, last]);
	});

	test('is not given again under other filters while it is being executed', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		n8n.mishaps = { running: true };
		const id = await newOrder();
		await n8n.poll();
		expect(idsOf(n8n)).toEqual([id]);
		const other = n8n.changed({ parameters: { filters: { status: 'created' } } });
		await other.publish();
		const next = await newOrder();
		await other.poll();
		expect(idsOf(other)).toEqual([next]);
	});

	test('is given again under other filters where no execution came of it', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		n8n.mishaps = { notStarted: true };
		const id = await newOrder();
		await n8n.poll();
		const other = n8n.changed({ parameters: { filters: { q: '' } } });
		await other.publish();
		expect(idsOf(other)).toEqual([id]);
	});

	test('is given again after stock levels were filtered otherwise where no execution came of it', async () => {
		const n8n = n8nWith({ parameters: { watch: 'inventory' } });
		await n8n.publish();
		const { order } = await platform.control.createOrder();
		const [{ sku }] = order.line_items as Array<{ sku: string }>;
		await platform.control.setStock({ sku, location_id: 'sloc_main', quantity: 4711 });
		n8n.mishaps = { notStarted: true };
		await n8n.poll();
		const filters = { location_id: 'sloc_main' };
		const other = n8n.changed({ parameters: { watch: 'inventory', filters } });
		await other.publish();
		await other.poll();
		await other.poll();
		expect(other.items).toMatchObject([{ sku, quantity: 4711 }]);
	});

	test('belongs to the credential: another shop at the same address begins anew', async () => {
		const n8n = n8nWith({ parameters: { watch: 'event' } });
		await n8n.publish();
		const other = n8n.changed({ credentialId: 'credential-2' });
		await other.publish();
		expect(other.warnings.join()).toContain('because it belongs to another credential');
		await platform.control.emit('order.created', { id: 'ord_1' });
		await other.poll();
		expect(other.items).toHaveLength(1);
	});

	test('is still known after the key was rotated', async () => {
		const n8n = n8nWith();
		await n8n.publish();
		const id = await newOrder();
		await n8n.poll();
		const { apiKey } = await platform.control.createKey();
		const rotated = n8n.changed({ credentials: { baseUrl: platform.baseUrl, apiKey } });
		await rotated.publish();
		await rotated.poll();
		expect([...idsOf(n8n), ...idsOf(rotated)]).toEqual([id]);
		expect(rotated.warnings).toEqual([]);
	});

	describe('with n8n’s durable cursors', () => {
		test('is done as soon as it is stored: no restart gives it again', async () => {
			const n8n = n8nWith({ durable: true });
			await n8n.publish();
			n8n.mishaps = { running: true };
			const ids = [await newOrder()];
			await n8n.poll();
			await n8n.restart();
			ids.push(await newOrder());
			await n8n.poll();
			await n8n.restart();
			expect(idsOf(n8n)).toEqual(ids);
		});

		test('is given where it changed between publishing, of which n8n stores nothing, and the first poll', async () => {
			const n8n = n8nWith({ durable: true });
			await n8n.publish();
			expect(n8n.database).toBe('{}');
			const id = await newOrder();
			// "Now" is told in whole seconds.
			await new Promise((resolve) => setTimeout(resolve, 1_100));
			for (let polls = 0; polls < 3; polls++) await n8n.poll();
			expect(idsOf(n8n)).toEqual([id]);
		});

		test('is given again where n8n could not store it', async () => {
			const n8n = n8nWith({ durable: true });
			await n8n.publish();
			n8n.mishaps = { notStarted: true };
			const id = await newOrder();
			await n8n.poll();
			expect(n8n.items).toEqual([]);
			n8n.mishaps = {};
			await n8n.poll();
			await n8n.poll();
			expect(idsOf(n8n)).toEqual([id]);
		});

		test('is given once where two mains take turns', async () => {
			const one = n8nWith({ durable: true });
			await one.publish();
			const other = one.other();
			const id = await newOrder();
			for (let polls = 0; polls < 10; polls++) {
				await one.poll();
				other.database = one.database;
				await other.poll();
				one.database = other.database;
			}
			expect([...idsOf(one), ...idsOf(other)]).toEqual([id]);
		});
	});
});
