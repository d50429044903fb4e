import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byMode,
	onlyPage,
	runOperation,
	stubApi,
	type StubRequest,
	writesIn,
} from '../../support/engine';

/** Shops have further fields, whose names and values may look like others. */

const pathsWritten = (sent: StubRequest[]) => writesIn(sent).map(({ route }) => route);

describe('an order by its number', () => {
	const total = { amount: 5000, currency: 'EUR' };
	const other = { id: 'ord_9', number: '2001', customer_number: '10041', item_count: 12, total };
	const meant = { id: 'ord_1', number: '10041', status: 'paid', total };
	/** The search finds the order of the customer 10041, and does not have the new order 10041 yet. */
	const shop = () =>
		stubApi({
			'GET /orders': ({ query }) => onlyPage(query.q === undefined ? [meant, other] : [other]),
			'GET /orders/ord_1': [[200, { data: meant }]],
			'GET /orders/ord_9': [[200, { data: other }]],
			'POST /orders/*': [[201, { data: { id: 're_1' } }]],
			'PATCH /orders/*': [[200, { data: meant }]],
		});

	it.each<[string, IDataObject]>([
		['order.cancel', {}],
		['order.refund', { extent: 'platform' }],
		['order.update', { updateFields: { merchant_note: 'x' } }],
	])('%s: not that of a customer with this number', async (operation, more) => {
		const sent = shop();
		await runOperation(operation, { orderId: byMode('number', '10041'), ...more });
		expect(pathsWritten(sent)).toEqual([expect.stringContaining('/orders/ord_1')]);
	});

	it('not one with so many items', async () => {
		const sent = shop();
		await runOperation('order.cancel', { orderId: byMode('number', '12') });
		expect(pathsWritten(sent)).toEqual([]);
	});

	it.each(['display_id', 'increment_id', 'name', 'number'])(
		'not one that weighs as much, if it shows its number as %s',
		async (field) => {
			const heavy = { id: 'ord_77', [field]: '77', weight: 12, merchant_note: '12' };
			const sent = stubApi({
				'GET /orders': [onlyPage([heavy])],
				'GET /orders/*': [[200, { data: heavy }]],
				'POST /orders/*': [[200, { data: heavy }]],
			});
			await runOperation('order.cancel', { orderId: byMode('number', '12') });
			expect(pathsWritten(sent)).toEqual([]);
		},
	);

	it('not one with so many items, if orders show no number where numbers stand', async () => {
		const [unnumbered, found] = [12, 13].map((no) => ({
			id: `ord_${no}`,
			no,
			item_count: 25 - no,
		}));
		const sent = stubApi({
			'GET /orders': [onlyPage([unnumbered, found])],
			'GET /orders/*': ({ route }) => [200, { data: route.endsWith('12') ? unnumbered : found }],
			'POST /orders/*': [[200, { data: { id: 'ord_12' } }]],
		});
		await runOperation('order.cancel', { orderId: byMode('number', '12') });
		expect(pathsWritten(sent)).toEqual(['POST /orders/ord_12/cancel']);
	});
});

it('an order that shows its number in a field of another name is found beside a reference or code', async () => {
	for (const field of ['reference', 'code']) {
		const order = { id: 'ord_1', [field]: 'PO-77', order_no: '10041', country: 'DE' };
		stubApi({ 'GET /orders': [onlyPage([order])], 'GET /orders/*': [[200, { data: order }]] });
		const { json } = await runOperation('order.get', { orderId: byMode('number', '10041') });
		expect(json).toMatchObject([{ id: 'ord_1' }]);
	}
});

describe('a field of the type JSON', () => {
	const address = '={{ { street: $json.street, city: $json.city } }}';
	const send = async (operation: string, json: string, item: IDataObject) => {
		const sent = stubApi({ '*': [[200, { data: { id: 'x' } }]] });
		const fields = { field: [{ name: 'address', type: 'json', value: json }] };
		const parameters = {
			...{ customerId: byId('x'), orderId: byId('x'), productId: byId('x') },
			...{ specifyFields: 'defineBelow', fields, otherFields: fields },
			updateFields: { otherFields: fields },
		};
		const { error } = await runOperation(operation, parameters, { items: [item] });
		return { error, bodies: writesIn(sent).map(({ body }) => body) };
	};

	it.each(['customer.update', 'order.cancel', 'order.update', 'product.update'])(
		'empties nothing because a cell is blank: %s',
		async (operation) => {
			for (const city of ['', null, undefined]) {
				const { bodies } = await send(operation, address, { street: 'Main 1', city });
				expect(bodies).toEqual([{ address: { street: 'Main 1' } }]);
			}
		},
	);

	it('is left out if all cells are blank', async () => {
		expect((await send('order.cancel', address, {})).bodies).toEqual([{}]);
		const { error, bodies } = await send('order.update', address, {});
		expect([error?.message, bodies]).toEqual([expect.stringContaining("'Update Fields'"), []]);
	});

	it('is sent as it was written by hand', async () => {
		const { bodies } = await send('customer.update', '{ "city": "", "lines": [] }', {});
		expect(bodies).toEqual([{ address: { city: '', lines: [] } }]);
	});
});

