import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';

const fields = (...field: IDataObject[]): IDataObject => ({ fields: { field } });

const query = (...parameter: IDataObject[]): IDataObject => ({ furtherQuery: { parameter } });

const EMAIL = { email: 'ada@customer.example' };
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
			'a number that JavaScript cannot hold': [
				{ specifyFields: 'json', json: '{ "a": 12345678901234567890 }' },
				'“JSON” holds "12345678901234567890"',
			],
			'a list': [{ specifyFields: 'json', json: '[1]' }, 'JSON'],
			'no name': [fields({ name: '', value: 'x' }), 'Fields: Name'],
			'a name twice': [fields({ name: 'a', value: '1' }, { name: 'a', value: '2' }), 'Fields'],
		},
	),
	...mistakesOf(
		'customer.create',
		{},
		{
			nothing: [{ specifyFields: 'json', json: '{}' }, 'JSON'],
		},
	),
	...mistakesOf(
		'customer.update',
		{ customerId: byId('cust_1') },
		{
			nothing: [{ fields: {} }, 'Fields'],
			'what an expression leaves empty': [
				{ specifyFields: 'json', json: '={{ { phone: null } }}' },
				'“JSON” is empty',
			],
		},
	),
	...mistakesOf(
		'customer.getAll',
		{ filters: EMAIL },
		rowsOf<[label: string, beside: IDataObject]>(
			[
				['Updated Since', { filters: { ...EMAIL, updated_since: '2030-01-01T00:00:00Z' } }],
				['Further Query Parameters', { options: query({ name: 'a', value: 'b' }) }],
				['Include Response Metadata', { options: { includeMetadata: true } }],
				['Known ETag', { requests: { ifNoneMatch: '"1"' } }],
				['Max Pages', { options: { maxPages: 2 } }],
				['Page Size', { requests: { pageSize: 50 } }],
				['Start Cursor', { options: { startCursor: 'abc' } }],
			],
			([label, beside]) => ({
				[`an email beside ${label}`]: [beside, `“Email” cannot be combined with “${label}”`],
			}),
		),
	),
	...mistakesOf(
		'customer.getAll',
		{},
		{
			'a query of its own cursor': [{ options: query({ name: 'cursor', value: 'x' }) }, 'cursor'],
			'a query of its own limit': [{ options: query({ name: 'limit', value: '5' }) }, 'limit'],
			'a query that is no name': [
				{ options: query({ name: '__proto__', value: '1' }) },
				'cannot be “__proto__”',
			],
			'a query without a value': [
				{ options: query({ name: 'q', value: '={{ $json.none }}' }) },
				'“Further Query Parameters: q” has no value',
			],
			'a query twice': [
				{ options: query({ name: 'q', value: 'a' }, { name: 'q', value: 'b' }) },
				'sets “q” a second time',
			],
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
		'an expression that gives no date': [
			{ options: { updatedAt: '={{ $json.counted }}' } },
			'“Updated At” is empty',
		],
		'a dry run that is neither on nor off': [
			{ options: { dryRun: '={{ $json.dry }}' } },
			'“Dry Run” must be true or false',
		],
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
