import nock from 'nock';
import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { actionNode, runNode } from '../../support/engine/runNode';
import { serveShop } from './shop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const run = async (parameters: IDataObject) => {
	const sent = serveShop();
	const { error } = await runNode({ parameters });
	return { message: error?.message, sent };
};

it('opens on Order, Get Many when it is added', () => {
	const { description } = actionNode(false);
	const { properties, version } = description;
	const node = { typeVersion: version } as INode;
	// What the editor makes of a node's parameters: with the defaults that it does not save.
	expect(
		NodeHelpers.getNodeParameters(properties, {}, true, false, node, description),
	).toMatchObject({ resource: 'order', operation: 'getAll' });
});

it.each([
	['{ "reason": "Asked" }', '“JSON” says no amount'],
	['{ "reason": "Asked", "line_items": [] }', '“JSON” says no amount'],
	['{ "amount": 0 }', '“JSON” says no amount'],
	['{ "amount": 1999.00 }', '“JSON: amount” must be a whole number of minor units'],
	['{ "amount": 10.5 }', '“JSON: amount” must be a whole number of minor units'],
])('sends no refund of which the extent is not said: %s', async (json, message) => {
	const saved = { orderId: byId('ord_1'), extent: 'fields', specifyFields: 'json', json };
	const refund = { resource: 'order', operation: 'refund', ...saved };
	expect(await run(refund)).toEqual({ sent: [], message });
});

it.each(['={{ $json.none }}', '={{ "" }}'])(
	'refuses a filter whose expression %s gives nothing, since all records would come',
	async (nothing) => {
		const filters = { status: nothing };
		expect(await run({ resource: 'order', operation: 'getAll', limit: 1, filters })).toEqual({
			sent: [],
			message: '“Status” is empty',
		});
	},
);

it.each([
	['set', '“Quantity” must be a whole number'],
	['adjust', '“Delta” must be a whole number'],
])(
	'writes no stock level of which no number was said: inventory.%s',
	async (operation, message) => {
		const level = { resource: 'inventory', operation, sku: 'A', locationId: 'sloc_main' };
		expect(await run(level)).toEqual({ sent: [], message });
	},
);

it('ships no line item of which no quantity was said', async () => {
	const { sent, message } = await run({
		resource: 'order',
		operation: 'fulfill',
		orderId: byId('ord_1'),
		specifyItems: 'defineBelow',
		items: { item: [{ line_item_id: 'li_1' }] },
	});
	expect(sent).toEqual([]);
	expect(message).toContain('Items 1: Quantity');
});
