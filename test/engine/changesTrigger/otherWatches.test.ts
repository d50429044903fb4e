import type { IDataObject } from 'n8n-workflow';

import { poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();

const emit = async (count: number) => {
	for (let n = 0; n < count; n++) await shop.changes.event();
};
const watching = async (watch: string, parameters: IDataObject = {}) =>
	await shop.published({ watch, ...parameters });
const TWELFTH = { filters: { after_event_id: 'evt_000000000032' } };

describe.each(Object.entries(shop.changes))(
	'the changes trigger, watching %s,',
	(watch, change) => {
		it('emits a change once, and again if it did not become an execution, which it reports', async () => {
			const n8n = await watching(watch);
			expect((await poll(n8n)).items).toEqual([]);
			await change();
			n8n.mishaps = { notStarted: true };
			expect((await poll(n8n)).items).toEqual([]);
			n8n.mishaps = {};
			expect((await poll(n8n, 2)).items).toHaveLength(1);
			expect(n8n.warnings.join()).toContain('emits again');
		});

		it('needs one request for a poll without changes', async () => {
			const n8n = await watching(watch);
			await n8n.poll();
			await shop.control.resetCounters();
			await poll(n8n, 5);
			expect(await shop.requests()).toBe(5);
		});
	},
);

it.each([
	['blanks', ' %\t'],
	['no-break blanks', '\u00a0%\u00a0'],
	['a character without a width', '\ufeff%'],
])(
	'the changes trigger reads a SKU and a location like Get Many: %s around them',
	async (_what, form) => {
		const { sku, location_id } = await shop.setStock(1);
		const around = (name: unknown) => form.replace('%', String(name));
		const filters = { sku: around(sku), location_id: around(location_id) };
		const sample = await (await watching('inventory', { filters })).fetchSample();
		expect(sample?.map(({ json }) => json)).toMatchObject([{ sku, location_id }]);
	},
);

it('the changes trigger refuses a broken cell as a SKU', async () => {
	await expect(watching('inventory', { filters: { sku: '#N/A' } })).rejects.toMatchObject({
		message: expect.stringContaining('a formula of the spreadsheet has failed') as string,
	});
});

describe('the changes trigger on the event stream', () => {
	it('begins after the event that the filter names', async () => {
		await emit(4);
		const { items } = await watching('event', TWELFTH);
		expect(items).toMatchObject([
			{ event_id: 'evt_000000000033' },
			{ event_id: 'evt_000000000034' },
		]);
	});

	it('shows the first five as a sample, and moves nothing', async () => {
		const n8n = await watching('event');
		const before = n8n.database.staticData;
		const ids = (await n8n.fetchSample())?.map(({ json }) =>
			Number(String(json.event_id).slice(4)),
		);
		expect(ids).toEqual([1, 2, 3, 4, 5]);
		expect(n8n.database.staticData).toBe(before);
	});

	it('says how to go on if the stream no longer has the last event', async () => {
		await shop.control.setFaults([{ path: '/events', fault: 'status', status: 410 }]);
		await expect(watching('event', TWELFTH)).rejects.toMatchObject({
			description: expect.stringMatching(
				/no longer holds the event “evt_000000000032”.*'After Event ID'/,
			) as string,
		});
		await shop.control.setFaults([]);
	});
});

describe('a filter whose expression returns nothing', () => {
	const NONE = '={{ $vars.missing }}';

	it.each([
		['order', 'status', 'Status'],
		['inventory', 'location_id', 'Location ID'],
	])('fails the poll, and does not watch everything: %s', async (watch, filter, label) => {
		await expect(watching(watch, { filters: { [filter]: NONE } })).rejects.toMatchObject({
			message: `'${label}' is empty`,
			description: expect.stringContaining('all records would come') as string,
		});
		expect(await shop.requests()).toBe(0);
	});

	it('is where to begin in the stream, which a first run may not know', async () => {
		const { items } = await watching('event', { filters: { after_event_id: NONE } });
		expect(items).toEqual([]);
	});
});
