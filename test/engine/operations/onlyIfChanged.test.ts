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

it.each<[string, IDataObject]>([
	['product.update', { productId: byId('id_1'), updateFields: { title: 'new' } }],
	['inventory.set', { sku: 'id_1', locationId: 'sloc_1', quantity: 2 }],
	['product.upsert', { specifyProduct: 'json', productJson: '{ "sku": "id_1", "title": "new" }' }],
])('what an earlier try may have written is not called skipped: %s', async (operation, fields) => {
	let record: IDataObject = { ...RECORDS[0], variants: [{ sku: 'id_1' }] };
	let answersLost = 1;
	stubApi({
		'GET *': ({ route }) => (/\/id_1$/.test(route) ? [200, { data: record }] : onlyPage([record])),
		'*': () => {
			record = { ...record, title: 'new', quantity: 2 };
			return answersLost-- > 0 ? 'ECONNRESET' : [200, { data: record }];
		},
	});
	const { json, error } = await runOperation(
		operation,
		{ ...fields, options: { onlyIfChanged: true }, requestOptions: { maxRetryWait: 0 } },
		{ retryOnFail: { maxTries: 2, waitBetweenTries: 1 } },
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ id: 'id_1' }]);
	expect(json[0]).not.toHaveProperty('skipped');
	expect(json[0].result).not.toBe('unchanged');
});
