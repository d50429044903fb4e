import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { byId, byMode, runOperation, stubApi } from '../../support/engine';

const serve = () => stubApi({ '*': [[200, { data: { id: 'rec_1' } }]] });

/** Sends a customer from a JSON field with an expression. */
async function create(json: string, item: IDataObject) {
	const sent = serve();
	const parameters = { specifyFields: 'json', json };
	const { error } = await runOperation('customer.create', parameters, { items: [item] });
	return { error, body: sent[0]?.body };
}

const QUOTED =
	'={ "note": "{{ $json.text }}", "tags": [{{ $json.tags }}], "name": {{ $json.name }} }';

describe('an expression within JSON', () => {
	it('sends the fields that were entered, with any text that it gives', async () => {
		const letters = fc.string({ unit: fc.constantFrom('a', 'ü', ' ', '{', '}', "'", ':', ',') });
		await fc.assert(
			fc.asyncProperty(letters, async (written) => {
				const text = `x${written}`;
				const { body, error } = await create(QUOTED, { text, tags: '"a", "b"', name: '"N"' });
				expect(error).toBeUndefined();
				expect(body).toEqual({ note: text, tags: ['a', 'b'], name: 'N' });
			}),
			{ numRuns: 30 },
		);
	});

	const LEFT_QUOTES = 'holds more than was entered: a text has left its quotes';

	it.each([
		['a field', 'a", "status": "published', LEFT_QUOTES, 'JSON.stringify($json.text)'],
		['a field again', 'a", "note": "b', 'has "note" twice in one object', 'Check the expression'],
		['an object', 'a", "x": { "y": 1 }, "z": "b', LEFT_QUOTES, 'JSON.stringify($json.text)'],
	])('does not send fields that a text contains: %s', async (_what, text, problem, remedy) => {
		const { body, error } = await create(QUOTED, { text, tags: '', name: 'null' });
		expect(body).toBeUndefined();
		expect(error?.message).toBe(`'JSON' ${problem}`);
		expect(error?.description).toContain(remedy);
	});

	it('says how to write a text with quotes or line breaks', async () => {
		for (const text of ['say "hi"', 'two\nlines']) {
			const { body, error } = await create(QUOTED, { text, tags: '', name: 'null' });
			expect(body).toBeUndefined();
			expect(error?.message).toBe("'JSON' is not valid JSON");
			expect(error?.description).toContain('{{ JSON.stringify($json.text) }} without quotes');
		}
		const cured = '={ "note": {{ JSON.stringify($json.text) }} }';
		expect((await create(cured, { text: 'say "hi"' })).body).toEqual({ note: 'say "hi"' });
	});

	it('may be the whole of the JSON', async () => {
		expect((await create('={{ $json }}', { a: 1 })).body).toEqual({ a: 1 });
		expect((await create('={{ JSON.stringify($json) }}', { a: 1 })).body).toEqual({ a: 1 });
	});
});

describe('a text that nobody has entered', () => {
	const OBJECT = 'an expression has put an object where a text is wanted';

	it.each<[string, IDataObject]>([
		['order.update', { orderId: byId('ord_1'), updateFields: { merchant_note: '=a {{ $json }}' } }],
		['order.update', { orderId: byId('={{ String($json) }}') }],
		['product.upsert', { sku: '=A-{{ $json }}', title: 'T' }],
	])('%s refuses it by its field: %j', async (operation, parameters) => {
		const sent = serve();
		const { error } = await runOperation(operation, {
			updateFields: { merchant_note: 'a' },
			...parameters,
		});
		expect(error?.message).toContain(OBJECT);
		expect(sent).toEqual([]);
	});
});

it.each(['={{ $now }}', '={{ new Date() }}', '={{ DateTime.now() }}'])(
	'a date in a text field is ISO text: %s',
	async (merchant_note) => {
		const sent = serve();
		const parameters = { orderId: byId('ord_1'), updateFields: { merchant_note } };
		const { error } = await runOperation('order.update', parameters);
		expect(error).toBeUndefined();
		expect((sent[0].body as IDataObject).merchant_note).toMatch(
			/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/,
		);
	},
);

describe('the field that names a record, where it is blank', () => {
	it.each([
		['order.get', 'orderId', 'id', 'ID'],
		['order.get', 'orderId', 'number', 'number'],
		['customer.update', 'customerId', 'email', 'e-mail'],
		['product.delete', 'productId', 'sku', 'SKU'],
		['product.get', 'productId', 'handle', 'handle'],
		['webhook.get', 'webhookId', 'url', 'URL'],
	])('asks %s, %s by %s for the %s', async (operation, locator, mode, called) => {
		const sent = serve();
		for (const blank of ['={{ " " }}', '={{ $json.none }}']) {
			const { error } = await runOperation(operation, {
				...{ [locator]: byMode(mode, blank), specifyFields: 'json', json: '{ "phone": "1" }' },
			});
			expect(error?.message).toMatch(/^'\w+' is empty$/);
			expect(error?.description).toBe(
				`Nothing was sent. Enter the ${called}, or an expression that returns it.`,
			);
		}
		expect(sent).toEqual([]);
	});
});

it.each(['create', 'update', 'recreate'])(
	'%s of a webhook sends its URL without blanks around it',
	async (operation) => {
		const old = { id: 'wh_1', url: 'https://old.example', events: ['order.paid'], secret: 's' };
		const sent = stubApi({ '*': [[200, { data: old }]] });
		const url = '={{ " https://erp.example/x\\n" }}';
		const { error } = await runOperation(`webhook.${operation}`, {
			...{ webhookId: byId('wh_1'), events: ['order.paid'] },
			...(operation === 'create' ? { url } : { updateFields: { url } }),
		});
		expect(error?.message).toBeUndefined();
		const write = sent.find(({ route }) => /^(?:POST|PATCH)/.test(route));
		expect(write?.body).toMatchObject({ url: 'https://erp.example/x' });
	},
);
