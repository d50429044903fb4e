import type { IDataObject } from 'n8n-workflow';

import { byId, onlyPage, runOperation, stubApi, writesIn } from '../../support/engine';

const IDS = [1, 2, 3, 4, 5, 6].map((n) => `id_${n}`);
const RECORDS = IDS.map((id) => ({
	...{ id, title: 'old' },
	...{ sku: id, location_id: 'sloc_1', quantity: 1 },
}));
/** Only the first one changes anything. */
const ITEMS = RECORDS.map((record, n) =>
	n > 0 ? record : { ...record, title: 'new', quantity: 2 },
);

it.each<[string, IDataObject]>([
	[
		'product.update',
		{ productId: byId('={{ $json.id }}'), updateFields: { title: '={{ $json.title }}' } },
	],
	[
		'inventory.set',
		{ sku: '={{ $json.sku }}', locationId: 'sloc_1', quantity: '={{ $json.quantity }}' },
	],
])(
	'a dry run counts the writes that would be sent, as they are sent: %s',
	async (...[operation, fields]) => {
		const run = async (options: IDataObject) => {
			const sent = stubApi({ 'GET *': () => onlyPage(RECORDS), '*': [[200, { data: {} }]] });
			const { hint } = await runOperation(operation, { ...fields, options }, { items: ITEMS });
			return { hint, writes: writesIn(sent).length };
		};
		expect((await run({ onlyIfChanged: true })).writes).toBe(1);
		const { hint, writes } = await run({ onlyIfChanged: true, dryRun: true });
		expect(writes).toBe(0);
		expect(hint).toContain('It would be 1 request,');
	},
);
