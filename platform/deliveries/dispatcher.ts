import pLimit, { type Limit } from 'p-limit';
import {
	newDelivery,
	newDeliveryId,
	type Delivery,
	type DeliveryFilter,
	type DeliveryRecord,
	type DeliveryState,
} from './delivery';
import { deliveryBody } from './body';
import { deliveryHeaders, sign } from './signature';
import { isDelivered, post } from './transport';
import { DEFAULT_DIALECT } from '../dialects/dialect';
import { formOf } from '../dialects/form';
import { iso } from '../shop/clock';
import { notFound } from '../shop/refusal';
import type { Faults } from '../faults/faults';
import type { Endpoint, Endpoints } from './endpoints';
import type { Settings } from '../settings';
import type { StreamEvent } from '../shop/event';

/**
 * The wait before the next attempt, in ms (Retry policy); `undefined` if the delivery is dead.
 *
 * @param factor scales the wait
 */
export function retryDelayMs(
	failures: number,
	factor: number,
	dialect = DEFAULT_DIALECT,
): number | undefined {
	const seconds = formOf<number[]>('retrySchedule', dialect)![failures - 1];
	return seconds === undefined ? undefined : seconds * 1_000 * factor;
}

/** Sends events to webhook endpoints (Delivery request, Retry policy). */
export class Dispatcher {
	private readonly deliveries = new Map<string, Delivery>();
	/** The number of deliveries that may be under way, and the queue that enforces it. */
	private limit?: { concurrency: number; run: Limit };
	/** Attempts that wait for the limit, are delayed by a fault, or are under way. */
	private sending = 0;
	private readonly closed = new AbortController();

	constructor(
		private readonly endpoints: Endpoints,
		private readonly faults: Faults,
		private readonly settings: () => Settings,
	) {}

	/** Starts a delivery to each subscriber of the event. @returns the deliveries' ids */
	publish(event: StreamEvent): string[] {
		const receivers = this.endpoints.subscribers(event.event);
		if (receivers.length === 0) return [];
		const body = deliveryBody(event, this.settings().dialect);
		return receivers.map((endpoint) => this.start(endpoint, event.event, body));
	}

	/** Starts one delivery, even if the endpoint does not subscribe to the event. @returns its id */
	start(endpoint: Endpoint, event: string, body: string): string {
		const signature = sign(this.endpoints.secretOf(endpoint.id), body);
		const delivery = newDelivery(endpoint, { event, body, signature });
		this.deliveries.set(delivery.record.id, delivery);
		for (const delayMs of this.faults.sendingTimes(event)) this.launch(delivery, delayMs);
		return delivery.record.id;
	}

	list({ limit = 0, ...expected }: DeliveryFilter = {}): DeliveryRecord[] {
		const filters = Object.entries(expected) as Array<[keyof typeof expected, string | undefined]>;
		return [...this.deliveries.values()]
			.map(({ record }) => record)
			.filter((record) =>
				filters.every(([name, value]) => value === undefined || record[name] === value),
			)
			.slice(-limit);
	}

	/** How many deliveries are neither delivered nor dead, or how many attempts are under way, if these are more. */
	get pending(): number {
		return Math.max(this.list({ state: 'pending' }).length, this.sending);
	}

	/**
	 * Sends a delivery again and waits for the outcome.
	 *
	 * @param freshId whether it gets a new delivery id; if absent, the dialect decides
	 * @throws Refusal NOT_FOUND
	 */
	async replay(id: string, freshId = this.settings().dialect.replayId === 'fresh'): Promise<void> {
		const delivery = this.deliveries.get(id);
		if (!delivery) throw notFound(`delivery ${id}`);
		const outcome = await this.send(delivery, freshId ? newDeliveryId() : id, false);
		if (isDelivered(outcome)) this.settle(delivery, 'delivered');
	}

	/** Plans all waiting attempts anew; called when the delays have changed. */
	replan(): void {
		for (const delivery of this.deliveries.values()) {
			if (delivery.timer) this.plan(delivery);
		}
	}

	/** Cancels planned attempts and aborts those under way. */
	close(): void {
		this.closed.abort();
		for (const { timer } of this.deliveries.values()) clearTimeout(timer);
	}

	private launch(delivery: Delivery, delayMs = 0): void {
		this.sending++;
		const attempt = async () => {
			await this.attempt(delivery);
			this.sending--;
		};
		if (delayMs > 0) setTimeout(() => void attempt(), delayMs).unref();
		else void attempt();
	}

	private async attempt(delivery: Delivery): Promise<void> {
		const isStampedOnce = this.settings().dialect.retryTimestamp === 'first';
		const outcome = await this.send(delivery, delivery.record.id, isStampedOnce);
		if (this.closed.signal.aborted || delivery.record.state !== 'pending') return;
		if (isDelivered(outcome)) return this.settle(delivery, 'delivered');
		delivery.failures++;
		delivery.failedAt = Date.now();
		this.plan(delivery);
	}

	private async send(delivery: Delivery, id: string, isStampedOnce: boolean) {
		return await this.limiter()(async () => {
			const { record, signature: hex } = delivery;
			const { dialect, deliveryTimeoutMs, clockOffsetMs } = this.settings();
			const nowMs = Date.now() + clockOffsetMs;
			delivery.firstSentAt ??= nowMs;
			const sentAt = isStampedOnce ? delivery.firstSentAt : nowMs;
			record.headers = deliveryHeaders({ id, event: record.event, hex, sentAt }, dialect);
			const outcome = await post(record.url, record, deliveryTimeoutMs, this.closed.signal);
			record.attempts.push({ at: iso(nowMs), ...outcome });
			return outcome;
		});
	}

	/** The present queue; a new one if the setting has changed. */
	private limiter(): Limit {
		const concurrency = this.settings().deliveryConcurrency;
		if (this.limit?.concurrency !== concurrency) {
			this.limit = { concurrency, run: pLimit(concurrency) };
		}
		return this.limit.run;
	}

	private plan(delivery: Delivery): void {
		clearTimeout(delivery.timer);
		const { retryDelayFactor, dialect } = this.settings();
		const delay = retryDelayMs(delivery.failures, retryDelayFactor, dialect);
		if (delay === undefined) return this.settle(delivery, 'dead');
		const nextMs = delivery.failedAt + delay;
		delivery.record.nextAttemptAt = iso(nextMs);
		const launch = () => {
			this.settle(delivery, 'pending');
			this.launch(delivery);
		};
		delivery.timer = setTimeout(launch, Math.max(0, nextMs - Date.now())).unref();
	}

	/** Sets the state of a delivery and cancels its planned attempt. */
	private settle(delivery: Delivery, state: DeliveryState): void {
		clearTimeout(delivery.timer);
		delivery.timer = undefined;
		Object.assign(delivery.record, { state, nextAttemptAt: null });
	}
}
