import nock from 'nock';
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { actionNode, runNode } from '../../support/engine/runNode';
import { serveShop } from './shop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** What the editor makes of a node's parameters: with the defaults that it does not save. */
function parametersOf(typeVersion: number, parameters: INodeParameters): INodeParameters | null {
	const { description } = actionNode(false);
	const node = { typeVersion } as INode;
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description);
}

it('is added in the version whose defaults are the present ones', () => {
	expect(actionNode(false).description).toMatchObject({ version: [1, 1.1], defaultVersion: 1.1 });
});

it('opens on Order, Get Many when it is added', () => {
	expect(parametersOf(1.1, {})).toMatchObject({ resource: 'order', operation: 'getAll' });
});

it('keeps the resource of a node that was saved when that was the default, and so not saved', async () => {
	expect(parametersOf(1, {})).toMatchObject({ resource: 'account', operation: 'get' });
	const sent = serveShop();
	const { error } = await runNode({ parameters: {}, typeVersion: 1 });
	expect(error).toBeUndefined();
	expect(sent).toMatchObject([{ method: 'GET', target: '/account' }]);
});

const refund = async (json: string, typeVersion?: number) => {
	const sent = serveShop();
	const saved = { orderId: byId('ord_1'), extent: 'fields', specifyFields: 'json', json };
	const parameters = { resource: 'order', operation: 'refund', ...saved };
	const { error } = await runNode({ parameters, typeVersion });
	return { message: error?.message, sent };
};

it.each([
	['{ "reason": "Asked" }', { reason: 'Asked' }],
	['{ "amount": 1999.00 }', { amount: 1999 }],
	['{ "amount": 10.5 }', { amount: 10.5 }],
])('keeps the refund of a body that was sent as it is: %s', async (json, body) => {
	expect((await refund(json, 1)).sent).toMatchObject([{ method: 'POST', body }]);
	expect(await refund(json)).toMatchObject({ sent: [], message: expect.any(String) });
});

it.each(['{ "reason": "Asked", "line_items": [] }', '{ "amount": 0 }'])(
	'refuses a refund that was to be of a part and says none: %s',
	async (json) => {
		expect(await refund(json, 1)).toEqual({ sent: [], message: '“JSON” says no amount' });
	},
);

it.each(['={{ $json.none }}', '={{ "" }}'])(
	'keeps a filter whose expression %s gives nothing for none',
	async (nothing) => {
		const sent = serveShop();
		const parameters = { resource: 'order', operation: 'getAll', limit: 1 };
		const filters = { status: nothing };
		const { error } = await runNode({ parameters: { ...parameters, filters }, typeVersion: 1 });
		expect(error).toBeUndefined();
		expect(sent).toMatchObject([{ method: 'GET', target: '/orders?limit=1' }]);
		const now = await runNode({ parameters: { ...parameters, filters } });
		expect(now.error?.message).toBe('“Status” is empty');
	},
);

it.each([
	['set', 'PUT', 'quantity'],
	['adjust', 'POST', 'delta'],
])(
	'keeps the 0 of a node that was saved when that was the default, and so not saved: inventory.%s',
	async (operation, method, field) => {
		const sent = serveShop();
		const named = { resource: 'inventory', operation, sku: 'A', locationId: 'sloc_main' };
		const { error } = await runNode({ parameters: named, typeVersion: 1 });
		expect(error).toBeUndefined();
		expect(sent).toMatchObject([{ method, body: { [field]: 0 } }]);
	},
);

it('keeps the one piece of a line item whose quantity was left alone', async () => {
	const sent = serveShop();
	const parameters = {
		resource: 'order',
		operation: 'fulfill',
		orderId: byId('ord_1'),
		items: { item: [{ line_item_id: 'li_1' }] },
	};
	const [then, now] = [
		await runNode({ parameters, typeVersion: 1 }),
		await runNode({ parameters: { ...parameters, specifyItems: 'defineBelow' } }),
	];
	expect(then.error).toBeUndefined();
	expect(now.error?.message).toContain('Items 1: Quantity');
	expect(sent).toMatchObject([{ body: { items: [{ line_item_id: 'li_1', quantity: 1 }] } }]);
});
