import { Refusal } from '../shop/refusal';
import type { Answer } from './call';
import type { By } from '../dialects/dialect';

/** A write that was applied: what was asked, and what was answered. */
interface Applied {
	/** Method, target and body. */
	request: string;
	answer: Answer;
}

/** Writes by API key and Idempotency-Key. */
export type AppliedWrites = Map<string, Applied>;

/**
 * What a used key does, which is not shown: the first answer again, or none if the write is to be applied.
 *
 * @throws Refusal IDEMPOTENCY_KEY_REUSED or IDEMPOTENCY_KEY_USED.
 */
export const REPEATED: By<'idempotency', (known: Applied, request: string) => Answer | undefined> =
	{
		replayed: (known, request) => {
			if (known.request === request) return known.answer;
			const reason = 'This Idempotency-Key was used for another request';
			throw new Refusal('IDEMPOTENCY_KEY_REUSED', reason);
		},
		anyBody: ({ answer }) => answer,
		refused: () => {
			throw new Refusal('IDEMPOTENCY_KEY_USED', 'This Idempotency-Key was used before');
		},
		ignored: () => undefined,
	};
