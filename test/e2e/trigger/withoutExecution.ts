import type { DeliveryRecord } from '../../../platform/deliveries/delivery';

/** A span of time, Unix ms. */
interface Span {
	fromMs: number;
	toMs: number;
}

/** The platform's clock counts whole milliseconds, n8n's database too. */
const ROUNDING_MS = 5;

/**
 * Deliveries that are lost without a trace. If n8n loses a service while it takes a delivery on, it may answer 200 and
 * keep a failed execution without data (docs/guarantees.md). People see that one, so it accounts for one delivery that it
 * may belong to: it was created while n8n could be at work on it. No execution accounts for two.
 *
 * @param deliveries those that no execution names
 * @param createdMs when the failed executions were created that name no delivery, Unix ms
 */
export function lostWithoutTrace(
	deliveries: readonly DeliveryRecord[],
	createdMs: readonly number[],
): DeliveryRecord[] {
	const open = new Map(deliveries.map((delivery) => [delivery, takenOn(delivery)]));
	for (const ms of [...createdMs].sort((a, b) => a - b)) {
		const possible = [...open].flatMap(([delivery, span]) =>
			span !== undefined && span.fromMs <= ms && ms <= span.toMs ? [{ delivery, span }] : [],
		);
		const [first] = possible.sort((a, b) => a.span.toMs - b.span.toMs);
		if (first !== undefined) open.delete(first.delivery);
	}
	return [...open.keys()];
}

/**
 * When n8n may have taken on a delivery: from the first attempt that it did not refuse to the end of the last one. It
 * goes on with an attempt whose sender has hung up.
 *
 * @returns undefined if n8n refused all attempts
 */
function takenOn({ attempts }: DeliveryRecord): Span | undefined {
	const first = attempts.find(({ status = 200 }) => status === 200);
	const last = attempts.at(-1);
	if (first === undefined || last === undefined) return undefined;
	return {
		fromMs: Date.parse(first.at) - ROUNDING_MS,
		toMs: Date.parse(last.at) + last.durationMs + ROUNDING_MS,
	};
}