describe('a write that was done is done', () => {
	const order = { id: 'ord_1', status: 'cancelled' };
	const refund = { id: 're_1', amount: 500, currency: 'EUR', status: 'succeeded' };

	it.each<[string, IDataObject]>([
		['with the cancelled order beside its refund', { refund, order }],
		['with the cancelled order instead of its refund', { ...order, refunds: [refund] }],
		['with a reference as its code', { ...refund, code: '404-REF' }],
	])('a refund that is answered %s', async (_what, data) => {
		stubApi({ 'POST *': [[201, { data }]] });
		const amount = { extent: 'amount', amount: '5', currency: 'EUR' };
		const { error } = await runOperation('order.refund', { orderId: byId('ord_1'), ...amount });
		expect(error?.message).toBeUndefined();
	});

	it('but not a refund that was cancelled itself', async () => {
		stubApi({ 'POST *': [[201, { data: { refund: { ...refund, status: 'cancelled' }, order } }]] });
		const amount = { extent: 'amount', amount: '5', currency: 'EUR' };
		const { error } = await runOperation('order.refund', { orderId: byId('ord_1'), ...amount });
		expect(error?.message).toContain('did not do what was asked');
	});

	it.each<IDataObject>([
		{ status: 'paid', refund_status: 'failed' },
		{ status: 'paid', refund_state: 'declined' },
		{ status: 'paid', refund_error: 'Card declined' },
	])('but not a refund of which its order says %j', async (said) => {
		stubApi({ 'POST *': [[201, { data: { id: 'ord_1', ...said } }]] });
		const amount = { extent: 'amount', amount: '5', currency: 'EUR' };
		const { error } = await runOperation('order.refund', { orderId: byId('ord_1'), ...amount });
		expect(error?.message).toContain('did not do what was asked');
	});

	it.each<[string, IDataObject]>([
		[' of 5.00 EUR, now “succeeded”. ', { refund }],
		[' of 5.00 EUR. ', order],
	])('a refund’s state is its own, not its order’s: %s after %j', async (said, data) => {
		stubApi({ 'POST *': [[201, { data }]] });
		const amount = { extent: 'amount', amount: '5', currency: 'EUR' };
		const { hint } = await runOperation('order.refund', { orderId: byId('ord_1'), ...amount });
		expect(hint).toContain(said);
	});

	const JSON_FIELDS = { specifyFields: 'json', json: '{"name":"x"}' };

	it.each<[string, IDataObject, IDataObject]>([
		['order.update', { updateFields: { merchant_note: 'x' } }, { last_payment_error: 'Declined' }],
		['order.cancel', {}, { last_payment_error: { code: 'card_declined' } }],
		['product.update', { updateFields: { title: 'x' } }, { feed_errors: ['Image too small'] }],
		['customer.update', JSON_FIELDS, { sync_error: 'CRM offline since Monday' }],
	])('%s, whatever error the record tells of', async (operation, more, field) => {
		stubApi({ '*': [[200, { data: { id: 'rec_1', status: 'paid', ...field } }]] });
		const [resource] = operation.split('.');
		const { error } = await runOperation(operation, { [`${resource}Id`]: byId('rec_1'), ...more });
		expect(error?.message).toBeUndefined();
	});

	it('but not one whose record says why it was refused', async () => {
		const data = { id: 'rec_1', user_errors: [{ message: 'Title is too long' }] };
		stubApi({ '*': [[200, { data }]] });
		const parameters = { productId: byId('rec_1'), updateFields: { title: 'x' } };
		const { error } = await runOperation('product.update', parameters);
		expect(error?.message).toContain('did not do what was asked');
	});

	it('so in a batch', async () => {
		const product = { id: 'prod_1', variants: [{ sku: 'A' }], sync_error: 'CRM offline' };
		stubApi({ 'GET *': [onlyPage([])], 'POST *': [[200, { data: [{ sku: 'A', product }] }]] });
		const rows = { specifyProduct: 'autoMapInputData' };
		const items = [{ sku: 'A', title: 'x' }];
		const { error } = await runOperation('product.upsert', rows, { items });
		expect(error?.message).toBeUndefined();
	});
});

describe('a list gives every record', () => {
	const orders = [1, 2, 3].map((n) => ({
		id: `ord_${n}`,
		event_id: 'concert-7',
		total: { amount: 1000 * n, currency: 'EUR' },
	}));

	it('also orders of one concert, and adds all of them up', async () => {
		stubApi({ 'GET *': [onlyPage(orders)] });
		const { json } = await runOperation('order.getAll', { returnAll: true });
		expect(json.map(({ id }) => id)).toEqual(['ord_1', 'ord_2', 'ord_3']);
		const options = { output: 'totals' };
		for (const returnAll of [true, '={{ 1 }}']) {
			const totals = await runOperation('order.getAll', { returnAll, options });
			expect(totals.json).toMatchObject([{ orders: 3, text: '60.00' }]);
		}
	});

	it('and says nothing of a next page if it has cut off a customer’s orders', async () => {
		const own = orders.map((order) => ({ ...order, customer: { id: 'cus_1' } }));
		stubApi({ 'GET *': [onlyPage(own)] });
		const filters = { customer: 'cus_1' };
		const options = { output: 'pages' };
		const list = async (limit: number) =>
			(await runOperation('order.getAll', { limit, filters, options })).json;
		const [first, second] = own;
		expect(await list(2)).toMatchObject([{ data: [{ id: first.id }, { id: second.id }] }]);
		expect((await list(2))[0].pagination).toEqual({});
		expect((await list(3))[0].pagination).not.toEqual({});
	});

	it('also records whose IDs are objects', async () => {
		stubApi({ 'GET *': [onlyPage(['a', 'b'].map(($oid) => ({ id: { $oid } })))] });
		expect((await runOperation('order.getAll', { returnAll: true })).json).toHaveLength(2);
	});

	it('also the stock levels of an article that has one ID', async () => {
		const levels = ['a', 'b'].map((at) => ({ id: 'inv_1', sku: 'MUG', location_id: `sloc_${at}` }));
		stubApi({ 'GET *': [onlyPage(levels)] });
		expect((await runOperation('inventory.getAll', { returnAll: true })).json).toHaveLength(2);
	});
});
