import type { INodeProperties } from 'n8n-workflow';

import { decimalAmounts, LIST_FILTERS, simplify } from '../shared/fields';
import { WATCH_NAMES, WATCHES, type WatchName } from './parameters';

const watch: INodeProperties = {
	displayName: 'Watch',
	name: 'watch',
	type: 'options',
	noDataExpression: true,
	options: WATCH_NAMES.map((value) => ({ value, ...WATCHES[value].option })),
	default: 'order',
	description: 'What starts the workflow when it changes',
};

const intervalNotice: INodeProperties = {
	displayName:
		'Poll every 5 to 15 minutes: this trigger finds what webhooks have missed. For changes within seconds, use the Commerce Platform Trigger beside it, in a workflow of its own.',
	name: 'intervalNotice',
	type: 'notice',
	default: '',
};

const inventoryNotice: INodeProperties = {
	displayName:
		'The platform cannot list changed stock levels only, so each poll reads all that match the filters, 250 with one request and at most 10,000.',
	name: 'inventoryNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { watch: ['inventory'] } },
};

function filtersOf(name: WatchName): INodeProperties[] {
	const { filters } = WATCHES[name];
	if (filters.length === 0) return [];
	const shown = filters.map((filter) => LIST_FILTERS[filter]);
	return [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Watch only what matches. After a change, the trigger goes on from where it is.',
			displayOptions: { show: { watch: [name] } },
			options: shown.sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
	];
}

/** @param range least, default and most */
const numberOption = (
	displayName: string,
	name: string,
	[minValue, byDefault, maxValue]: [number, number, number],
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue, maxValue },
	default: byDefault,
	description,
});

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Add Change Key',
			name: 'addChangeKey',
			type: 'boolean',
			default: true,
			description:
				'Whether to add “changeKey”, made of ID and version: the same for the same change, to tell repeats',
		},
		decimalAmounts,
		{
			displayName: 'After a Restart',
			name: 'afterRestart',
			type: 'options',
			options: [
				{
					name: 'Give the Last Changes Again',
					value: 'again',
					description: 'Nothing is lost: n8n may have ended before it made an execution of them',
				},
				{
					name: 'Go On',
					value: 'goOn',
					description: 'Nothing comes twice; what n8n lost when it ended is lost',
				},
			],
			default: 'again',
			description:
				'What to do with the changes that were given last before n8n ended. With n8n’s durable cursors they are neither lost nor given again, whatever you choose.',
		},
		numberOption(
			'Keep Daily Budget (%)',
			'keepDailyBudget',
			[0, 20, 100],
			'Wait until the next UTC day when less than this share of the API key’s daily requests is left. The trigger then goes on where it stopped.',
		),
		numberOption(
			'Max Pages per Poll',
			'maxPages',
			[1, 10, 40],
			'Stop after this many pages of up to 250 records, each one request. The next poll goes on there. Pages that bring nothing new do not count. Inventory is always read whole.',
		),
		numberOption(
			'Overlap (Seconds)',
			'overlap',
			[10, 120, 86_400],
			'How far each poll looks back behind the one before, for changes that become visible late. What was emitted is not emitted again.',
		),
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'The first poll begins with what changed at this time, oldest first, as many records as Max Pages per Poll allows. Without it, the trigger begins with what changes from now on.',
		},
	],
};

/** The node's parameters; n8n adds the poll times by itself. */
export const properties: INodeProperties[] = [
	intervalNotice,
	watch,
	inventoryNotice,
	...WATCH_NAMES.flatMap(filtersOf),
	{
		...simplify,
		displayOptions: {
			show: { watch: WATCH_NAMES.filter((name) => WATCHES[name].simplify !== undefined) },
		},
	},
	options,
];
