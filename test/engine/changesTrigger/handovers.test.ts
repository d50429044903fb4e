import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();
const timeOf = (secondsAgo: number) => new Date(Date.now() - 1000 * secondsAgo).toISOString();
/** An order that shows now, and changed some seconds ago. */
const orderOf = async (secondsAgo: number) =>
	(await shop.platform.control.writeRecord('orders', { updatedAt: timeOf(secondsAgo) })).id;

describe('what the changes trigger has handed over', () => {
	it('is given once over a restart where Go On is chosen', async () => {
		const n8n = await shop.published({ options: { afterRestart: 'goOn' } });
		const first = await shop.newOrder();
		await n8n.poll();
		await n8n.restart();
		const last = await shop.newOrder();
		expect(idsOf(await poll(n8n))).toEqual([first, last]);
	});

	it('is given again after a restart of what the process before handed over last, and nothing else', async () => {
		const n8n = await shop.published();
		const first = await shop.newOrder();
		await n8n.poll();
		const last = await shop.newOrder();
		await n8n.poll();
		await n8n.restart();
		expect(idsOf(n8n)).toEqual([first, last, last]);
	});

	it('is given again where n8n died before the execution, with the state saved', async () => {
		const n8n = await shop.published();
		const id = await shop.newOrder();
		n8n.mishaps = { notStarted: true };
		await n8n.poll();
		n8n.mishaps = {};
		await n8n.restart();
		expect(idsOf(n8n)).toEqual([id]);
	});

	it('is given again where its execution turns out not to have started, after another poll', async () => {
		const n8n = await shop.published();
		n8n.mishaps = { running: true };
		const id = await shop.newOrder();
		expect(idsOf(await poll(n8n, 2))).toEqual([id]);
		n8n.failToStart();
		n8n.mishaps = {};
		expect(idsOf(await poll(n8n))).toEqual([id, id]);
	});

	it('is not given again under other filters while it is being executed', async () => {
		const n8n = await shop.published();
		n8n.mishaps = { running: true };
		const id = await shop.newOrder();
		expect(idsOf(await poll(n8n, 2))).toEqual([id]);
		const other = n8n.changed({ parameters: { filters: { status: 'created' } } });
		await other.publish();
		const next = await shop.newOrder();
		expect(idsOf(await poll(other))).toEqual([next]);
	});

	it('is given again under other filters where no execution came of it', async () => {
		const n8n = await shop.published();
		n8n.mishaps = { notStarted: true };
		const id = await shop.newOrder();
		await n8n.poll();
		const other = n8n.changed({ parameters: { filters: { q: '' } } });
		await other.publish();
		expect(idsOf(other)).toEqual([id]);
	});

	it('is given again after stock levels were filtered otherwise where no execution came of it', async () => {
		const n8n = await shop.published({ watch: 'inventory' });
		await n8n.poll();
		const level = await shop.setStock(4711);
		n8n.mishaps = { notStarted: true };
		await n8n.poll();
		const filters = { location_id: level.location_id };
		const other = n8n.changed({ parameters: { watch: 'inventory', filters } });
		await other.publish();
		expect((await poll(other, 2)).items).toMatchObject([level]);
	});

	it('belongs to the credential: another shop at the same address begins anew', async () => {
		const n8n = await shop.published({ watch: 'event' });
		const other = n8n.changed({ credentialId: 'credential-2' });
		await other.publish();
		expect(other.warnings.join()).toContain('because it belongs to another credential');
		await shop.platform.control.emit('order.created', { id: 'ord_1' });
		expect((await poll(other)).items).toHaveLength(1);
	});

	it('is still known after the key was rotated', async () => {
		const n8n = await shop.published();
		const id = await shop.newOrder();
		await n8n.poll();
		const { baseUrl, control } = shop.platform;
		const { apiKey } = await control.createKey();
		const rotated = n8n.changed({ credentials: { baseUrl, apiKey } });
		await rotated.publish();
		expect([...idsOf(n8n), ...idsOf(await poll(rotated))]).toEqual([id]);
		expect(rotated.warnings).toEqual([]);
	});
});

describe('a changes trigger that was renamed', () => {
	it('goes on where it was, also after a later restart', async () => {
		const n8n = await shop.published();
		const first = await shop.newOrder();
		await n8n.poll();
		const renamed = n8n.changed({ nodeName: 'Renamed' });
		const second = await shop.newOrder();
		await renamed.publish();
		await renamed.restart();
		const third = await shop.newOrder();
		await renamed.poll();
		expect([...idsOf(n8n), ...idsOf(renamed)]).toEqual([first, second, second, third]);
	});

	it('begins anew where n8n was restarted before, or at Start From', async () => {
		const n8n = await shop.published();
		const id = await orderOf(30);
		const renamed = n8n.changed({ nodeName: 'Renamed' });
		await renamed.restart();
		expect(idsOf(renamed)).toEqual([]);
		const options = { startFrom: timeOf(60) };
		const other = n8n.changed({ nodeName: 'Other', parameters: { options } });
		await other.restart();
		expect(idsOf(other)).toContain(id);
	});
});

describe('what the changes trigger has handed over, with n8n’s durable cursors,', () => {
	it('is done as soon as it is stored: no restart gives it again', async () => {
		const n8n = await shop.published({}, { durable: true });
		n8n.mishaps = { running: true };
		const ids = [await shop.newOrder()];
		await n8n.poll();
		await n8n.restart();
		ids.push(await shop.newOrder());
		await n8n.poll();
		await n8n.restart();
		expect(idsOf(n8n)).toEqual(ids);
	});

	it('is given where it changed between publishing, of which n8n stores nothing, and the first poll', async () => {
		const n8n = await shop.published({}, { durable: true });
		expect(n8n.database.staticData).toBe('{}');
		const id = await shop.newOrder();
		// "Now" is told in whole seconds.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		expect(idsOf(await poll(n8n, 3))).toEqual([id]);
	});

	it('is given again where n8n could not store it', async () => {
		const n8n = await shop.published({}, { durable: true });
		n8n.mishaps = { notStarted: true };
		const id = await shop.newOrder();
		expect((await poll(n8n)).items).toEqual([]);
		n8n.mishaps = {};
		expect(idsOf(await poll(n8n, 2))).toEqual([id]);
	});

	it('is lost where they were switched off again, and n8n ended between cursor and execution', async () => {
		const n8n = await shop.published({}, { durable: true });
		n8n.mishaps = { cursorAlone: true };
		const ids = [await shop.newOrder()];
		await n8n.poll();
		n8n.mishaps = {};
		await n8n.restart();
		ids.push(await shop.newOrder());
		expect(idsOf(await poll(n8n, 3))).toEqual(ids.slice(1));
	});

	it('is not given where n8n ended before the first poll after publishing', async () => {
		const n8n = await shop.published({}, { durable: true });
		await orderOf(30);
		await n8n.restart();
		const id = await shop.newOrder();
		expect(idsOf(await poll(n8n))).toEqual([id]);
	});

	it('is given once where two mains take turns', async () => {
		const one = await shop.published({}, { durable: true });
		const other = one.other();
		const id = await shop.newOrder();
		for (let polls = 0; polls < 10; polls++) {
			await one.poll();
			await other.poll();
		}
		expect([...idsOf(one), ...idsOf(other)]).toEqual([id]);
	});
});
