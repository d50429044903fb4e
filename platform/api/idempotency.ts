import { Refusal } from '../shop/refusal';
import type { Answer } from './call';
import type { By } from '../dialects/dialect';

/** A write that was applied: its request and its answer. */
interface Applied {
	/** Method, target and body. */
	request: string;
	answer: Answer;
}

/** Writes by API key and Idempotency-Key. */
export type AppliedWrites = Map<string, Applied>;

/**
 * What the platform answers under a used key; `undefined` if it applies the write again. The API document does not show
 * it, so the dialect decides.
 *
 * @throws Refusal IDEMPOTENCY_KEY_REUSED or IDEMPOTENCY_KEY_USED
 */
export const REPEATED: By<
	'idempotency',
	(applied: Applied, request: string) => Answer | undefined
> = {
	replayed: (applied, request) => {
		if (applied.request === request) return applied.answer;
		const reason = 'This Idempotency-Key was used for another request';
		throw new Refusal('IDEMPOTENCY_KEY_REUSED', reason);
	},
	anyBody: ({ answer }) => answer,
	refused: () => {
		throw new Refusal('IDEMPOTENCY_KEY_USED', 'This Idempotency-Key was used before');
	},
	ignored: () => undefined,
};
