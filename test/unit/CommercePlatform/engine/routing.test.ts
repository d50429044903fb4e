import type { INodeProperties } from 'n8n-workflow';

import { CommercePlatform } from '../../../../nodes/CommercePlatform/CommercePlatform.node';
import { unreadRouting } from './routingFeatures';

it('uses no feature of routing that the package’s own reader leaves out', () => {
	expect(unreadRouting(new CommercePlatform().description.properties)).toEqual([]);
});

describe('the check', () => {
	const field = (more: Partial<INodeProperties>): INodeProperties => ({
		displayName: 'Field',
		name: 'field',
		type: 'string',
		default: '',
		...more,
	});

	it.each<[string, INodeProperties]>([
		['field: send.value', field({ routing: { send: { type: 'body', value: '={{ 1 }}' } } })],
		[
			'field: send.propertyInDotNotation',
			field({ routing: { send: { propertyInDotNotation: false } } }),
		],
		['field: send.expression in property', field({ routing: { send: { property: '={{ 1 }}' } } })],
		['field: output', field({ routing: { output: { maxResults: 1 } } })],
		['field: request', field({ routing: { request: { url: '/x' } } })],
		['field: operations', field({ routing: { operations: { pagination: undefined } } })],
		[
			'field.inner: output',
			field({ type: 'collection', options: [field({ name: 'inner', routing: { output: {} } })] }),
		],
		[
			'field.rows.inner: request',
			field({
				type: 'fixedCollection',
				options: [
					{
						displayName: 'Rows',
						name: 'rows',
						values: [field({ name: 'inner', routing: { request: {} } })],
					},
				],
			}),
		],
		[
			'field.one: request.qs',
			field({
				type: 'options',
				options: [{ name: 'one', value: 'one', routing: { request: { url: '/x', qs: {} } } }],
			}),
		],
	])('finds %s', (found, property) => {
		expect(unreadRouting([property])).toContainEqual(expect.stringContaining(found));
	});
});
