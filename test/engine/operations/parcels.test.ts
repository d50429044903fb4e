import type { IDataObject } from 'n8n-workflow';

import {
	type NodeRun,
	runOperation,
	type StubAnswer,
	stubApi,
	withLeastWaits,
} from '../../support/engine';
import { byMode } from '../../support/parameters';

withLeastWaits();

const LINES = [
	{ line_item_id: 'li_a', sku: 'MUG', quantity: 3 },
	{ line_item_id: 'li_b', product_variant: { sku: 'BOWL' }, quantity: 2 },
];
const order = (n: number): StubAnswer => [
	200,
	{ data: { id: `ord_${n}`, number: String(n), status: 'paid', line_items: LINES } },
];

const FROM_ROWS = {
	orderId: byMode('id', '={{ $json.order }}'),
	specifyItems: 'rows',
	rowLine: '={{ $json.sku }}',
	rowQuantity: '={{ $json.pieces }}',
	trackingNumber: '={{ $json.tracking }}',
};

async function ship(items: IDataObject[]) {
	const sent = stubApi({
		'GET /orders/*': [order(1)],
		'POST /orders/*': [[201, { data: { id: 'ful_1' } }]],
	});
	const parameters = { ...FROM_ROWS, requestOptions: { maxRequestsAtOnce: 1 } };
	const run = await runOperation('order.fulfill', parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	const bodies = sent.flatMap(({ route, body }) => (route.startsWith('POST') ? [body] : []));
	return { ...run, bodies };
}

const row = (sku: string, pieces: number | string, tracking = 'P1', id = 'ord_1') => ({
	order: id,
	sku,
	pieces,
	tracking,
});

it('sends the rows of one order and tracking number as one parcel, by SKU or line', async () => {
	const { items, bodies } = await ship([row('MUG', 1), row('BOWL', '2.0'), row('li_a', 1)]);
	expect(bodies).toEqual([
		{
			tracking_number: 'P1',
			items: [
				{ line_item_id: 'li_a', quantity: 2 },
				{ line_item_id: 'li_b', quantity: 2 },
			],
		},
	]);
	expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
		[0, 1, 2].map((item) => ['ful_1', { item }]),
	);
});

it('sends two parcels of one order by their tracking numbers', async () => {
	const { bodies } = await ship([row('MUG', 1), row('MUG', 2, 'P2')]);
	expect(bodies).toMatchObject([
		{ tracking_number: 'P1', items: [{ line_item_id: 'li_a', quantity: 1 }] },
		{ tracking_number: 'P2', items: [{ line_item_id: 'li_a', quantity: 2 }] },
	]);
});

it.each([
	['a SKU that the order does not have', row('CUP', 1), /“CUP” is no line of this order/],
	['no quantity', row('MUG', ''), /Quantity/],
	['a blank tracking number', row('MUG', 1, ''), /'Tracking Number' is empty/],
])('sends nothing for a row with %s', async (_what, wrong, message) => {
	const { items, bodies } = await ship([wrong]);
	expect(bodies).toEqual([]);
	expect(String(items[0]?.json.error)).toMatch(message);
});

it('sends further fields of a row in JSON', async () => {
	const sent = stubApi({ '*': [[201, { data: { id: 'ful_1' } }]] });
	const itemsJson = [{ line_item_id: 'li_a', quantity: 1, location_id: 'sloc_main' }];
	await runOperation('order.fulfill', {
		orderId: byMode('id', 'ord_1'),
		specifyItems: 'json',
		itemsJson: JSON.stringify(itemsJson),
	});
	expect(sent[0]?.body).toEqual({ items: itemsJson });
});

/** Ships rows of orders that are named by their number. */
async function shipByNumber(
	items: IDataObject[],
	answers: { searches?: StubAnswer[]; writes?: StubAnswer[] | (() => StubAnswer) },
	more: IDataObject = {},
	run: Partial<NodeRun> = {},
) {
	const [, whole] = order(1) as [number, IDataObject];
	const found: StubAnswer = [
		200,
		{ data: [whole.data], pagination: { limit: 250, has_more: false, next_cursor: null } },
	];
	let searches = 0;
	const sent = stubApi({
		'GET /orders': () => answers.searches?.[searches++] ?? found,
		'GET /orders/*': [order(1)],
		'POST /orders/*': answers.writes ?? [[201, { data: { id: 'ful_1' } }]],
	});
	const parameters = {
		...FROM_ROWS,
		orderId: byMode('number', '={{ $json.order }}'),
		requestOptions: { maxRetryWait: 0 },
		...more,
	};
	const result = await runOperation('order.fulfill', parameters, {
		items,
		onError: 'continueRegularOutput',
		...run,
	});
	const writes = sent.filter(({ route }) => route.startsWith('POST'));
	const messages = result.failures.map((failure) => failure?.message);
	return { ...result, writes, bodies: writes.map(({ body }) => body), messages };
}

