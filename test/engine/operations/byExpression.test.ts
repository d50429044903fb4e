import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';

beforeAll(() => nock.disableNetConnect());
afterAll(() => nock.restore());

/**
 * n8n takes no expression for a resource or an operation: it drops the “=”, so that what is left is no choice of the
 * list. No operation is found for it, and n8n's RoutingNode is to run the node.
 */
const REFUSED: Array<[string, IDataObject, string, string]> = [
	['an operation', { resource: 'order', operation: '={{ "get" }}' }, 'Operation', '{{ "get" }}'],
	['a resource', { resource: '={{ "order" }}', operation: 'get' }, 'Resource', '{{ "order" }}'],
	[
		'both, by what came in',
		{ resource: '={{ $json.resource }}', operation: '={{ $json.operation }}' },
		'Resource',
		'{{ $json.resource }}',
	],
	['an operation that there is not', { resource: 'order', operation: 'own' }, 'Operation', 'own'],
];

it.each(REFUSED)(
	'%s by an expression is refused by name, and nothing is sent',
	async (_what, chosen, field, written) => {
		const { error, items } = await runNode({
			parameters: { ...chosen, orderId: byId('ord_1') },
			items: [{ resource: 'order', operation: 'get' }],
		});
		expect(items).toEqual([]);
		expect(error?.message).toBe(`“${field}” cannot be “${written}”`);
		expect(error?.description).toBe(
			'n8n takes no expression here. Choose from the list; for several operations use a node for each, behind a Switch node.',
		);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	},
);
