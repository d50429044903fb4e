import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { writesOf } from '../../../../nodes/CommercePlatform/run/keys';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/api/request';
import { PlatformError, type ProblemDetails } from '../../../../nodes/shared/errors/errors';

const RUN = {
	...{ id: 'n', type: 'node', retryOnFail: true },
	...{ runIndex: 0, executionId: '7', workflowId: 'w', operation: 'order.update' },
};

/** The writes of a try of a node. */
const tryOf = (execution: object, more: Partial<typeof RUN> = {}) => {
	const { runIndex, executionId, workflowId, operation, ...node } = { ...RUN, ...more };
	const context = {
		getContext: () => execution,
		getExecutionId: () => executionId,
		getWorkflow: () => ({ id: workflowId }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
	return writesOf({ first: 0, node: node as INode, context }, operation);
};

const DONE: INodeExecutionData[] = [{ json: { id: 'ord_1' } }];

describe('what a try of a node was done with', () => {
	it.each<[string, Parameters<typeof tryOf>[1], boolean, number, boolean]>([
		['known to the next try in the same execution', {}, true, 4, true],
		['unknown of another item', {}, true, 5, false],
		['unknown to further runs of one execution', { runIndex: 1 }, true, 4, false],
		['unknown to other executions', {}, false, 4, false],
	])('is %s', (_what, options, isSame, item, known) => {
		const execution = {};
		tryOf(execution).done(4, DONE);
		expect(tryOf(isSame ? execution : {}, options).known(item)).toBe(known ? DONE : undefined);
	});

	it('is not kept for AI tools, whose calls are wishes of their own, nor without another run', () => {
		for (const options of [{ type: 'nodeTool' }, { retryOnFail: false }]) {
			const execution = {};
			tryOf(execution, options).done(0, DONE);
			expect(tryOf(execution, options).known(0)).toBeUndefined();
		}
	});
});

const request = (note: string): PlatformRequest => ({
	method: 'PATCH',
	path: '/orders/{orderId}',
	pathParams: { orderId: 'ord_1' },
	body: { merchant_note: note },
});

const answer: PlatformResponse = { status: 200, headers: {}, body: {} };

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
		await expect(tryOf(execution).send(0, request('old'), '', sent[0])).rejects.toThrow();
		const again = tryOf(execution);
		expect(again.unsettled(0)?.body).toEqual(note === 'old' ? request(note).body : undefined);
		await again.send(0, request('new'), '', sent[1]);
		const [[first], [second]] = sent.map(({ mock }) => mock.lastCall as [PlatformRequest]);
		expect(second.body).toEqual({ merchant_note: note });
		expect(second.idempotencyKey === first.idempotencyKey).toBe(note === 'old');
	});

	it('may have been done, whatever refuses it after a lost answer', async () => {
		const execution = {};
		const tried = async (details: ProblemDetails, step = '') =>
			await tryOf(execution)
				.send(0, request('a'), step, refuse(details))
				.catch((error: unknown) => (error as PlatformError).details.mayBeApplied);
		expect(await tried({ status: 409 })).toBeUndefined();
		expect(await tried({ status: 500, mayBeApplied: true })).toBe(true);
		expect(await tried({ status: 409 })).toBe(true);
		expect(await tried({ status: 422 }, 'overwrite')).toBe(true);
	});

	it('may have been done where the platform refuses the key that it was sent with before', async () => {
		const execution = {};
		await tryOf(execution).send(0, request('a'), 'create', async () => answer);
		const refused = tryOf(execution).send(0, request('b'), 'create', refuse({ status: 409 }));
		await expect(refused).rejects.toMatchObject({ details: { mayBeApplied: true } });
	});
});

describe('a key of the user’s', () => {
	const KEY = 'Idempotency Key';

	it('has up to 255 characters', () => {
		const writes = tryOf({});
		expect(writes.ownKey(0, KEY, 'x'.repeat(255))).toHaveLength(255);
		expect(() => writes.ownKey(0, KEY, 'x'.repeat(256))).toThrow(
			'“Idempotency Key” is longer than 255 characters',
		);
	});

	it('stands for one item of a run, also over its tries, and by whichever way n8n runs it', () => {
		const execution = {};
		tryOf(execution).ownKey(0, KEY, 'key');
		expect(tryOf(execution).ownKey(0, KEY, 'key')).toBe('key');
		expect(() => tryOf(execution, { retryOnFail: false }).ownKey(1, KEY, 'key')).toThrow(
			'“Idempotency Key” “key” stands for two items of this run',
		);
		expect(tryOf(execution, { runIndex: 1 }).ownKey(1, KEY, 'key')).toBe('key');
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
	const keyOf = async (write = refund, run = {}, itemIndex = 0, step = '') =>
		(await tryOf({}, run).send(itemIndex, write, step, tell)).headers.key;
	const keyOfBatch = async (items: number[], write = refund, writes = tryOf({})) =>
		(await writes.sendFor(items, write, tell)).headers.key;

	it('is the same for the same write in another process, and printable', async () => {
		const again = { ...refund, pathParams: { other: 'x', orderId: 'ord_1' }, query: { a: 1 } };
		expect(await keyOf(again)).toBe(await keyOf());
		expect(await keyOf()).toMatch(/^[\w-]{43}$/);
		expect(await keyOfBatch([0, 1])).toBe(await keyOfBatch([0, 1]));
	});

	it('of a batch is another for other items or another body, and after a refusal of one of them', async () => {
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

	it('has one written form, so that every process makes the same', async () => {
		const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
		const target = { path: '/a/{x}/{b}', pathParams: { x: '1', b: '2' } };
		const written = (method: string, body: string) =>
			sha256(`["${method}","/a/{x}/{b}",[["b","2"],["x","1"]],${body}]`);
		expect(await keyOf({ method: 'DELETE', ...target })).toBe(
			sha256(`["w","n","7",0,0,"order.update","","${written('DELETE', 'null')}"]`),
		);
		const patch = { method: 'PATCH', ...target, body: { c: 3 } } as const;
		expect(await keyOf(patch, { runIndex: 1 }, 2, 'merge')).toBe(
			sha256(`["w","n","7",1,2,"order.update","merge","${written('PATCH', '{"c":3}')}"]`),
		);
	});
});
