import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeRun } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

interface Sent {
	path: string;
	body: unknown;
	key: string;
}

let sent: Sent[];

/** Answers writes; `statuses` are used up first, then all succeed. */
function serve(statuses: number[] = []): void {
	sent = [];
	for (const method of ['POST', 'PATCH', 'PUT']) {
		nock(BASE_URL)
			.persist()
			.intercept(/.*/, method)
			.reply(function (path, body) {
				sent.push({ path, body, key: String(this.req.headers['idempotency-key']) });
				return [statuses.shift() ?? 200, { data: { id: 'rec_1' } }];
			});
	}
}

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const note = (more: IDataObject = {}): IDataObject => ({
	resource: 'order',
	operation: 'update',
	orderId: byId('={{ $json.order }}'),
	updateFields: { merchant_note: '={{ $json.note }}' },
	...more,
});

const run = async (parameters: IDataObject, items: IDataObject[], more: Partial<NodeRun> = {}) =>
	await runNode({ parameters, items, ...more });

const keysOf = async (item: IDataObject) => {
	serve();
	await run(note(), [item]);
	nock.cleanAll();
	return sent[0].key;
};

it('a key covers path and body: where an execution id comes again, another write has another key', async () => {
	const first = await keysOf({ order: 'ord_1', note: 'a' });
	expect(await keysOf({ order: 'ord_1', note: 'a' })).toBe(first);
	expect(await keysOf({ order: 'ord_2', note: 'a' })).not.toBe(first);
	expect(await keysOf({ order: 'ord_1', note: 'b' })).not.toBe(first);
});

describe('Retry On Fail', () => {
	const random = note({
		updateFields: { merchant_note: '={{ Math.random() + " " }}' },
		requests: { maxRetryWait: 0 },
	});
	const again = { retryOnFail: { maxTries: 2 } };

	it('sends the first body again under the first key, where it may have been applied', async () => {
		serve([500]);
		const { error } = await run(random, [{ order: 'ord_1' }], again);
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(2);
		expect(sent[1]).toEqual(sent[0]);
	});

	it('reads and sends the item anew, under a key of its own, after a definite refusal', async () => {
		serve([400]);
		const { error } = await run(random, [{ order: 'ord_1' }], again);
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(2);
		expect(sent[1].body).not.toEqual(sent[0].body);
		expect(sent[1].key).not.toBe(sent[0].key);
	});

	it('says of a refusal after a lost answer that it may have been done', async () => {
		serve([500, 409]);
		const { error } = await run(random, [{ order: 'ord_1' }], again);
		expect(error?.description).toContain('may have done it all the same');
	});
});

describe('a key of the user’s', () => {
	const own = (idempotencyKey: string) => note({ options: { idempotencyKey } });

	it('is refused for two items of a run, before anything is sent', async () => {
		serve();
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_2', note: 'a' },
		];
		const { error } = await run(own('constant'), items);
		expect(error?.message).toBe('“Idempotency Key” “constant” stands for two items of this run');
		expect(sent).toEqual([]);
	});

	it('is refused for two items that say the same: they are two wishes', async () => {
		serve();
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_1', note: 'a' },
		];
		const { error } = await run(own('constant'), items);
		expect(error?.message).toContain('stands for two items of this run');
		expect(sent).toEqual([]);
	});

	it('may be another for each item', async () => {
		serve();
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_2', note: 'a' },
		];
		const { error } = await run(own('={{ $json.order }}'), items);
		expect(error).toBeUndefined();
		expect(sent.map(({ key }) => key).sort()).toEqual(['ord_1', 'ord_2']);
	});

	it('does not stand for two stamps of one stock level', async () => {
		serve();
		const set = {
			resource: 'inventory',
			operation: 'set',
			sku: 'A',
			locationId: 'sloc_main',
			quantity: 1,
			options: { idempotencyKey: 'constant' },
		};
		const { error } = await run(set, [{}, {}]);
		expect(error?.message).toContain('stands for two items');
		expect(sent).toEqual([]);
	});
});
