import { type IDataObject, type INode, type IPollFunctions, ObservableObject } from 'n8n-workflow';

import {
	emitWithOutcome,
	isTool,
	isUnknownExecution,
	isWatched,
	pollBudgetOf,
	WebhookHandling,
	withCancelSignal,
} from '../../../nodes/shared/n8n';
import { Answer } from '../../../lab/simulate/context';
import { byId, runOperation, stubApi } from '../../support/engine';
import { n8nCore } from '../../support/engine/n8nCore';

/** Static data of a workflow, as n8n passes it to a node and saves it. */
const watched = (stored: IDataObject) =>
	ObservableObject.create(stored, undefined, {
		ignoreEmptyOnFirstChild: true,
	}) as unknown as IDataObject & { __dataChanged: boolean };

describe('static data, as n8n watches and saves it', () => {
	it('counts as changed when a property is set to its present value', () => {
		const staticData = watched({ seen: { a: '1' } });
		expect(isWatched(staticData)).toBe(true);
		expect(staticData.__dataChanged).toBe(false);
		new WebhookHandling(new Answer(), staticData).askForSave('seen');
		expect(staticData.__dataChanged).toBe(true);
		expect(staticData.seen).toEqual({ a: '1' });
	});

	it('is saved with the content of that moment, and copied without it', () => {
		const staticData = watched({ node: {} });
		let seen = 'when it was loaded';
		new WebhookHandling(new Answer(), staticData).whenSaved(() => ({ seen }));
		seen = 'when it is saved';
		expect(JSON.parse(JSON.stringify(staticData))).toEqual({ node: {}, seen });
		expect({ ...staticData }).toEqual({ node: {} });
	});

	it('has no mark if n8n does not watch it', () => {
		expect(isWatched({})).toBe(false);
	});
});

it('n8n’s request helper aborts the request by the signal of its context', async () => {
	stubApi({ '*': async () => await new Promise<never>(() => undefined) });
	const { signal } = new AbortController();
	const context = { getExecutionCancelSignal: (): AbortSignal | undefined => undefined };
	expect(withCancelSignal(context, signal).getExecutionCancelSignal()).toBe(signal);
	const requestOptions = { timeout: 50, maxRetryWait: 0 };
	const { error } = await runOperation('order.get', { orderId: byId('ord_1'), requestOptions });
	expect(error?.message).toContain('did not answer in time');
});

it('an agent’s tool can be recognised by its type', () => {
	expect(isTool({ type: 'package.commercePlatformTool' } as INode)).toBe(true);
	expect(isTool({ type: 'package.commercePlatform' } as INode)).toBe(false);
});

it('n8n’s poll context emits with a promise of the outcome, and gives the time of a poll', () => {
	const { PollContext } = n8nCore;
	expect(PollContext.length).toBeGreaterThanOrEqual(5);
	const emitted: unknown[] = [];
	const emit = (...given: unknown[]) => void emitted.push(...given);
	const context = Object.assign(Object.create(PollContext.prototype) as IPollFunctions, {
		__emit: emit,
		getPollBudgetMs: () => 55_000,
	});
	const outcome = { promise: Promise.resolve(undefined), resolve: () => {}, reject: () => {} };
	emitWithOutcome(context, [{ json: {} }], outcome);
	expect(emitted).toEqual([[[{ json: {} }]], undefined, outcome]);
	expect(pollBudgetOf(context)).toBe(55_000);
	expect(pollBudgetOf({} as IPollFunctions)).toBeUndefined();
});

it('an execution that n8n no longer knows can be recognised by the name of its error', () => {
	class ExecutionNotFoundError extends Error {}
	expect(isUnknownExecution(new ExecutionNotFoundError())).toBe(true);
	expect(isUnknownExecution(new Error())).toBe(false);
});
