import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { runOperation, type NodeResult } from '../../support/engine/runNode';
import { plain, said } from './exact';
import { HOSTILE_VALUES } from './values';
import { catchRequests, operationIn, type CaughtRequest } from './wire';

/** Runs an operation that takes products by Input Item, with each hostile value in a column of a row of its own. */
const runRows = async (operation: string, column: string, options: IDataObject) =>
	await runOperation(
		`product.${operation}`,
		{
			specifyProduct: 'autoMapInputData',
			options: { batchSize: 1, ...options },
			requestOptions: { maxRetryWait: 0 },
		},
		{
			items: HOSTILE_VALUES.map(
				([, value], at) => ({ sku: `row-${at}`, [column]: value }) as IDataObject,
			),
			onError: 'continueRegularOutput',
		},
	);

/**
 * The values that were neither refused nor sent as they must be.
 *
 * @param named what a refusal says of the column
 * @param fieldsOf what must be sent of a value
 */
function faultsOf(
	{ items }: NodeResult,
	caught: CaughtRequest[],
	named: string,
	fieldsOf: (value: unknown) => object,
): string[] {
	expect(items).toHaveLength(HOSTILE_VALUES.length);
	return items.flatMap(({ json, pairedItem }) => {
		const [name, value] = HOSTILE_VALUES[(pairedItem as { item: number }).item];
		if (json.error !== undefined) {
			const message = json.error as string;
			return message.includes(named) ? [] : [`${name}: ${message}`];
		}
		const { text } = operationIn(caught[(json.caught ?? json.updated_at) as number]);
		const expected = { sku: 'row', ...(said(fieldsOf(value)) as IDataObject) };
		return isDeepStrictEqual(JSON.parse(text), expected) ? [] : [`${name}: ${text.slice(0, 200)}`];
	});
}

it.each(['upsert', 'importCatalog'])(
	'product.%s: Input Item refuses a hostile value by name, leaves out an empty one, or sends it as it is',
	async (operation) => {
		const caught = catchRequests(true);
		const result = await runRows(operation, 'a', { columnsToSend: 'a' });
		expect(faultsOf(result, caught, "'Input Item: a", (value) => ({ a: plain(value) }))).toEqual(
			[],
		);
	},
);

it.each(['upsert', 'importCatalog'])(
	'product.%s: Input Item does not send a column that is no field of a product, whatever it holds',
	async (operation) => {
		const caught = catchRequests(true);
		const { items, hints } = await runRows(operation, 'a', {});
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
	const result = await runRows('upsert', 'title', {});
	const asText = (value: unknown) => ({
		title: typeof value === 'number' ? String(value) : plain(value),
	});
	expect(faultsOf(result, caught, 'title', asText)).toEqual([]);
});
