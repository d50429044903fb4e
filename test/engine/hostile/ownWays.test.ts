import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { plain, said } from './exact';
import { HOSTILE_VALUES } from './values';
import { catchRequests, operationIn } from './wire';

it.each(['upsert', 'importCatalog'])(
	'product.%s: Input Item refuses a hostile value by name, leaves out an empty one, or sends it as it is',
	async (operation) => {
		const caught = catchRequests();
		const options = { batchSize: 1, columnsToSend: 'a' };
		const { items } = await runOperation(
			`product.${operation}`,
			{ specifyProduct: 'autoMapInputData', options, requestOptions: { maxRetryWait: 0 } },
			{
				items: HOSTILE_VALUES.map(([, a], at) => ({ sku: `row-${at}`, a }) as IDataObject),
				onError: 'continueRegularOutput',
			},
		);
		const faults: string[] = [];
		for (const { json, pairedItem } of items) {
			const [name, value] = HOSTILE_VALUES[(pairedItem as { item: number }).item];
			if (json.error !== undefined) {
				const message = json.error as string;
				if (!message.includes("'Input Item: a")) faults.push(`${name}: ${message}`);
				continue;
			}
			const { text } = operationIn(caught[(json.caught ?? json.updated_at) as number]);
			const sent = JSON.parse(text) as IDataObject;
			const expected = { sku: 'row', ...(said({ a: plain(value) }) as IDataObject) };
			if (!isDeepStrictEqual(sent, expected)) faults.push(`${name}: ${text.slice(0, 200)}`);
		}
		expect(faults).toEqual([]);
		expect(items).toHaveLength(HOSTILE_VALUES.length);
	},
);

it.each(['upsert', 'importCatalog'])(
	'product.%s: Input Item does not send a column that is no field of a product, whatever it holds',
	async (operation) => {
		const caught = catchRequests();
		const { items, hints } = await runOperation(
			`product.${operation}`,
			{ specifyProduct: 'autoMapInputData', options: { batchSize: 1 } },
			{
				items: HOSTILE_VALUES.map(([, a], at) => ({ sku: `row-${at}`, a }) as IDataObject),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.filter(({ json }) => json.error !== undefined)).toEqual([]);
		const sent = caught.filter(({ places }) => places.get('method') === 'POST');
		expect(sent.map((request) => operationIn(request).text)).toEqual(
			HOSTILE_VALUES.map(() => '{"sku":"row"}'),
		);
		expect(hints.map(({ message }) => message).join(' ')).toMatch(/“a”|: a\b/);
	},
);

it('Input Item sends a title as the text that the cell holds, or refuses it by name', async () => {
	const caught = catchRequests(true);
	const { items } = await runOperation(
		'product.upsert',
		{ specifyProduct: 'autoMapInputData', options: { batchSize: 1 } },
		{
			items: HOSTILE_VALUES.map(([, title], at) => ({ sku: `row-${at}`, title }) as IDataObject),
			onError: 'continueRegularOutput',
		},
	);
	const faults: string[] = [];
	for (const { json, pairedItem } of items) {
		const [name, value] = HOSTILE_VALUES[(pairedItem as { item: number }).item];
		if (json.error !== undefined) {
			if (!String(json.error).includes('title')) faults.push(`${name}: ${String(json.error)}`);
			continue;
		}
		const { text } = operationIn(caught[json.updated_at as number]);
		const sent = JSON.parse(text) as IDataObject;
		const asText = typeof value === 'number' ? { title: String(value) } : { title: plain(value) };
		const expected = { sku: 'row', ...(said(asText) as IDataObject) };
		if (!isDeepStrictEqual(sent, expected)) faults.push(`${name}: ${text.slice(0, 200)}`);
	}
	expect(faults).toEqual([]);
	expect(items).toHaveLength(HOSTILE_VALUES.length);
});
