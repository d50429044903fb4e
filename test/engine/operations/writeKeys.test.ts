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

it('Retry On Fail sends the first body again under the first key, whatever an expression gives now', async () => {
	serve([400]);
	const parameters = note({ updateFields: { merchant_note: '={{ Math.random() + " " }}' } });
	const { error } = await run(parameters, [{ order: 'ord_1' }], { retryOnFail: { maxTries: 2 } });
	expect(error).toBeUndefined();
	expect(sent).toHaveLength(2);
	expect(sent[1]).toEqual(sent[0]);
});

describe('a key of the user’s', () => {
	const own = (idempotencyKey: string) => note({ options: { idempotencyKey } });

	it('is refused for two different writes of a run, before anything is sent', async () => {
		serve();
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_2', note: 'a' },
		];
		const { error } = await run(own('constant'), items);
		expect(error?.message).toBe(
			'“Idempotency Key” “constant” stands for two different writes of this run',
		);
		expect(sent).toEqual([]);
	});

	it('may stand for the same write twice', async () => {
		serve();
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_1', note: 'a' },
		];
		const { error } = await run(own('constant'), items);
		expect(error).toBeUndefined();
		expect(sent.map(({ key }) => key)).toEqual(['constant', 'constant']);
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
		expect(error?.message).toContain('two different writes');
		expect(sent).toHaveLength(1);
	});
});
