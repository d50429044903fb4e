import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { apiClient } from '../../../platform/support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { runExample } from '../../support/n8n/exampleRun';
import { environmentOfSuite } from '../environment';
import { CASES } from './spreadsheets/cases';
import { serveFiles, withFile } from './spreadsheets/fileOfRows';
import { examplesWithLists } from './spreadsheets/lists';

/** A write, as a person would write it down. */
function noted(method: string, target: string, body: IDataObject): string[] {
	if (method === 'PUT') {
		const { sku, location_id, quantity } = body;
		return [`${JSON.stringify(sku)} at ${String(location_id)}: ${String(quantity)}`];
	}
	if (target.endsWith('/batch'))
		return (body.operations as IDataObject[]).map((operation) => JSON.stringify(operation));
	return [`${method} ${JSON.stringify(body)}`];
}

const lineOf = ({ row, sku, value, reason }: IDataObject) =>
	`Row ${String(row)}, SKU ${String(sku)}, ${String(value)}: ${String(reason)}`;

describe('the examples, in one n8n', () => {
	const shop = environmentOfSuite({ platform: { products: 0, orders: 0, customers: 0 } });

	describe('with files as shops and spreadsheets write them, through Extract From File', () =>
		filesOfShops(shop));
	describe('with lists of people, parcels, products and warehouses', () => examplesWithLists(shop));
});

function filesOfShops(shop: TestEnvironment): void {
	let files: Awaited<ReturnType<typeof serveFiles>>;
	before(async () => (files = await serveFiles()));
	after(async () => await files?.close());
	beforeEach(async () => {
		await shop.platform.control.reset();
		await shop.platform.control.configure({ inDevelopment: { batch: true } });
	});

	for (const { file, extraction, example, columns, shopHas = [], written, report } of CASES)
		it(file, async () => {
			const { platform } = shop;
			if (shopHas.length > 0)
				await apiClient(platform).data('/products', {
					method: 'POST',
					body: { title: 'Listed', variants: shopHas.map((sku) => ({ sku, title: sku })) },
				});
			await platform.control.resetCounters();
			const url = `http://${files.address}/${file}`;
			const csv = { operation: 'csv' } as const;
			const change = withFile(example.sample, url, extraction ?? csv, columns);
			const { outputs } = await runExample(shop, example.file, change);
			const requests = await platform.control.requests();
			const taken = requests
				.filter(({ method, status }) => method !== 'GET' && status < 300)
				.flatMap(({ method, target, body }) =>
					noted(method, target, JSON.parse(body ?? '{}') as IDataObject),
				);
			const [[told] = []] = outputs('Report');
			const [wrongRows = []] = outputs('Wrong Row');
			// One example passes its wrong rows to the user's own report.
			const lines = told === undefined ? wrongRows.map(lineOf) : String(told.text).split('\n');
			assert.deepEqual({ written: taken.sort(), report: lines }, { written, report });
		});
}
