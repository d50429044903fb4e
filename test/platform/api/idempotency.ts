import { createHash } from 'node:crypto';
import { Refusal } from '../shop/refusal';
import type { Answer } from './call';
import type { ApiKey } from './keys';

const MAX_REMEMBERED = 200_000;

interface Remembered {
	fingerprint: string;
	answer: Answer;
}

/**
 * Answers of writes, by API key and Idempotency-Key. Replay behaviour is not shown; here the same
 * request gets the same answer, another request under the same key is refused, and only writes that
 * were applied are remembered. Since handling is one synchronous step, two requests under one key
 * cannot overlap.
 */
export class IdempotencyMemory {
	private readonly remembered = new Map<string, Remembered>();

	/**
	 * The answer given before, if there is one.
	 *
	 * @throws Refusal IDEMPOTENCY_KEY_REUSED if the key belongs to another request.
	 */
	recall(key: ApiKey, idempotencyKey: string, fingerprint: string): Answer | undefined {
		const known = this.remembered.get(`${key.id} ${idempotencyKey}`);
		if (known && known.fingerprint !== fingerprint) {
			throw new Refusal(
				'IDEMPOTENCY_KEY_REUSED',
				'This Idempotency-Key was used for another request',
			);
		}
		return known?.answer;
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

/** Two requests are the same if method, target and body are. */
export function fingerprintOf(method: string, target: string, body: string | undefined): string {
	return createHash('sha256')
		.update(`${method} ${target}\n${body ?? ''}`)
		.digest('base64');
}
