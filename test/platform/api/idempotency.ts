import { createHash } from 'node:crypto';
import { Refusal } from '../shop/refusal';
import type { Answer } from './call';
import type { ApiKey } from './keys';
import type { By, Dialect } from '../dialects/dialect';

const MAX_REMEMBERED = 200_000;

interface Remembered {
	fingerprint: string;
	answer: Answer;
}

/**
 * Answers of writes, by API key and Idempotency-Key. Replay behaviour is not shown: the dialect's
 * `idempotency` says what a used key does. Only writes that were applied are remembered. Since handling is one synchronous step, two requests under one key
 * cannot overlap.
 */
export class IdempotencyMemory {
	private readonly remembered = new Map<string, Remembered>();

	/**
	 * The answer given before, if there is one.
	 *
	 * @throws Refusal IDEMPOTENCY_KEY_REUSED or IDEMPOTENCY_KEY_USED, as the dialect reads a used key.
	 */
	recall(
		key: ApiKey,
		idempotencyKey: string,
		fingerprint: string,
		reading: Dialect['idempotency'],
	): Answer | undefined {
		const known = this.remembered.get(`${key.id} ${idempotencyKey}`);
		return known && READINGS[reading](known.answer, known.fingerprint === fingerprint);
	}

	remember(key: ApiKey, idempotencyKey: string, fingerprint: string, answer: Answer): void {
		this.remembered.set(`${key.id} ${idempotencyKey}`, { fingerprint, answer });
		if (this.remembered.size > MAX_REMEMBERED) {
			const [oldest] = this.remembered.keys();
			this.remembered.delete(oldest);
		}
	}

	clear(): void {
		this.remembered.clear();
	}
}

type Reading = (answer: Answer, isSame: boolean) => Answer | undefined;

/** What a used key does. */
const READINGS: By<'idempotency', Reading> = {
	replayed: (answer, isSame) => {
		if (isSame) return answer;
		throw new Refusal(
			'IDEMPOTENCY_KEY_REUSED',
			'This Idempotency-Key was used for another request',
		);
	},
	anyBody: (answer) => answer,
	refused: () => {
		throw new Refusal('IDEMPOTENCY_KEY_USED', 'This Idempotency-Key was used before');
	},
	ignored: () => undefined,
};

/** Two requests are the same if method, target and body are. */
export function fingerprintOf(method: string, target: string, body: string | undefined): string {
	return createHash('sha256')
		.update(`${method} ${target}\n${body ?? ''}`)
		.digest('base64');
}
