import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/CommercePlatform/runner/operation';
import { SERVICE } from '../../../nodes/shared/shop/service';
import { byMode } from '../../support/parameters';
import { FIRST_CASES, operationOf } from './cases';
import type { Fixtures, Shop } from './shop';

type Parameters = (fixtures: Fixtures, shop: Shop) => IDataObject | Promise<IDataObject>;

/** A choice that may make an operation read beside its own request. */
interface Choice {
	/** The choice in the words of the editor; none if there is nothing to choose. */
	when?: string;
	/** Whether the choice makes the operation read. */
	reads: boolean;
	/** Parameters that make the choice. */
	parameters: Parameters;
}

/** A case of an operation, with one of its choices. */
export interface ReadCase extends Choice {
	/** e.g. `order.cancel` */
	operation: string;
}

/** The answer to the first write to an order. */
const NOT_ALLOWED = {
	path: '/orders/',
	fault: 'status' as const,
	status: 409,
	code: 'INVALID_STATE_TRANSITION',
	times: 1,
};

const fieldOf = ({ fields }: Operation, name: string) =>
	fields.find((field) => field.name === name);

const hasOption = (operation: Operation, collection: string, name: string): boolean =>
	fieldOf(operation, collection)?.options?.some((option) => option.name === name) === true;

/** Whether an operation can compare its write with the present record. */
const compares = (operation: Operation): boolean =>
	hasOption(operation, 'options', 'onlyIfChanged') ||
	(operation.kind === 'each' && operation.preview !== undefined);

const options =
	(chosen: IDataObject): Parameters =>
	() => ({ options: chosen });

/** Fields and options that may make an operation read, and how to choose each. */
const CHOICES: Array<Omit<Choice, 'reads'> & { isIn: (operation: Operation) => boolean }> = [
	{
		when: 'Return Current Order',
		isIn: (operation) => hasOption(operation, 'options', 'ifNotAllowed'),
		parameters: async (_fixtures, { platform }) => {
			await platform.control.setFaults([NOT_ALLOWED]);
			return { options: { ifNotAllowed: 'returnCurrent' } };
		},
	},
	{
		when: 'All Open Items',
		isIn: (operation) => fieldOf(operation, 'specifyItems') !== undefined,
		parameters: () => ({ specifyItems: 'open' }),
	},
	{
		when: 'From Input Items',
		isIn: (operation) => fieldOf(operation, 'specifyItems') !== undefined,
		parameters: async ({ order }, shop) => {
			const { line_items: lines } = await shop.read(`/orders/${order}`);
			const [{ sku }] = lines as Array<{ sku: string }>;
			return { specifyItems: 'rows', rowLine: sku, rowQuantity: '1' };
		},
	},
	{
		when: 'Add to Merchant Note',
		isIn: (operation) => hasOption(operation, 'updateFields', 'addToMerchantNote'),
		parameters: () => ({ updateFields: { addToMerchantNote: 'Ring twice' } }),
	},
	{
		when: 'Input Item or a Price',
		isIn: (operation) => hasOption(operation, 'options', 'ifBatchNotAvailable'),
		parameters: () => ({ specifyProduct: 'defineBelow', price: '19.99', currency: 'EUR' }),
	},
	{
		when: 'an empty Currency',
		isIn: (operation) => fieldOf(operation, 'extent') !== undefined,
		parameters: () => ({ extent: 'amount', amount: '1', currency: '' }),
	},
	{
		when: 'Merge by SKU and Currency',
		isIn: (operation) => hasOption(operation, 'updateFields', 'writeVariants'),
		parameters: ({ sku }) => ({
			updateFields: { variantsJson: `[{ "sku": "${sku}", "title": "New" }]` },
		}),
	},
	{
		when: 'Overwrite',
		isIn: (operation) => hasOption(operation, 'options', 'onConflict'),
		parameters: options({ onConflict: 'overwrite', updatedAt: '2020-01-01T00:00:00Z' }),
	},
	{
		when: 'Return Current Level',
		isIn: (operation) => hasOption(operation, 'options', 'onConflict'),
		parameters: options({ onConflict: 'returnCurrent', ifMatch: '"99"' }),
	},
	{
		when: 'Only If Changed',
		isIn: (operation) => hasOption(operation, 'options', 'onlyIfChanged'),
		parameters: options({ onlyIfChanged: true }),
	},
	{
		when: 'Send One by One',
		isIn: (operation) => hasOption(operation, 'options', 'ifBatchNotAvailable'),
		parameters: async (_fixtures, { platform }) => {
			await platform.control.configure({ inDevelopment: { batch: false } });
			return { options: { ifBatchNotAvailable: 'single' } };
		},
	},
];

/** A record that is not named by its ID must be looked up. */
function lookUps({ option, fields }: Operation): Choice[] {
	const { url } = option.routing.request;
	const locator = fields.find(({ name }) => url.includes(`{${name}}`));
	const modes = locator?.modes?.filter(({ name }) => name !== 'list' && name !== 'id') ?? [];
	return modes.map(({ name: mode, displayName }) => ({
		when: `By ${displayName}`,
		reads: true,
		parameters: async (fixtures, shop) => {
			const resource = locator?.name.replace(/Id$/, '') as keyof Fixtures;
			const record = await shop.read(`/${url.split('/')[1]}/${fixtures[resource]}`);
			const value = mode === 'sku' ? fixtures.sku : record[mode];
			return { [String(locator?.name)]: byMode(mode, value) };
		},
	}));
}

/** The scope of the reads that an operation makes beside its own request. */
export const readScopeOf = ({ option }: Operation): string | undefined =>
	SERVICE.about({ method: 'GET', path: `/${option.routing.request.url.split('/')[1]}` }).scope;

/** The choices for which an operation may need a scope that its own request does not need. */
export function readChoicesOf(operation: Operation): Choice[] {
	const { method, url } = operation.option.routing.request;
	if (readScopeOf(operation) === SERVICE.about({ method, path: url }).scope || method === 'GET')
		return [];
	const inPath = /\{(\w+)\}/.exec(url)?.[1];
	// If no field names the record in the path, it is always looked up.
	if (inPath !== undefined && fieldOf(operation, inPath) === undefined)
		return [{ reads: true, parameters: () => ({}) }];
	const dryRun = {
		when: 'Dry Run',
		reads: compares(operation),
		parameters: options({ dryRun: true }),
	};
	return [
		...lookUps(operation),
		...CHOICES.filter(({ isIn }) => isIn(operation)).map((choice) => ({ ...choice, reads: true })),
		...(hasOption(operation, 'options', 'dryRun') ? [dryRun] : []),
	];
}

/** Every operation with each of its choices. */
export const READ_CASES: ReadCase[] = FIRST_CASES.flatMap(({ operation, parameters }) =>
	readChoicesOf(operationOf(operation)).map((choice) => ({
		...choice,
		operation,
		parameters: async (fixtures, shop) => ({
			...parameters(fixtures),
			...(await choice.parameters(fixtures, shop)),
		}),
	})),
);
