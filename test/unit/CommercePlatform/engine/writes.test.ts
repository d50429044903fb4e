import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { Writes } from '../../../../nodes/CommercePlatform/run/keys';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/api/request';
import { PlatformError, type ProblemDetails } from '../../../../nodes/shared/errors/errors';

/** The writes of a try of a node. */
const tryOf = (execution: object, { runIndex = 0, retryOnFail = true, type = 'node' } = {}) =>
	new Writes(
		{
			first: 0,
			node: { id: 'n', type, retryOnFail } as INode,
			context: {
				getContext: () => execution,
				getExecutionId: () => '7',
				getWorkflow: () => ({ id: 'w' }),
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			} as unknown as IExecuteFunctions,
		},
		'order.update',
	);

const DONE: INodeExecutionData[] = [{ json: { id: 'ord_1' } }];

describe('what a try of a node was done with', () => {
	it('is known to the next try in the same execution, item by item', () => {
		const execution = {};
		tryOf(execution).done(4, DONE);
		expect(tryOf(execution).known(4)).toBe(DONE);
		expect(tryOf(execution).known(5)).toBeUndefined();
	});

	it('is unknown to other executions, and to further runs of one execution', () => {
		const execution = {};
		tryOf(execution).done(0, DONE);
		expect(tryOf(execution, { runIndex: 1 }).known(0)).toBeUndefined();
		expect(tryOf({}).known(0)).toBeUndefined();
	});

	it.each([
		['for AI tools, whose calls are wishes of their own', { type: 'nodeTool' }],
		['where the node is not run again', { retryOnFail: false }],
	])('is not kept %s', (_, options) => {
		const execution = {};
		tryOf(execution, options).done(0, DONE);
		expect(tryOf(execution, options).known(0)).toBeUndefined();
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
	const failing = (details: ProblemDetails) => {
		const sent: PlatformRequest[] = [];
		const send = async (one: PlatformRequest): Promise<PlatformResponse> => {
			sent.push(one);
			if (sent.length > 1) return answer;
			throw new PlatformError('refused', { ...one, host: 'shop' }, details);
		};
		return { sent, send };
	};

	it.each<[string, ProblemDetails, string]>([
		['as it is given now, after a definite refusal', { status: 422 }, 'new'],
		['as it was, where it may have been applied', { status: 500, mayBeApplied: true }, 'old'],
	])('is sent again %s', async (_, details, note) => {
		const execution = {};
		const { sent, send } = failing(details);
		await expect(tryOf(execution).send(0, request('old'), '', send)).rejects.toThrow();
		const again = tryOf(execution);
		expect(again.unsettled(0)?.body).toEqual(note === 'old' ? request(note).body : undefined);
		await again.send(0, request('new'), '', send);
		expect(sent[1].body).toEqual({ merchant_note: note });
		expect(sent[1].idempotencyKey === sent[0].idempotencyKey).toBe(note === 'old');
	});

	it('may have been done, whatever refuses it after a lost answer', async () => {
		const execution = {};
		const refuse = (details: ProblemDetails) => async (one: PlatformRequest) => {
			throw new PlatformError('refused', { ...one, host: 'shop' }, details);
		};
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
		const refused = tryOf(execution).send(0, request('b'), 'create', async (one) => {
			throw new PlatformError('refused', { ...one, host: 'shop' }, { status: 409 });
		});
		await expect(refused).rejects.toMatchObject({ details: { mayBeApplied: true } });
	});
});

describe('a key of the user’s', () => {
	it('has up to 255 characters', () => {
		const writes = tryOf({});
		expect(writes.ownKey(0, 'x'.repeat(255))).toHaveLength(255);
		expect(() => writes.ownKey(0, 'x'.repeat(256))).toThrow(
			'“Idempotency Key” is longer than 255 characters',
		);
	});

	it('stands for one item of a run, also over its tries, and by whichever way n8n runs it', () => {
		const execution = {};
		tryOf(execution).ownKey(0, 'key');
		expect(tryOf(execution).ownKey(0, 'key')).toBe('key');
		expect(() => tryOf(execution, { retryOnFail: false }).ownKey(1, 'key')).toThrow(
			'“Idempotency Key” “key” stands for two items of this run',
		);
		expect(tryOf(execution, { runIndex: 1 }).ownKey(1, 'key')).toBe('key');
	});
});
