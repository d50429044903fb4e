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
			'operation.one: request.qs',
			field({
				name: 'operation',
				type: 'options',
				options: [{ name: 'one', value: 'one', routing: { request: { url: '/x', qs: {} } } }],
			}),
		],
		[
			'field.one: request',
			field({
				type: 'options',
				options: [{ name: 'one', value: 'one', routing: { request: { url: '/x' } } }],
			}),
		],
		[
			'operation.one: send',
			field({
				name: 'operation',
				type: 'options',
				options: [{ name: 'one', value: 'one', routing: { send: { property: 'x' } } }],
			}),
		],
		['field: send.paginate', field({ routing: { send: { paginate: true } } })],
		[
			'resource: send.paginate',
			field({ name: 'resource', routing: { send: { paginate: '={{ true }}' } } }),
		],
		[
			'resource.resource: send.paginate',
			field({
				name: 'resource',
				type: 'collection',
				options: [field({ name: 'resource', routing: { send: { paginate: true } } })],
			}),
		],
	])('finds %s', (found, property) => {
		expect(unreadRouting([property])).toContainEqual(expect.stringContaining(found));
	});
});
