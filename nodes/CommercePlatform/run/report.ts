import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { PlatformClient, Wait, WaitSummary } from '../../shared/api/client';
import { inWords } from '../../shared/values/dates';
import { costText, requestCost } from '../bulk/requestCost';
import type { RunReport } from './operation';

/** Between two messages about progress. ms. */
const PROGRESS_INTERVAL_MS = 2_000;

/** Shorter waits are not worth a message. ms. */
const NOTICED_WAIT_MS = 2_000;

/** Runs of this many requests say at their end what they cost. */
const LONG_RUN_REQUESTS = 100;

/** A wait that a user notices. ms. */
const LONG_WAIT_MS = 10_000;

type Context = IExecuteFunctions | IExecuteSingleFunctions;

/**
 * Says how far a run is: while it runs, to n8n's log and, in a run from the editor, to the browser's console; at
 * its end, by hints beside the output.
 */
export class Report implements RunReport {
	private readonly hints = new Set<string>();
	private saidAtMs: number;
	private unsentRequests = 0;
	/** Until when the user has been told that the run waits, ms of the clock that can't jump. */
	private waitsUntilMs = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly context: Context,
		private readonly client: PlatformClient,
	) {
		this.saidAtMs = client.clock.monotonic();
		client.onWait((wait) => this.waiting(wait));
	}

	/** A dry run would have sent these requests. */
	wouldSend(requests: number): void {
		this.unsentRequests += requests;
	}

	hint(text: string): void {
		if (this.hints.has(text)) return;
		this.hints.add(text);
		this.say(text);
	}

	progress(done: number, total: number | undefined, what: string): void {
		const nowMs = this.client.clock.monotonic();
		if (nowMs - this.saidAtMs < PROGRESS_INTERVAL_MS) return;
		this.saidAtMs = nowMs;
		const of = total === undefined ? '' : ` of ${count(total)}`;
		this.say(`${count(done)}${of} ${what}, ${count(this.client.requestsSent())} requests so far`);
	}

	/** Requests that wait for the same are told of once. */
	private waiting(wait: Wait): void {
		const nowMs = this.client.clock.monotonic();
		const endsMs = nowMs + wait.ms;
		if (wait.ms < NOTICED_WAIT_MS || endsMs < this.waitsUntilMs + NOTICED_WAIT_MS) return;
		this.waitsUntilMs = endsMs;
		this.say(waitingText(wait, this.client.rateLimit().limit));
	}

	private say(text: string): void {
		this.context.logger.info(`${this.context.getNode().name}: ${text}`);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(text);
	}

	/**
	 * Gives the hints to n8n, with what a long run cost and how long it waited.
	 *
	 * @param cheaperWay a sentence about an operation that needs fewer requests, where there is one
	 */
	end(cheaperWay?: string): void {
		if (this.client.requestsSent() >= LONG_RUN_REQUESTS) {
			this.hint(costOf(this.client));
			if (cheaperWay !== undefined) this.hint(cheaperWay);
		}
		const waited = waitHint(this.client.waits(), this.client.rateLimit().limit);
		if (waited !== undefined) this.hint(waited);
		if (this.unsentRequests > 0)
			this.hint(dryRunHint(this.unsentRequests, this.client.rateLimit()));
		if (!('addExecutionHints' in this.context)) return;
		for (const message of this.hints) this.context.addExecutionHints({ message, type: 'info' });
		this.hints.clear();
	}
}

function costOf(client: PlatformClient): string {
	const { dayRemaining, dayPercent } = client.rateLimit();
	const left =
		dayRemaining === undefined || dayPercent === undefined
			? ''
			: ` ${count(dayRemaining)} requests are left of today (${Math.floor(dayPercent)} %).`;
	return `This run sent ${count(client.requestsSent())} requests.${left}`;
}

const count = (number: number) => number.toLocaleString('en-US');

/**
 * A sentence about how long a run waited for the platform, so that a slow run explains itself.
 *
 * @param limit requests that the key has a minute, where the platform has told it
 * @returns undefined where it hardly waited
 */
export function waitHint(
	{ rateLimitMs, retries, longestRetryWaitMs }: WaitSummary,
	limit?: number,
): string | undefined {
	if (rateLimitMs >= LONG_WAIT_MS) {
		return `Waited ${inWords(rateLimitMs)} for ${limitInWords(limit)}. Fewer requests, a larger plan or a capacity package help.`;
	}
	if (longestRetryWaitMs < LONG_WAIT_MS) return undefined;
	return `This run repeated ${retries === 1 ? 'one request' : `${retries} requests`} that failed, and waited up to ${inWords(longestRetryWaitMs)} for one of them. The platform had faults or was rate limiting.`;
}

/** What a run that is waiting says at that moment. */
export function waitingText({ reason, ms }: Wait, limit?: number): string {
	const time = inWords(ms);
	return reason === 'rateLimit'
		? `waiting about ${time} for ${limitInWords(limit)}`
		: `waiting ${time} before a request that failed is repeated`;
}

function limitInWords(limit: number | undefined): string {
	return limit === undefined
		? 'the platform’s rate limit'
		: `the platform’s limit of ${count(limit)} requests a minute`;
}

/** The sentence at the end of a dry run. */
function dryRunHint(requests: number, known: Parameters<typeof requestCost>[1]): string {
	return `Dry run: nothing was written. It would be ${costText(requestCost(requests, known))}`;
}