const TWO = [row('MUG', 1, 'P1', '1'), row('BOWL', 1, 'P1', '1')];
const TWO_LINES = [
	{ line_item_id: 'li_a', quantity: 1 },
	{ line_item_id: 'li_b', quantity: 1 },
];
const RETRY = { maxTries: 2, waitBetweenTries: 0 };

describe('the rows of one parcel go together', () => {
	it('fail together if the order of the first one is not found', async () => {
		const { messages, writes } = await shipByNumber(TWO, { searches: [[503, {}]] });
		expect(writes).toEqual([]);
		expect(messages).toEqual([expect.any(String), messages[0]]);
	});

	it.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'are shipped once, all of them, by Retry On Fail with %s',
		async (onError) => {
			const answers = { searches: [[503, {}]] as StubAnswer[] };
			const { bodies, json } = await shipByNumber(
				TWO,
				answers,
				{},
				{ onError, retryOnFail: RETRY },
			);
			expect(bodies).toEqual([{ tracking_number: 'P1', items: TWO_LINES }]);
			expect(json).toMatchObject([{ id: 'ful_1' }, { id: 'ful_1' }]);
		},
	);

	it('are sent again as they were, under their key, after a lost answer', async () => {
		const answers = { writes: ['ECONNRESET', [201, { data: { id: 'ful_1' } }]] as StubAnswer[] };
		const { writes, json } = await shipByNumber(TWO, answers, {}, { retryOnFail: RETRY });
		const [first, second, ...others] = writes;
		expect(others).toEqual([]);
		expect(second?.text).toBe(first?.text);
		expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
		expect(json).toMatchObject([{ id: 'ful_1' }, { id: 'ful_1' }]);
	});

	it('are not sent again where they are done, while those of another parcel are', async () => {
		const writes: StubAnswer[] = [
			[201, { data: { id: 'ful_1' } }],
			[422, {}],
			[201, {}],
		];
		const items = [...TWO, row('MUG', 1, 'P2', '1'), row('BOWL', 1, 'P2', '1')];
		const run = { onError: 'stopWorkflow', retryOnFail: RETRY } as const;
		const { bodies, messages } = await shipByNumber(items, { writes }, {}, run);
		const numbers = (bodies as IDataObject[]).map(({ tracking_number: number }) => number);
		expect(numbers).toEqual(['P1', 'P2', 'P2']);
		expect(bodies[2]).toMatchObject({ items: TWO_LINES });
		expect(messages).toEqual(Array(4).fill(undefined));
	});

	it('stay together after a lost answer, whatever their tracking numbers are then', async () => {
		const startMs = Date.now();
		const now = jest.spyOn(Date, 'now').mockReturnValue(startMs);
		const loseFirst = () => {
			const isFirst = Date.now() === startMs;
			now.mockReturnValue(startMs + 1000);
			return isFirst ? 'ECONNRESET' : ([201, { data: { id: 'ful_1' } }] as StubAnswer);
		};
		const until = startMs + 1000;
		const { writes, json } = await shipByNumber(
			TWO,
			{ writes: loseFirst },
			{ trackingNumber: `={{ $now.toMillis() < ${until} ? 'P1' : $json.sku }}` },
			{ retryOnFail: RETRY },
		);
		now.mockRestore();
		expect(writes).toHaveLength(2);
		expect(writes[1]?.text).toBe(writes[0]?.text);
		expect(json).toMatchObject([{ id: 'ful_1' }, { id: 'ful_1' }]);
	});

	it('may all have been shipped, where the answer was lost', async () => {
		const { error } = await shipByNumber(
			TWO,
			{ writes: ['ECONNRESET'] },
			{},
			{ onError: 'stopWorkflow' },
		);
		expect(error?.context?.mayBeApplied).toEqual([1, 2]);
	});

	it('are not sent if one of them cannot be used; another parcel is', async () => {
		const { messages, bodies } = await shipByNumber(
			[row('MUG', 1, 'P1', '1'), row('BOWL', '', 'P1', '1'), row('MUG', 2, 'P2', '1')],
			{},
		);
		expect(messages).toEqual([
			'Row 2 of this parcel cannot be used, so nothing of the parcel was sent',
			expect.stringContaining("'Quantity'"),
			undefined,
		]);
		expect(bodies).toMatchObject([{ tracking_number: 'P2' }]);
	});

	it('are not sent if one names no line of the order, and say which', async () => {
		const items = [row('MUG', 1, 'P1', '1'), row('CUP', 1, 'P1', '1')];
		const { failures, writes } = await shipByNumber(items, {});
		expect(writes).toEqual([]);
		for (const failure of failures)
			expect(failure?.description).toBe('Nothing of this parcel was sent. Check the SKU in row 2.');
	});

	it('name the row that is wrong where the run stops', async () => {
		const items = [row('MUG', 1, 'P1', '1'), row('BOWL', '', 'P1', '1')];
		const { error, writes } = await shipByNumber(items, {}, {}, { onError: 'stopWorkflow' });
		expect(error?.message).toContain("'Quantity'");
		expect(writes).toEqual([]);
	});

	it.each<[string, IDataObject, IDataObject, IDataObject]>([
		['Carrier', { x: 'dhl' }, { x: 'ups' }, { carrier: '={{ $json.x }}' }],
		['Carrier', { x: '' }, { x: 'dhl' }, { carrier: '={{ $json.x }}' }],
		[
			'If Not Allowed in This State',
			{ x: 'stop' },
			{ x: 'returnCurrent' },
			{ options: { ifNotAllowed: '={{ $json.x }}' } },
		],
	])('are not sent if they differ in %s: %j and %j', async (field, one, other, more) => {
		const [mug, bowl] = TWO;
		const items = [
			{ ...mug, ...one },
			{ ...bowl, ...other },
		];
		const { messages, writes, failures } = await shipByNumber(items, {}, more);
		expect(writes).toEqual([]);
		const message = `Row 2 has another “${field}” of the parcel than row 1`;
		expect(messages).toEqual([message, message]);
		expect(failures[0]?.description).toMatch(/^Nothing of the parcel was sent/);
	});

	it('are sent with what the first row says, where the others leave it blank', async () => {
		const items = TWO.map((row, n) => ({ ...row, x: n === 0 ? 'dhl' : '' }));
		const { writes, failures } = await shipByNumber(items, {}, { carrier: '={{ $json.x }}' });
		expect(failures.filter(Boolean)).toEqual([]);
		expect(writes.map(({ body }) => body)).toMatchObject([{ carrier: 'dhl' }]);
	});

	it('may have a key each: that of the first row counts', async () => {
		const items = TWO.map((row, n) => ({ ...row, x: `k${n}` }));
		const more = { requestOptions: { idempotencyKey: '={{ $json.x }}' } };
		const { writes, failures } = await shipByNumber(items, {}, more);
		expect(failures.filter(Boolean)).toEqual([]);
		expect(writes.map(({ headers }) => headers['idempotency-key'])).toEqual(['k0']);
	});

	it('may have one key of their own, that of the one write', async () => {
		const more = { requestOptions: { idempotencyKey: '={{ $json.tracking }}' } };
		const { writes, json } = await shipByNumber(TWO, {}, more);
		expect(writes.map(({ headers }) => headers['idempotency-key'])).toEqual(['P1']);
		expect(json).toMatchObject([{ id: 'ful_1' }, { id: 'ful_1' }]);
	});

	it('have no key of another parcel', async () => {
		const items = [...TWO, row('MUG', 2, 'P2', '1')];
		const more = { requestOptions: { idempotencyKey: 'same' } };
		const { writes, messages } = await shipByNumber(items, {}, more);
		expect(writes).toHaveLength(1);
		expect(messages[2]).toContain('is used for two');
	});

	it('are one parcel with and without the apostrophe of a spreadsheet', async () => {
		const items = [row('MUG', 1, "'0034", "'1"), row('BOWL', 1, '0034', '1')];
		const { bodies } = await shipByNumber(items, {});
		expect(bodies).toEqual([{ tracking_number: '0034', items: TWO_LINES }]);
	});

	it('have one carrier in any case of letters, with and without blanks around it', async () => {
		const items = TWO.map((row, n) => ({ ...row, x: ['DHL', ' dhl '][n] }));
		const { bodies, messages } = await shipByNumber(items, {}, { carrier: '={{ $json.x }}' });
		expect(messages).toEqual([undefined, undefined]);
		expect(bodies).toMatchObject([{ carrier: 'dhl' }]);
	});

	it('have no broken cell as their carrier', async () => {
		const { messages, writes } = await shipByNumber(TWO, {}, { carrier: '={{ "#N/A" }}' });
		expect(writes).toEqual([]);
		expect(messages[0]).toContain(`'Carrier' is "#N/A"`);
	});

	it('count once in a dry run, which shows each of them the same', async () => {
		const { json, hint } = await shipByNumber(TWO, {}, { options: { dryRun: true } });
		expect(json).toMatchObject([{ dryRun: true, body: { items: TWO_LINES } }, json[0]]);
		expect(hint).toContain('It would be 3 requests');
	});
});
