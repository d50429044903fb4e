import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';

const fields = (...field: IDataObject[]): IDataObject => ({ fields: { field } });

const LEVEL = { sku: 'A', locationId: 'sloc_main', quantity: 1, delta: 1 };
const HOOK = { url: 'https://receiver.example/hook', events: ['order.paid'] };

export const shopMistakes: Mistake[] = [
	...mistakesOf(
		'account.get',
		{},
		{
			'11 at once': [{ requests: { maxRequestsAtOnce: 11 } }, 'Max Requests at Once'],
		},
	),
	...mistakesOf(
		'category.create',
		{},
		{
			nothing: [{ specifyFields: 'defineBelow', fields: {} }, 'Fields'],
			'malformed JSON': [{ specifyFields: 'json', json: '{ "a": ' }, 'JSON'],
			'a list': [{ specifyFields: 'json', json: '[1]' }, 'JSON'],
			'no name': [fields({ name: '', value: 'x' }), 'Fields: Name'],
			'a name twice': [fields({ name: 'a', value: '1' }, { name: 'a', value: '2' }), 'Fields'],
			'text that is not a number': [
				fields({ name: 'position', type: 'number', value: 'three' }),
				'Fields: position',
			],
			'neither true nor false': [
				fields({ name: 'visible', type: 'boolean', value: 'perhaps' }),
				'Fields: visible',
			],
		},
	),
	...mistakesOf(
		'customer.create',
		{},
		{
			nothing: [{ specifyFields: 'json', json: '{}' }, 'JSON'],
			'malformed JSON': [{ specifyFields: 'json', json: 'name' }, 'JSON'],
			'malformed JSON in a field': [
				fields({ name: 'address', type: 'json', value: '{' }),
				'Fields: address',
			],
		},
	),
	...mistakesOf(
		'customer.update',
		{ customerId: byId('cust_1') },
		{
			nothing: [{ fields: {} }, 'Fields'],
		},
	),
	...mistakesOf('inventory.set inventory.adjust', LEVEL, {
		...rowsOf(Object.entries(NOTHING), ([what, nothing]) => ({
			[`${what} as SKU`]: [{ sku: nothing }, '“SKU” is empty'],
			[`${what} as location`]: [{ locationId: nothing }, '“Location ID” is empty'],
		})),
		'an unknown answer to a conflict': [
			{ options: { onConflict: '={{ "retry" }}' } },
			'“On Conflict” cannot be "retry"',
		],
	}),
	...mistakesOf('inventory.set', LEVEL, {
		'a fractional quantity': [{ quantity: 1.5 }, 'Quantity'],
		'a quantity in words': [{ quantity: '={{ "two" }}' }, 'Quantity'],
		'an expression that gives no date': [
			{ options: { updatedAt: '={{ $json.counted }}' } },
			'“Updated At” is empty',
		],
		'a dry run that is neither on nor off': [
			{ options: { dryRun: '={{ $json.dry }}' } },
			'“Dry Run” must be true or false',
		],
		'no date': [{ options: { updatedAt: 'yesterday' } }, 'Updated At'],
		'a version over two lines': [{ options: { ifMatch: '1\n2' } }, 'If-Match'],
	}),
	...mistakesOf('inventory.adjust', LEVEL, {
		'a fractional delta': [{ delta: 0.5 }, 'Delta'],
	}),
	// Nothing is filled in for a number that was forgotten.
	...mistakesOf(
		'inventory.set',
		{ sku: 'A', locationId: 'sloc_main' },
		{
			'no quantity': [{}, '“Quantity” must be a whole number'],
		},
	),
	...mistakesOf(
		'inventory.adjust',
		{ sku: 'A', locationId: 'sloc_main' },
		{
			'no delta': [{}, '“Delta” must be a whole number'],
		},
	),
	...mistakesOf('webhook.create', HOOK, {
		'an http URL': [{ url: 'http://receiver.example/hook' }, 'URL'],
		'no URL': [{ url: '={{ "" }}' }, 'URL'],
		'text as URL': [{ url: 'receiver' }, 'URL'],
		'no events': [{ events: [] }, 'Events'],
		'an unknown event': [{ events: '={{ ["Order paid"] }}' }, 'Events'],
		'another unknown event': [
			{ additionalFields: { otherEvents: 'order.*' } },
			'Other Event Names',
		],
	}),
	...mistakesOf(
		'webhook.update',
		{ webhookId: byId('wh_1') },
		{
			nothing: [{ updateFields: {} }, 'Update Fields'],
		},
	),
	...mistakesOf(
		'webhook.update webhook.recreate',
		{ webhookId: byId('wh_1') },
		{
			'an http URL': [{ updateFields: { url: 'http://a.example' } }, 'URL'],
		},
	),
];
