import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { writesOf } from '../../../../nodes/CommercePlatform/runner/writes';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/rest/request';
import { PlatformError, type ProblemDetails } from '../../../../nodes/shared/rest/errors';
import type { Item } from '../../../../nodes/shared/values/fields';

const RUN = {
	...{ id: 'n', type: 'node', retryOnFail: true },
	...{ runIndex: 0, executionId: '7', workflowId: 'w', operation: 'order.update' },
	account: 'shop',
};

/** The writes of one try of a node. */
const tryOf = (execution: object, more: Partial<typeof RUN> = {}) => {
	const { runIndex, executionId, workflowId, operation, account, ...node } = { ...RUN, ...more };
	const context = {
		getContext: () => execution,
		getExecutionId: () => executionId,
		getWorkflow: () => ({ id: workflowId }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
	const item = (itemIndex: number) => ({ row: itemIndex + 1 }) as Item;
	return writesOf({ first: 0, node: node as INode, context, item }, operation, account);
};

const DONE: INodeExecutionData[] = [{ json: { id: 'ord_1' } }];

describe('the results of a node’s try', () => {
	it.each<[string, Parameters<typeof tryOf>[1], boolean, number, boolean]>([
		['known to the next try in the same execution', {}, true, 4, true],
		['unknown of another item', {}, true, 5, false],
		['unknown to further runs of one execution', { runIndex: 1 }, true, 4, false],
		['unknown to other executions', {}, false, 4, false],
	])('is %s', (_what, options, isSame, item, known) => {
		const execution = {};
		tryOf(execution).done(4, DONE);
		expect(tryOf(isSame ? execution : {}, options).outputOfEarlierTry(item)).toBe(
			known ? DONE : undefined,
		);
	});

	it('are not kept for AI tools, whose calls are separate wishes, nor after a run that has succeeded', () => {
		const execution = {};
		tryOf(execution, { type: 'nodeTool' }).done(0, DONE);
		expect(tryOf(execution, { type: 'nodeTool' }).outputOfEarlierTry(0)).toBeUndefined();
		tryOf(execution).done(0, DONE);
		tryOf(execution).forget([0]);
		expect(tryOf(execution).outputOfEarlierTry(0)).toBeUndefined();
		expect(execution).toEqual({});
	});
});

const request = (note: string): PlatformRequest => ({
	method: 'PATCH',
	path: '/orders/{orderId}',
	pathParams: { orderId: 'ord_1' },
	body: { merchant_note: note },
});

const answer: PlatformResponse = { status: 200, headers: {}, body: {} };

/** The context that n8n gives the node in the retry of a failed execution: what it has stored. */
const retried = (execution: object) => JSON.parse(JSON.stringify(execution)) as object;

describe('n8n’s Retry of a failed execution', () => {
	it('knows what was done, and sends the rest with its key', async () => {
		const execution = {};
		const writes = tryOf(execution, { retryOnFail: false });
		const send = jest.fn(async () => answer);
		await writes.send([1], request('a'), '', send);
		writes.done(0, DONE);
		writes.store();
		const again = tryOf(retried(execution), { retryOnFail: false });
		expect(again.outputOfEarlierTry(0)).toEqual(DONE);
		expect(again.outputOfEarlierTry(1)).toBeUndefined();
		await again.send([1], request('a'), '', send);
		const [[first], [second]] = send.mock.calls as unknown as PlatformRequest[][];
		expect(second.idempotencyKey).toBe(first.idempotencyKey);
	});

	it('knows which items of a large run were done, by their IDs', () => {
		const execution = {};
		const writes = tryOf(execution);
		writes.done(0, [{ json: { id: 'ord_1', text: 'x'.repeat(4_000_000) } }]);
		writes.store();
		expect(JSON.stringify(execution).length).toBeLessThan(1000);
		const [{ json }] = tryOf(retried(execution)).outputOfEarlierTry(0) ?? [];
		expect(json).toEqual({ success: true, id: 'ord_1' });
	});

	it('sends no item after a later one that was written', () => {
		const execution = {};
		const writes = tryOf(execution);
		writes.begin([2], { targets: ['/orders/a'] });
		writes.done(2, DONE);
		writes.store();
		expect(() => tryOf(retried(execution)).begin([0], { targets: ['/orders/a'] })).toThrow(
			'row 3 has written',
		);
	});
});

describe('a write that failed', () => {
	const refuse =
		(details: ProblemDetails) =>
		async (one: PlatformRequest): Promise<never> => {
			throw new PlatformError('refused', { ...one, host: 'shop' }, details);
		};

	it.each<[string, ProblemDetails, string]>([
		['as it is given now, after a definite refusal', { status: 422 }, 'new'],
		['as it was, where it may have been applied', { status: 500, mayBeApplied: true }, 'old'],
	])('is sent again %s', async (_, details, note) => {
		const execution = {};
		const sent = [jest.fn(refuse(details)), jest.fn(async () => answer)] as const;
		await expect(tryOf(execution).send([0], request('old'), '', sent[0])).rejects.toThrow();
		const again = tryOf(execution);
		expect(again.earlierRequest(0)?.body).toEqual(note === 'old' ? request(note).body : undefined);
		await again.send([0], request('new'), '', sent[1]);
		const [[first], [second]] = sent.map(({ mock }) => mock.lastCall as [PlatformRequest]);
		expect(second.body).toEqual({ merchant_note: note });
		expect(second.idempotencyKey === first.idempotencyKey).toBe(note === 'old');
	});

	it('may have been applied, whatever refuses it after a lost answer', async () => {
		const execution = {};
		const tried = async (details: ProblemDetails, step = '') =>
			await tryOf(execution)
				.send([0], request('a'), step, refuse(details))
				.catch((error: unknown) => (error as PlatformError).details.mayBeApplied);
		expect(await tried({ status: 409 })).toBeUndefined();
		expect(await tried({ status: 500, mayBeApplied: true })).toBe(true);
		expect(await tried({ status: 409 })).toBe(true);
		expect(await tried({ status: 422 }, 'overwrite')).toBe(true);
	});

	it('may have been applied if the platform refuses the key that it was sent with before', async () => {
		const execution = {};
		await tryOf(execution).send([0], request('a'), 'create', async () => answer);
		const refused = tryOf(execution).send([0], request('b'), 'create', refuse({ status: 409 }));
		await expect(refused).rejects.toMatchObject({ details: { mayBeApplied: true } });
	});
});

describe('a write whose answer was lost', () => {
	const lose = async (one: PlatformRequest): Promise<never> => {
		throw new PlatformError('timeout', { ...one, host: 'shop' }, { mayBeApplied: true });
	};
	const keySent = async (writes: ReturnType<typeof tryOf>, item: number, end: 'lost' | 'done') => {
		const send = jest.fn(end === 'lost' ? lose : async () => answer);
		await writes.send([item], request('a'), '', send).catch(() => undefined);
		return send.mock.lastCall?.[0].idempotencyKey;
	};
	const LATER = { runIndex: 1, retryOnFail: false };

	it.each([
		['where the workflow leads its item back into the node', {}, LATER],
		['where n8n calls the tool again', { type: 'nodeTool' }, { type: 'nodeTool', runIndex: 1 }],
	])('has the same key when it is sent again: %s', async (_when, first, later) => {
		const execution = {};
		const key = await keySent(tryOf(execution, first), 3, 'lost');
		expect(await keySent(tryOf(execution, later), 0, 'lost')).toBe(key);
		expect(await keySent(tryOf(execution, { ...later, runIndex: 2 }), 0, 'done')).toBe(key);
		expect(await keySent(tryOf(execution, { ...later, runIndex: 3 }), 0, 'done')).not.toBe(key);
	});

	it('is distinct from an equal write: both have their own keys again', async () => {
		const execution = {};
		const writes = tryOf(execution);
		const keys = [await keySent(writes, 0, 'lost'), await keySent(writes, 1, 'lost')];
		expect(keys[0]).not.toBe(keys[1]);
		const later = tryOf(execution, LATER);
		const again = [await keySent(later, 0, 'done'), await keySent(later, 1, 'done')];
		expect(again).toEqual(keys);
	});

	it('of several items is sent with the body of its first try', async () => {
		const execution = {};
		const bodies: unknown[] = [];
		const keys = new Set<unknown>();
		for (const note of ['first', 'now', 'later']) {
			const isLast = note === 'later';
			await tryOf(execution)
				.sendFor([0, 1], request(note), '', async (one) => {
					bodies.push(one.body);
					keys.add(one.idempotencyKey);
					return isLast ? answer : await lose(one);
				})
				.catch(() => undefined);
		}
		expect(bodies).toEqual(Array(3).fill({ merchant_note: 'first' }));
		expect(keys.size).toBe(1);
	});
});

describe('an item that failed in an earlier try', () => {
	it('is not sent after a later item that has written to the same target', () => {
		const execution = {};
		const first = tryOf(execution);
		first.begin([2], { targets: ['/orders/a'] });
		first.done(2, DONE);
		const again = tryOf(execution);
		expect(() => again.begin([0], { targets: ['/orders/a'] })).toThrow(
			'Row 1 was overtaken: row 3 has written to the same record since',
		);
		for (const [item, target] of [
			[3, '/orders/a'],
			[2, '/orders/a'],
			[0, '/orders/b'],
		] as const)
			again.begin([item], { targets: [target] });
	});

	it('is sent after a later item that has written other fields of the target', () => {
		const targets = ['/orders/a'];
		const execution = {};
		const first = tryOf(execution);
		first.begin([2], { targets, fields: ['status', 'tag'] });
		first.done(2, DONE);
		const again = tryOf(execution);
		again.begin([0], { targets, fields: ['note'] });
		expect(() => again.begin([1], { targets, fields: ['note', 'tag'] })).toThrow('overtaken');
	});

	it('is not sent after a later item whose write may have been applied', () => {
		const execution = {};
		const first = tryOf(execution);
		first.begin([1], { targets: ['/orders/a'] });
		first.noteMayBeApplied([1]);
		expect(() => tryOf(execution).begin([0], { targets: ['/orders/a'] })).toThrow(
			'row 2 may have written',
		);
	});
});

describe('the user’s own key', () => {
	const KEY = 'Idempotency Key';
	const PATCH = request('a');

	it('has up to 255 characters', () => {
		const writes = tryOf({});
		expect(writes.ownKey(0, KEY, 'x'.repeat(255), PATCH)).toHaveLength(255);
		expect(() => writes.ownKey(0, KEY, 'x'.repeat(256), PATCH)).toThrow(
			"'Idempotency Key' is longer than 255 characters",
		);
	});

	it('belongs to one item of a run, over all its tries, and however n8n runs it', () => {
		const execution = {};
		tryOf(execution).ownKey(0, KEY, 'key', PATCH);
		expect(tryOf(execution).ownKey(0, KEY, 'key', request('as it is now'))).toBe('key');
		expect(() => tryOf(execution, { retryOnFail: false }).ownKey(1, KEY, 'key', PATCH)).toThrow(
			"'Idempotency Key' “key” is used for two items of this run",
		);
	});

	it('belongs to one request of an execution, over its runs (Loop Over Items)', () => {
		const execution = {};
		tryOf(execution).ownKey(0, KEY, 'key', PATCH);
		const later = tryOf(execution, { runIndex: 1 });
		expect(later.ownKey(0, KEY, 'key', PATCH)).toBe('key');
		expect(() => later.ownKey(0, KEY, 'key', request('b'))).toThrow(
			"'Idempotency Key' “key” is used for two different requests of this execution",
		);
		expect(tryOf({}).ownKey(0, KEY, 'key', request('b'))).toBe('key');
		expect(tryOf(execution, { account: 'other' }).ownKey(1, KEY, 'key', PATCH)).toBe('key');
	});
});

describe('the Idempotency-Key', () => {
	const refund: PlatformRequest = {
		method: 'POST',
		path: '/orders/{orderId}/refunds',
		pathParams: { orderId: 'ord_1', other: 'x' },
		body: { amount: 100, currency: 'EUR' },
	};

	/** Answers with the key that is sent. */
	const tell = async ({ idempotencyKey: key = '' }) => ({ ...answer, headers: { key } });
	const ofKeys = {};
	const ofBatches = {};
	const keyOf = async (write = refund, run = {}, itemIndex = 0, step = '', of: object = ofKeys) => {
		const writes = tryOf(of, { retryOnFail: false, ...run });
		const sent = await writes.send([itemIndex], write, step, tell);
		writes.done(itemIndex, DONE);
		return sent.headers.key;
	};
	const keyOfBatch = async (items: number[], write = refund, writes = tryOf(ofBatches)) =>
		(await writes.sendFor(items, write, '', tell)).headers.key;

	it('always differs in another execution, even if the execution’s ID repeats', async () => {
		expect(await keyOf(refund, {}, 0, '', {})).not.toBe(await keyOf(refund, {}, 0, '', {}));
	});

	it('is the same for the same write of one item of a run, and printable', async () => {
		const again = { ...refund, pathParams: { other: 'x', orderId: 'ord_1' }, query: { a: 1 } };
		expect(await keyOf(again)).toBe(await keyOf());
		expect(await keyOf()).toMatch(/^[\w-]{43}$/);
		expect(await keyOfBatch([0, 1])).toBe(await keyOfBatch([0, 1]));
	});

	it('differs for another run, item, step or request', async () => {
		const keys = [
			await keyOf(),
			await keyOf(refund, { runIndex: 1 }),
			await keyOf(refund, {}, 1),
			await keyOf(refund, {}, 0, 'merge'),
			await keyOf({ ...refund, body: { amount: 100, currency: 'USD' } }),
			await keyOf({ ...refund, method: 'PUT' }),
			await keyOf({ ...refund, pathParams: { orderId: 'ord_2', other: 'x' } }),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('of a batch differs for other items, for another body, and after a refusal of one item', async () => {
		const writes = tryOf({});
		const first = await keyOfBatch([0, 1], refund, writes);
		expect(await keyOfBatch([0], refund, writes)).not.toBe(first);
		expect(await keyOfBatch([0])).not.toBe(await keyOf());
		expect(await keyOfBatch([0, 1], { ...refund, body: {} }, writes)).not.toBe(first);
		writes.refused([2]);
		expect(await keyOfBatch([0, 1], refund, writes)).toBe(first);
		writes.refused([1]);
		expect(await keyOfBatch([0, 1], refund, writes)).not.toBe(first);
	});
});
